import assert from "node:assert/strict";
import { test } from "node:test";
import type { Sample } from "../../../platform/meters.ts";
import { createCatalog } from "../catalog.ts";
import { givenCatalog, place, town } from "../testing.ts";
import { fitting } from "./areas.ts";
import { createByteCache } from "./byte-cache.ts";

test("what is used again and again stays when much is read once", () => {
  const cache = createByteCache<{ bytes: number }>(() => 100);
  const value = { bytes: 10 };
  for (const key of [1, 2, 3]) cache.keep(key, value);
  for (const key of [1, 2, 3]) cache.find(key, false);

  for (let key = 100; key < 200; key += 1) {
    cache.keep(key, value);
    cache.find(key, true);
  }

  assert.deepEqual(
    [1, 2, 3].map((key) => cache.has(key)),
    [true, true, true],
  );
  assert.ok(cache.size().bytes <= 100);
});

test("what is used most stays among what is used again, and nothing is kept beyond the bound", () => {
  let bytesMax = 100;
  const cache = createByteCache<{ bytes: number }>(() => bytesMax);
  for (let key = 0; key < 50; key += 1) {
    cache.keep(key, { bytes: 10 });
    cache.find(key, false);
    cache.find(0, false);
    assert.ok(cache.size().bytes <= 100);
  }
  assert.ok(cache.has(0));

  bytesMax = 20;
  cache.keep(99, { bytes: 10 });
  assert.ok(cache.size().bytes <= 20);
  bytesMax = 0;
  cache.keep(100, { bytes: 10 });
  assert.deepEqual(cache.size(), { count: 0, bytes: 0 });
});

test("areas take their share of the memory, the largest first", () => {
  const area = { ...town("Vaduz", 47.141, 9.521).area, names: ["vaduz"], level: null, shapeKey: null };

  assert.equal(fitting([area, area, area], 1_000).areas.length, 2);
  assert.ok(fitting([area, area, area], 1_000).bytes <= 1_000);
  assert.deepEqual(fitting([area], 0), { areas: [], bytes: 0 });
});

test("index, listings and areas together stay within the memory, and a search answers nevertheless", async (t) => {
  const { db, load } = await givenCatalog(t);
  const spots = [0, 1, 2].map((index) => ({ latitude: 40 + index * 6, longitude: 10 + index * 9 }));
  await load([
    ...spots.flatMap((at, spot) =>
      Array.from({ length: 3_000 }, (_, index) =>
        place({ sourceId: `osm:n${spot}-${index}`, name: `Filler ${index}`, categories: ["amenity/pub"], ...at }),
      ),
    ),
    ...Array.from({ length: 200 }, (_, index) => town(`Town ${index}`, 40 + index / 100, 10)),
  ]);
  const gauges = new Map<string, () => readonly Sample[]>();
  const memoryBytesMax = 400_000;
  const catalog = createCatalog({
    db,
    memoryBytesMax,
    meters: {
      counter: () => () => undefined,
      gauge: (name, _help, _labels, read) => void gauges.set(name, read as () => readonly Sample[]),
    },
  });

  for (const at of [...spots, ...spots]) {
    const ll = `@${at.latitude},${at.longitude},14z`;
    const { listings } = await catalog.search(
      { q: "pub", page: 1, hl: "en", extra: false, ll },
      new AbortController().signal,
    );
    assert.equal(listings.length, 20);
    const [sample] = gauges.get("waypost_catalog_cache_bytes")?.() ?? [];
    assert.ok((sample?.value ?? Infinity) <= memoryBytesMax, `${sample?.value} bytes`);
    assert.ok((sample?.value ?? 0) > 0);
  }
});
