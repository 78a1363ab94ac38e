import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { newProgress } from "../reader.ts";
import { readOsmPbf } from "./osm-pbf.ts";
import { type Sample, writeSample } from "./sample.ts";
import { read, readFile, temporaryFile } from "../read.ts";

const dataFolder = join(import.meta.dirname, "../../../../../../shared/data/osm");

const town: Sample = {
  nodes: [
    { id: 1, latitude: 47.1, longitude: 9.5, tags: { name: "Adler", amenity: "pub", "name:en": "Eagle" } },
    { id: 2, latitude: 47.1, longitude: 9.5, tags: { amenity: "bench" } },
    { id: 10, latitude: 47, longitude: 9 },
    { id: 11, latitude: 47, longitude: 9.002 },
    { id: 12, latitude: 47.002, longitude: 9.002 },
    { id: 13, latitude: 47.002, longitude: 9 },
    {
      id: 9_000_000_001,
      latitude: 47.14,
      longitude: 9.52,
      tags: { name: "Vaduz", place: "village", population: "5 700" },
    },
  ],
  ways: [
    { id: 100, refs: [10, 11, 12, 13, 10], tags: { name: "Market", shop: "supermarket", building: "yes" } },
    { id: 101, refs: [10, 11, 12] },
    { id: 102, refs: [12, 13, 10] },
    { id: 103, refs: [10, 11], tags: { name: "Main Street", highway: "residential" } },
    { id: 104, refs: [77, 78, 79], tags: { name: "Beyond the extract", shop: "bakery" } },
    { id: 105, refs: [10, 11, 12], tags: { name: "Border", boundary: "administrative", admin_level: "2" } },
  ],
  relations: [
    {
      id: 200,
      members: [way(101, "outer"), way(102, "outer")],
      tags: { name: "Clinic", amenity: "clinic", type: "multipolygon" },
    },
    {
      id: 201,
      members: [way(101, "outer"), way(102, "outer"), { type: 0, id: 9_000_000_001, role: "label" }],
      tags: { name: "Vaduz", boundary: "administrative", admin_level: "8", type: "boundary" },
    },
    {
      id: 202,
      members: [way(101, "outer"), way(999, "outer")],
      tags: { name: "Cut off", boundary: "administrative", admin_level: "4" },
    },
  ],
};

for (const options of [{}, { pack: "raw" as const }, { isDense: false }]) {
  test(`nodes, ways and relations become places (${JSON.stringify(options)})`, async (t) => {
    const { places } = await read(t, readOsmPbf, writeSample(town, options));

    assert.deepEqual(
      places.map(({ sourceId, name, latitude, longitude }) => [
        sourceId,
        name,
        latitude.toFixed(4),
        longitude.toFixed(4),
      ]),
      [
        ["osm:n1", "Adler", "47.1000", "9.5000"],
        ["osm:w100", "Market", "47.0010", "9.0010"],
        ["osm:r200", "Clinic", "47.0010", "9.0010"],
      ],
    );
    assert.deepEqual(places[0]?.namesByLanguage, { en: "Eagle" });
    assert.deepEqual(places[1]?.categories, ["shop/supermarket", "shop"]);
  });
}

test("settlements and whole boundaries become areas, borders and cut-off boundaries do not", async (t) => {
  const { areas } = await read(t, readOsmPbf, writeSample(town));

  assert.deepEqual(
    areas.map(({ sourceId, kind, population }) => [sourceId, kind, population]),
    [
      ["osm:n9000000001", "village", 5700],
      ["osm:r201", "village", null],
    ],
  );
  assert.deepEqual(areas[1]?.box, [47, 9, 47.002, 9.002]);
  assert.deepEqual([areas[1].latitude, areas[1].longitude], [47.14, 9.52]);
});

