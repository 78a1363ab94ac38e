import assert from "node:assert/strict";
import { test } from "node:test";
import { areaOf } from "./read-area.ts";

test("a population is a whole number that people can be, or it is unknown", () => {
  const read = Object.fromEntries(
    [
      ...["5700", "5 700", "1.402.112", "1,402,112", "1'402'112", "12,34,567", "1411778724"],
      ...["3000000000", "12345.6789012", "123.45", "1e6", "-5", "0", "", "about 300", "99999999999999999999"],
    ].map((population) => {
      const tags = { name: "Vaduz", place: "town", population };
      return [
        population,
        areaOf({ type: "node", id: 1, tags, latitude: 47.1, longitude: 9.5 }, { box: null })?.population,
      ];
    }),
  );

  assert.deepEqual(read, {
    "5700": 5_700,
    "5 700": 5_700,
    "1.402.112": 1_402_112,
    "1,402,112": 1_402_112,
    "1'402'112": 1_402_112,
    "12,34,567": 1_234_567,
    "1411778724": 1_411_778_724,
    "3000000000": null,
    "12345.6789012": null,
    "123.45": null,
    "1e6": null,
    "-5": null,
    "0": null,
    "": null,
    "about 300": null,
    "99999999999999999999": null,
  });
});
