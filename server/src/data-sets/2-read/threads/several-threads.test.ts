import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { open, rename, unlink, writeFile } from "node:fs/promises";
import { test } from "node:test";
import { promisify } from "node:util";
import { detectFormat, newProgress, type ReadLimits, readRowsInThread, standardReadLimits } from "../index.ts";
import { type SampleNode, type SampleWay, writeSample } from "../pbf/sample.ts";
import { temporaryFile } from "../read.ts";

const blocks = 6;
const nodesPerBlock = 40;

test("several threads make the batches of an extract that one makes, in its order", async (t) => {
  const path = await temporaryFile(t, writeExtract());

  const alone = await rowsOf(path, 0);
  const shared = await rowsOf(path, 2);

  assert.deepEqual(shared.batches, alone.batches);

  assert.equal(alone.rows.size, blocks * nodesPerBlock + blocks + 2);
  assert.equal(alone.progress.objectsRead, blocks * nodesPerBlock + blocks * 2 + 1);
  assert.equal(shared.progress.objectsRead, alone.progress.objectsRead);
  // Threads may have surveyed blocks by the time that one of them meets nodes.
  for (const { bytesRead, bytesTotal } of [alone.progress, shared.progress]) assert.equal(bytesRead, bytesTotal);
});

test("tables and features are read alike by several threads, with the rows that cannot be used", async (t) => {
  const numbers = Array.from({ length: 1_300 }, (_, index) => index);
  const latitude = (number: number) => (number % 400 === 399 ? "" : "47.1");
  const table = `name,lat,lon\n${numbers.map((number) => `Cafe ${number},${latitude(number)},9.5\n`).join("")}`;
  const features = numbers.map((number) => {
    const geometry = { type: "Point", coordinates: [9.5, number % 400 === 399 ? 470 : 47.1] };
    return JSON.stringify({ type: "Feature", properties: { name: `Cafe ${number}` }, geometry });
  });

  for (const content of [table, features.join("\n")]) {
    const path = await temporaryFile(t, content);
    const alone = await rowsOf(path, 0);
    const shared = await rowsOf(path, 2);

    assert.equal(alone.rows.size, 1_297);
    assert.equal(alone.progress.skipped.count, 3);
    assert.deepEqual(shared, alone);
  }
});

test("of two blocks that describe one place the later one counts, whichever thread is faster", async (t) => {
  const slow = Array.from({ length: 2_000 }, (_, index) => nodeOf(index + 10));
  const first = writeSample({ nodes: [{ ...nodeOf(1), tags: { name: "Before", amenity: "cafe" } }, ...slow] });
  const second = writeSample({ nodes: [{ ...nodeOf(1), tags: { name: "After", amenity: "cafe" } }] });
  const path = await temporaryFile(t, Buffer.concat([first, second]));

  const { rows } = await rowsOf(path, 2);

  assert.match(rows.get("osm:n1") ?? "", /After/);
});

test("a block that another thread cannot read is named by its offset", async (t) => {
  const whole = writeExtract();
  const first = writeSample(blockOf(0));
  const broken = Buffer.from(whole);
  broken.fill(0xff, first.length + 200, first.length + 230);
  const path = await temporaryFile(t, broken);

  await assert.rejects(rowsOf(path, 2), { name: "ImportProblem", message: /block at byte \d+ cannot/ });
});

test("a thread that runs out of memory ends the reading with a sentence", async (t) => {
  const nodes = Array.from({ length: 20_000 }, (_, index) => nodeOf(index + 1));
  const path = await temporaryFile(t, writeSample({ nodes }));
  const limits = { ...standardReadLimits, memoryMegabytes: 4_000, heapMegabytes: 20 };

  await assert.rejects(rowsOf(path, 2, limits), { name: "ImportProblem", message: /more than 4000 MB of memory/ });
});

// Its threads take longer to start than the watchdog would wait by the clock.
test("a reader that gets no processor is waited for, and its file is not called damaged", async (t) => {
  const path = await temporaryFile(t, writeExtract());
  const limits = { ...standardReadLimits, stalledMs: 0 };

  const starved = await rowsOf(path, 2, limits, () => 0);

  assert.equal(starved.rows.size, blocks * nodesPerBlock + blocks + 2);
  let spentMs = 0;
  await assert.rejects(
    rowsOf(path, 2, { ...limits, stalledMs: -1 }, () => (spentMs += 1)),
    { name: "ImportProblem", message: /keeps its reader busy without getting further/ },
  );
});