test("squares, peaks, stops and named buildings become landmarks, streets and businesses do not", async (t) => {
  const corners = town.nodes?.slice(2, 6) ?? [];
  const { areas, places } = await read(
    t,
    readOsmPbf,
    writeSample({
      nodes: [
        ...corners,
        {
          id: 20,
          latitude: 47.1,
          longitude: 9.5,
          tags: { name: "Peterplatz", place: "square", "name:en": "St Peter" },
        },
        { id: 21, latitude: 47.1, longitude: 9.5, tags: { name: "Naafkopf", natural: "peak" } },
        { id: 22, latitude: 47.1, longitude: 9.5, tags: { name: "Vaduz Post", highway: "bus_stop" } },
        { id: 23, latitude: 47.1, longitude: 9.5, tags: { name: "Aussicht", tourism: "viewpoint" } },
        { id: 24, latitude: 47.1, longitude: 9.5, tags: { name: "Crossing", highway: "crossing" } },
        { id: 25, latitude: 47.1, longitude: 9.5, tags: { natural: "peak" } },
      ],
      ways: [
        { id: 120, refs: [10, 11, 12, 13, 10], tags: { name: "Rathaus", building: "public" } },
        { id: 121, refs: [10, 11, 12, 13, 10], tags: { name: "Market", shop: "supermarket", building: "yes" } },
        { id: 122, refs: [10, 11, 12, 13, 10], tags: { name: "12", building: "yes" } },
        { id: 123, refs: [10, 11, 12, 13, 10], tags: { name: "Rose Cottage", building: "house" } },
        { id: 124, refs: [10, 11], tags: { name: "Main Street", highway: "residential" } },
      ],
    }),
  );

  assert.deepEqual(
    areas.map(({ sourceId, name, kind }) => [sourceId, name, kind]),
    [
      ["osm:n20", "Peterplatz", "landmark"],
      ["osm:n21", "Naafkopf", "landmark"],
      ["osm:n22", "Vaduz Post", "landmark"],
      ["osm:w120", "Rathaus", "landmark"],
    ],
  );
  assert.deepEqual(areas[0]?.namesByLanguage, { en: "St Peter" });
  assert.deepEqual([areas[3]?.box, areas[3]?.shape], [[47, 9, 47.002, 9.002], null]);
  assert.deepEqual(
    places.map(({ name }) => name),
    ["Aussicht", "Market"],
  );
});

test("what people look for by its kind is kept without a name, other things in the street are not", async (t) => {
  const at = { latitude: 47.1, longitude: 9.5 };
  const { places } = await read(
    t,
    readOsmPbf,
    writeSample({
      nodes: [
        ...(town.nodes?.slice(2, 6) ?? []),
        { id: 30, ...at, tags: { amenity: "toilets", operator: "Gemeinde" } },
        { id: 31, ...at, tags: { amenity: "atm", operator: "Bank" } },
        { id: 32, ...at, tags: { amenity: "atm" } },
        { id: 33, ...at, tags: { amenity: "bench" } },
        { id: 34, ...at, tags: { amenity: "restaurant" } },
      ],
      ways: [{ id: 130, refs: [10, 11, 12, 13, 10], tags: { leisure: "playground" } }],
    }),
  );

  assert.deepEqual(
    places.map(({ sourceId, name, categories }) => [sourceId, name, categories[0]]),
    [
      ["osm:n30", "", "amenity/toilets"],
      ["osm:n31", "Bank", "amenity/atm"],
      ["osm:n32", "", "amenity/atm"],
      ["osm:w130", "", "leisure/playground"],
    ],
  );
});

test("blocks with memory of their own are read whole before it is freed, packed or not", async (t) => {
  const names = Array.from({ length: 2_000 }, (_, index) => `Cafe ${index}`.padEnd(60, "é"));
  const nodes = names.map((name, index) => ({
    id: index + 1,
    latitude: 47,
    longitude: 9,
    tags: { name, amenity: "cafe" },
  }));
  for (const pack of ["zlib", "raw"] as const) {
    const file = Buffer.concat([writeSample({ nodes }, { pack }), writeSample({ nodes: nodes.slice(0, 1) }, { pack })]);
    const { places } = await read(t, readOsmPbf, file);
    assert.deepEqual(
      places.map(({ name }) => name),
      [...names, ...names.slice(0, 1)],
      pack,
    );
  }
});

test("nodes in no order are found all the same", async (t) => {
  const { places } = await read(t, readOsmPbf, writeSample({ ...town, nodes: town.nodes?.toReversed() ?? [] }));

  assert.deepEqual(
    places.map(({ sourceId }) => sourceId),
    ["osm:n1", "osm:w100", "osm:r200"],
  );
});

