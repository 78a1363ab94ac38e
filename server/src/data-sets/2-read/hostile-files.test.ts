import assert from "node:assert/strict";
import { test } from "node:test";
import { detectFormat, ImportProblem, type ReadLimits, readRowsInThread, standardReadLimits } from "./index.ts";
import { writeHostile, writeSample } from "./pbf/sample.ts";
import { temporaryFile } from "./read.ts";

const mega = 1024 * 1024;
const unhurried = { timeout: 240_000 };
const business = { name: "Sonne", amenity: "cafe" };

const hostileFiles: Record<string, { content: () => Buffer | string; says: RegExp }> = {
  "a block that unfolds a thousandfold": {
    content: () => writeHostile({ refs: Buffer.alloc(30 * mega), tags: business, pack: "zlib" }),
    says: /block at byte \d+ cannot be unpacked/,
  },
  "a way of millions of nodes": {
    content: () => writeHostile({ refs: Buffer.alloc(20 * mega), tags: business }),
    says: /block at byte \d+ cannot be read/,
  },
  "a relation of millions of members": {
    content: () => writeHostile({ members: Buffer.alloc(20 * mega), tags: business }),
    says: /block at byte \d+ cannot be read/,
  },
  "a node of millions of tags": {
    content: () => writeHostile({ pairs: Buffer.alloc(20 * mega, 1) }),
    says: /block at byte \d+ cannot be read/,
  },
  "a block of millions of nodes": {
    content: () => writeHostile({ ids: Buffer.alloc(20 * mega, 2), tags: {} }),
    says: /block at byte \d+ cannot be read/,
  },
  "a block with fewer coordinates than nodes": {
    content: () => writeHostile({ ids: Buffer.from([2, 2]), tags: business }),
    says: /block at byte \d+ cannot be read/,
  },
  "a block of millions of groups": {
    content: () => writeHostile({ groups: 15 * mega }),
    says: /block at byte \d+ cannot be read/,
  },
  "a block of millions of texts": {
    content: () => writeHostile({ texts: 14 * mega }),
    says: /block at byte \d+ cannot be read/,
  },
  "blocks of nothing": {
    content: () =>
      Buffer.concat([writeSample({}), ...Array.from({ length: 100 }, () => writeHostile({ isEmpty: true }))]),
    says: /no block of an OSM PBF begins/,
  },
  "a feature of a million lists": {
    content: () => `{"type":"Feature","properties":{"a":${"[".repeat(9 * mega)}${"]".repeat(9 * mega)}}}`,
    says: /larger than 16 MB/,
  },
  "geometries in geometries without end": {
    content: () => {
      const depth = 100_000;
      const opening = `{"type":"GeometryCollection","geometries":[`.repeat(depth);
      return `{"type":"Feature","properties":{"name":"x"},"geometry":${opening}${"]}".repeat(depth)}}`;
    },
    says: /None of the 1 features|larger or nested deeper/,
  },
  "a record of a table without an end": {
    content: () => `name,lat,lon\n"${"x".repeat(20 * mega)}`,
    says: /cannot be read at line/,
  },
  "a table directory larger than its file": {
    content: () => Buffer.concat([Buffer.from("PAR1xxxx"), Buffer.from([0xff, 0xff, 0xff, 0x7f]), Buffer.from("PAR1")]),
    says: /directory at the end of this Parquet file cannot be read/,
  },
  "a table directory of more than 64 MB": {
    content: () => {
      const directory = Buffer.alloc(64 * mega + 1);
      const length = Buffer.alloc(4);
      length.writeUInt32LE(directory.length);
      return Buffer.concat([Buffer.from("PAR1"), directory, length, Buffer.from("PAR1")]);
    },
    says: /directory of more than 64 MB/,
  },
};

for (const [name, { content, says }] of Object.entries(hostileFiles)) {
  test(`${name} ends with a sentence and little memory`, unhurried, async (t) => {
    const path = await temporaryFile(t, content());
    const { problem, grownBytes } = await refusalOf(path);

    assert.match(problem.message, says);
    assert.ok(grownBytes < 1024 * mega, `${grownBytes} bytes`);
  });
}

test("a file that takes too much memory, or comes no further, is left", unhurried, async (t) => {
  const rows = Array.from({ length: 200_000 }, (_, row) => `Place ${row},47.1,9.5\n`);
  const path = await temporaryFile(t, `name,lat,lon\n${rows.join("")}`);

  const greedy = await refusalOf(path, { ...standardReadLimits, memoryMegabytes: 0 });
  const stuck = await refusalOf(path, { ...standardReadLimits, stalledMs: -1 });

  assert.match(greedy.problem.message, /more than 0 MB of memory/);
  assert.match(stuck.problem.message, /without getting further/);
});

test("thousands of comments before nothing are looked through at once", async (t) => {
  const comments = await temporaryFile(t, `<?xml version="1.0"?>${"<!-- -->".repeat(8000)}<notosm>`);
  const map = await temporaryFile(t, `<?xml version="1.0"?>\n<!-- a -->\n<!-- b --><osm version="0.6">`);

  await assert.rejects(detectFormat(comments), /is XML, which is not read here/);
  await assert.rejects(detectFormat(map), /is OSM XML/);
});

test("what a file says reaches a terminal without its control characters", async (t) => {
  const path = await temporaryFile(t, "name\u001b]0;owned\u0007,\u009b31mcity,\u202eb\nx,y,z\n");

  const { problem } = await refusalOf(path);

  assert.match(problem.message, /no columns for latitude and longitude; it has: name\uFFFD\]0;owned\uFFFD/);
  assert.doesNotMatch(problem.message, /[\p{Cc}\p{Cf}]/u);
});

/** Reads a file to the problem that ends it, and measures what that took. */
async function refusalOf(path: string, limits?: ReadLimits): Promise<{ problem: ImportProblem; grownBytes: number }> {
  const startBytes = process.memoryUsage.rss();
  let peakBytes = startBytes;
  const timer = setInterval(() => (peakBytes = Math.max(peakBytes, process.memoryUsage.rss())), 20);
  try {
    const format = await detectFormat(path);
    // All that is promised of one thread holds for several, which a small file does not get by itself.
    const options = { signal: new AbortController().signal, workers: 2, ...(limits ? { limits } : {}) };
    for await (const _ of readRowsInThread(path, format, options));
  } catch (problem) {
    assert.ok(problem instanceof ImportProblem, String(problem));
    return { problem, grownBytes: peakBytes - startBytes };
  } finally {
    clearInterval(timer);
  }
  assert.fail("the file was read to its end");
}
