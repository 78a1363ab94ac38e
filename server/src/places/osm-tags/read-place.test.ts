import assert from "node:assert/strict";
import { test } from "node:test";
import { recordOf } from "./read-place.ts";

test("a state of operation is a business's, and what was torn down is closed for good", () => {
  const states: [tags: Record<string, string>, state: string][] = [
    [{ demolished: "yes" }, "CLOSED_PERMANENTLY"],
    [{ removed: "yes" }, "CLOSED_PERMANENTLY"],
    [{ operational_status: "closed" }, "CLOSED_PERMANENTLY"],
    [{ operational_status: "temporarily_closed" }, "CLOSED_TEMPORARILY"],
    [{ operational_status: "operational" }, "OPERATIONAL"],
    [{}, "OPERATIONAL"],
  ];
  for (const [tags, state] of states) assert.equal(read(tags).details.businessStatus, state, JSON.stringify(tags));
});

test("what a place is not is no kind of it", () => {
  assert.deepEqual(read({ shop: "no", amenity: "cafe", tourism: "none", cuisine: "yes" }).categoryLabels, []);
});

test("an encyclopedia's page is linked by its title or its address, and by no address made of one", () => {
  const page = "https://de.wikipedia.org/wiki/Vaduz";

  assert.equal(read({ wikipedia: "de:Vaduz" }).details.knowledgeUrl, page);
  assert.equal(read({ wikipedia: page }).details.knowledgeUrl, page);
  assert.equal(read({ wikipedia: "https://example.org/Vaduz" }).details.knowledgeUrl, undefined);
});

function read(tags: Record<string, string>) {
  const element = { type: "node", id: 7, latitude: 47.1424, longitude: 9.5176 } as const;
  const record = recordOf({ ...element, tags: { name: "Adler", shop: "bakery", ...tags } });
  assert.ok(record);
  return record;
}