test("blocks of ways and relations are read wherever they stand among those of nodes", async (t) => {
  const { nodes = [], ways = [], relations = [] } = town;
  const block = {
    pubs: writeSample({ nodes: nodes.slice(0, 3) }),
    corners: writeSample({ nodes: nodes.slice(3) }),
    market: writeSample({ ways: ways.slice(0, 2) }),
    lines: writeSample({ ways: ways.slice(2) }),
    clinic: writeSample({ relations: relations.slice(0, 1) }),
    towns: writeSample({ relations: relations.slice(1) }),
  };
  const sorted = [block.pubs, block.corners, block.market, block.lines, block.clinic, block.towns];
  const expected = await read(t, readOsmPbf, Buffer.concat(sorted));
  assert.deepEqual([expected.places.length, expected.areas.length], [3, 2]);

  for (const order of [
    [block.market, block.lines, block.clinic, block.towns, block.pubs, block.corners],
    [block.pubs, block.market, block.clinic, block.corners, block.lines, block.towns],
    [block.clinic, block.pubs, block.lines, block.towns, block.corners, block.market],
  ]) {
    const progress = newProgress();
    assert.deepEqual(await read(t, readOsmPbf, Buffer.concat(order), { progress }), expected);
    assert.deepEqual([progress.objectsRead, progress.bytesRead], [16, progress.bytesTotal]);
  }
});

test("the nodes of a sorted file are read once", async (t) => {
  const blocks = Array.from({ length: 20 }, (_, block) =>
    writeSample({
      nodes: Array.from({ length: 100 }, (_node, index) => ({
        id: block * 100 + index + 1,
        latitude: 47 + index / 1e3,
        longitude: 9,
      })),
    }),
  );
  const refs = blocks.map((_, block) => block * 100 + 1);
  const market = writeSample({ ways: [{ id: 1, refs, tags: { name: "Market", shop: "supermarket" } }] });
  const progress = newProgress();

  const file = Buffer.concat([...blocks, market]);
  const { places } = await read(t, readOsmPbf, file, { progress });

  assert.equal(places.length, 1);
  assert.equal(progress.bytesRead, progress.bytesTotal);
  assert.ok(progress.bytesRead < file.length * 1.2, `${progress.bytesRead} of ${file.length} bytes`);
});

test("text that no database can keep is made such that it can", async (t) => {
  const nodes = [{ id: 1, latitude: 47, longitude: 9, tags: { name: "A\u0000dler", amenity: "pub" } }];

  const { places } = await read(t, readOsmPbf, writeSample({ nodes }));

  assert.equal(places[0]?.name, "Adler");
});

test("progress counts every object once and ends at its total", async (t) => {
  const progress = newProgress();
  await read(t, readOsmPbf, writeSample(town), { progress });

  assert.equal(progress.objectsRead, 16);
  assert.equal(progress.bytesRead, progress.bytesTotal);
});

test("a file cut anywhere is refused with the block it was cut in", async (t) => {
  const whole = writeSample(town);
  const boundaries: number[] = [];
  for (let offset = 0; offset < whole.length; offset = nextBlob(whole, offset)) boundaries.push(offset);

  for (let length = 1; length < whole.length; length += 37) {
    if (boundaries.includes(length)) continue;
    const blob = boundaries.findLast((offset) => offset < length);
    await assert.rejects(read(t, readOsmPbf, whole.subarray(0, length)), { name: "ImportProblem", offset: blob });
  }
});

test("a damaged block is named by its offset", async (t) => {
  const broken = Buffer.from(writeSample(town));
  const offset = nextBlob(broken, 0);
  broken.fill(0xff, offset + 30, offset + 60);

  await assert.rejects(read(t, readOsmPbf, broken), { name: "ImportProblem", offset, message: /damaged/ });
});

