import assert from "node:assert/strict";
import { test } from "node:test";
import { attributionsOf, familyOf } from "./attribution.ts";

test("each family of data sets has the notice that its license asks for, and CC0 asks for none", () => {
  const families = ["osm:n1", "overture:08f", "foursquare:4b0a", "alltheplaces:a1", "csv:1/2"].map(familyOf);

  const notices = attributionsOf(families.filter((family) => family !== undefined));

  assert.deepEqual(
    notices.map(({ source }) => source),
    ["foursquare", "osm", "overture"],
  );
  const notice = (source: string) => notices.find((each) => each.source === source)?.notice ?? "";
  assert.match(notice("osm"), /OpenStreetMap contributors.*Open Database License/);
  for (const source of ["foursquare", "overture"]) {
    assert.match(notice(source), /Copyright 2024 Foursquare Labs, Inc\. All rights reserved\..*Apache License/);
  }
  assert.match(notice("overture"), /CDLA Permissive 2\.0/);
});