// A pipe that nobody writes into, as a disk that hangs: a read of it does not end.
test("a file whose disk hangs ends its import with a sentence, and one whose disk is slow is waited for", async (t) => {
  const path = await temporaryFile(t, "");
  await unlink(path);
  await promisify(execFile)("mkfifo", [path]);
  const read = async (askDisk: () => Promise<void>) => {
    const { signal } = new AbortController();
    const limits = { ...standardReadLimits, silentMs: 200 };
    let text = "";
    for await (const batch of readRowsInThread(path, "geojson", { signal, workers: 0, limits, askDisk })) {
      text += new TextDecoder().decode(batch.text);
    }
    return text;
  };

  const geometry = { type: "Point", coordinates: [9.5, 47.1] };
  const feature = JSON.stringify({ type: "Feature", properties: { name: "Hotel Rest", tourism: "hotel" }, geometry });
  let timesAsked = 0;
  const slow = read(async () => {
    timesAsked += 1;
    if (timesAsked === 3) await writeFile(path, feature); // once the thread has opened it
  });

  assert.match(await slow, /Hotel Rest/);
  const silent = await open(path, "r+");
  try {
    await assert.rejects(
      read(() => new Promise(() => undefined)),
      {
        name: "ImportProblem",
        message: /disk of the file has not answered for 0 seconds\. .* run the same command again/,
      },
    );
  } finally {
    // A thread that opens it only now finds a file: a pipe without a writer would keep the process for ever.
    await writeFile(`${path}.empty`, "");
    await rename(`${path}.empty`, path);
    await silent.close();
  }
});

/** The last row of each place or area, as COPY has it after the line. */
async function rowsOf(
  path: string,
  workers: number,
  limits: ReadLimits = standardReadLimits,
  processorMs?: () => number,
) {
  const progress = newProgress();
  const lines = new Map<string, number>();
  const rows = new Map<string, string>();
  const batches: string[] = [];
  const options = {
    signal: new AbortController().signal,
    progress,
    workers,
    limits,
    ...(processorMs ? { processorMs } : {}),
  };
  for await (const { text } of readRowsInThread(path, await detectFormat(path), options)) {
    const batch = new TextDecoder().decode(text);
    batches.push(batch);
    for (const row of batch.split("\n").slice(0, -1)) {
      const [line = "", kind = "", sourceId = ""] = row.split("\t");
      const key = kind === "place" ? sourceId : `${kind} ${sourceId}`;
      if (Number(line) < (lines.get(key) ?? 0)) continue;
      lines.set(key, Number(line));
      rows.set(key, row.slice(line.length + 1));
    }
  }
  return { rows, batches, progress };
}

/** Blocks of cafes, each with a market and a line, and a town whose boundary is all lines together. */
function writeExtract(): Buffer {
  const corners = Array.from({ length: blocks }, (_, block) => firstOf(block));
  const ways = corners.map((node, block) => ({ id: 500 + block, refs: [node, corners[(block + 1) % blocks] ?? 0] }));
  const members = ways.map(({ id }) => ({ type: 1 as const, id, role: "outer" }));
  const tags = { name: "Vaduz", boundary: "administrative", admin_level: "8", type: "boundary", amenity: "townhall" };
  const town = writeSample({ ways, relations: [{ id: 900, members, tags }] });
  const places = corners.map((_, block) => writeSample(blockOf(block)));
  return Buffer.concat([...places, town]);
}

function blockOf(block: number): { nodes: SampleNode[]; ways: SampleWay[] } {
  const first = firstOf(block);
  const nodes = Array.from({ length: nodesPerBlock }, (_, index) => nodeOf(first + index));
  const refs = [first, first + 1, first + 2, first];
  return { nodes, ways: [{ id: block + 1, refs, tags: { name: `Market ${block}`, shop: "supermarket" } }] };
}

function firstOf(block: number): number {
  return 1 + block * nodesPerBlock;
}

function nodeOf(id: number): SampleNode {
  const angle = id / 7;
  return {
    id,
    latitude: 47 + Math.sin(angle) / 100,
    longitude: 9 + Math.cos(angle) / 100,
    tags: { name: `Cafe ${id}`, amenity: "cafe" },
  };
}