test("ways of a file that has their positions instead of their nodes are found, and so are relations of them", async (t) => {
  const { nodes = [], ways = [], relations = [] } = town;
  const pointOf = (ref: number): [number, number] => {
    const node = nodes.find(({ id }) => id === ref);
    return node ? [node.latitude, node.longitude] : [214.7483647, 214.7483647]; // what is written for one that is missing
  };
  const located = {
    nodes: nodes.filter(({ tags }) => tags),
    ways: ways.map((one) => ({ ...one, points: one.refs.map(pointOf) })),
    relations,
  };
  const content = writeSample(located, { features: ["OsmSchema-V0.6", "DenseNodes", "LocationsOnWays"] });

  const { places, areas } = await read(t, readOsmPbf, content);

  assert.deepEqual([places, areas], Object.values(await read(t, readOsmPbf, writeSample(town))));
});

test("objects that an editor has not uploaded, with ids below zero, keep theirs", async (t) => {
  const { nodes = [] } = town;
  const refs = [10, 11, 12, 13, 10];
  const ways = [-5, -6].map((id) => ({ id, refs, tags: { name: `Market ${id}`, shop: "supermarket" } }));
  const clinic = { id: -7, members: [way(-5, "outer")], tags: { name: "Clinic", amenity: "clinic" } };

  const { places } = await read(t, readOsmPbf, writeSample({ nodes, ways, relations: [clinic] }));

  assert.deepEqual(
    places.map(({ sourceId, details }) => [sourceId, details.mapsUrl]),
    [
      ["osm:n1", "https://www.openstreetmap.org/node/1"],
      ["osm:w-5", undefined],
      ["osm:w-6", undefined],
      ["osm:r-7", undefined],
    ],
  );
});

test("what the reader cannot do is said", async (t) => {
  const history = writeSample(town, { features: ["OsmSchema-V0.6", "HistoricalInformation"] });
  await assert.rejects(read(t, readOsmPbf, history), { name: "ImportProblem", message: /HistoricalInformation/ });
  await assert.rejects(read(t, readOsmPbf, writeSample(town, { pack: "lz4" })), { message: /LZ4/ });
});

test("noise never does more than be refused", async (t) => {
  const whole = writeSample(town);
  for (let seed = 1; seed <= 60; seed += 1) {
    const noisy = Buffer.from(whole);
    for (let flips = 0; flips < 8; flips += 1)
      noisy[(seed * 7919 + flips * 104_729) % noisy.length] = (seed * 31 + flips * 17) % 256;
    const outcome = await read(t, readOsmPbf, noisy).catch((error: unknown) => error);
    if (outcome instanceof Error) assert.equal(outcome.name, "ImportProblem", outcome.stack);
  }
});

test("an aborted reader stops with the caller's reason", async (t) => {
  const path = await temporaryFile(t, writeSample(town));
  const signal = AbortSignal.abort(new Error("Enough."));

  await assert.rejects(readFile(readOsmPbf, path, { signal }), { message: "Enough." });
});

for (const { file, places: expected } of [
  { file: "liechtenstein-2024.osm.pbf", places: 978 },
  { file: "monaco-2025.osm.pbf", places: 816 },
]) {
  test(`${file} has its places within 2 %`, async (t) => {
    const path = join(dataFolder, file);
    if (!existsSync(path)) return t.skip("the real data is not here");
    const progress = newProgress();

    const all = await readFile(readOsmPbf, path, { progress });
    const areas = all.areas.filter(({ kind }) => kind !== "landmark");
    const places = all.places.filter(({ name }) => name !== "");

    t.diagnostic(`${places.length} places, ${areas.length} areas of ${progress.objectsRead} objects`);
    assert.ok(Math.abs(places.length - expected) / expected < 0.02, `${places.length} places`);
    assert.equal(new Set(places.map(({ sourceId }) => sourceId)).size, places.length);
    assert.ok(areas.some(({ box }) => box !== null));
  });
}

function way(id: number, role: string) {
  return { type: 1 as const, id, role };
}

function nextBlob(bytes: Buffer, offset: number): number {
  const headerBytes = bytes.readUInt32BE(offset);
  const header = bytes.subarray(offset + 4, offset + 4 + headerBytes);
  const at = header.lastIndexOf(0x18) + 1;
  const size = (header[at] ?? 0) < 128 ? (header[at] ?? 0) : ((header[at] ?? 0) & 127) + (header[at + 1] ?? 0) * 128;
  return offset + 4 + headerBytes + size;
}
