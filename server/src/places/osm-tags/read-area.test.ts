import assert from "node:assert/strict";
import { test } from "node:test";
import { areaOf } from "./read-area.ts";

test("a population is a whole number that people can be, or it is unknown", () => {
  const readable = ["5700", "5 700", "1.402.112", "1,402,112", "1'402'112", "12,34,567", "1411778724"];
  const unreadable = ["3000000000", "12345.6789012", "123.45", "1e6", "-5", "0", "", "about 300", "9".repeat(20)];
  const populationOf = (population: string) => {
    const tags = { name: "Vaduz", place: "town", population };
    return areaOf({ type: "node", id: 1, tags, latitude: 47.1, longitude: 9.5 }, { box: null })?.population;
  };

  assert.deepEqual(
    readable.map(populationOf),
    [5_700, 5_700, 1_402_112, 1_402_112, 1_402_112, 1_234_567, 1_411_778_724],
  );
  for (const text of unreadable) assert.equal(populationOf(text), null, text);
});

test("districts of East Asian cities are municipalities, or parts of one, and no regions", () => {
  const kindAt = (level: string, latitude: number, longitude: number) => {
    const tags = { name: "Q", boundary: "administrative", admin_level: level };
    return areaOf({ type: "relation", id: 1, tags, latitude, longitude }, { box: null })?.kind;
  };

  assert.deepEqual(
    [kindAt("4", 37.5, 127.0), kindAt("6", 37.5, 127.0), kindAt("8", 37.5, 127.0)],
    ["region", "town", "suburb"],
  );
  assert.deepEqual([kindAt("7", 35.0, 135.76), kindAt("8", 35.0, 135.76)], ["town", "suburb"]);
  assert.deepEqual([kindAt("6", 13.74, 100.53), kindAt("6", 10.776, 106.7)], ["town", "town"]);
});
