// How fast places are taken in, and with how much memory, and what searches take meanwhile:
// npm run bench -- import [--places 1000000].
// The baseline is COPY of the same records into one table without an index, for an OpenStreetMap extract the
// reading and unpacking of its blocks, and for a file of Overture what the library takes that reads Parquet.
import { join } from "node:path";
import { systemClock } from "../server/src/platform/clock.ts";
import { openBulkConnection } from "../server/src/platform/postgres/bulk.ts";
import { copyText } from "../server/src/platform/postgres/copy-text.ts";
import type { Connection } from "../server/src/platform/postgres/database.ts";
import { importItems, type ImportProgress } from "../server/src/data-sets/import.ts";
import { removeDataSet } from "../server/src/data-sets/remove.ts";
import { readRowsInThread } from "../server/src/data-sets/2-read/index.ts";
import type { PlaceRecord } from "../server/src/places/record.ts";
import { percentile } from "./figures.ts";
import { withDatabase } from "./places/database.ts";
import { unpackAll, writeExtract } from "./places/extract.ts";
import { numberAfter } from "./places/measure.ts";
import { readWithLibrary, writeOverture } from "./places/overture.ts";
import { makeQuestions } from "./places/questions.ts";
import { itemsOf, makePlaces, makeTowns, randomFrom } from "./places/synthetic.ts";
import { searchDuringImport } from "./scale/during-import.ts";

export async function run(words: string[]): Promise<void> {
  const count = numberAfter(words, "--places", 1_000_000);
  await withDatabase(async ({ connection, folder }) => {
    const towns = makeTowns("sparse", randomFrom(1));
    const places = () => makePlaces(count, towns, randomFrom(2));
    const signal = new AbortController().signal;
    const load = async (progress?: (step: ImportProgress) => void) =>
      importItems({ name: "bench", origin: "synthetic" }, itemsOf(places()), {
        connection,
        clock: systemClock,
        signal,
        ...(progress ? { progress } : {}),
      });

    const bare = await timed(() => copyBare(connection, places()));
    const phases = new Map<string, number>();
    const first = await timed(() =>
      load(({ phase }) => void (phases.has(phase) || phases.set(phase, performance.now()))),
    );
    const again = await timed(() => load());
    const added = await timed(() =>
      importItems({ name: "village", origin: "synthetic" }, itemsOf(village()), {
        connection,
        clock: systemClock,
        signal,
      }),
    );
    const removed = await timed(() => removeDataSet("village", { connection, signal }));

    const rate = (seconds: number) => `${Math.round(count / seconds).toLocaleString("en-US")} places/s`;
    const ofCopy = (seconds: number) => `x ${(bare.seconds / seconds).toFixed(2)} of bare COPY`;
    console.log(`${count.toLocaleString("en-US")} places`);
    console.log(`bare COPY        ${rate(bare.seconds)}`);
    console.log(`first import     ${rate(first.seconds)}  ${ofCopy(first.seconds)} (at least 0.3 promised)`);
    console.log(`same data again  ${rate(again.seconds)}  ${ofCopy(again.seconds)} (at least 0.3 promised)`);
    console.log(`add ${villagePlaces.toLocaleString("en-US")} places in one town  ${added.seconds.toFixed(2)} s`);
    console.log(`remove them again          ${removed.seconds.toFixed(2)} s`);
    const [reading = 0, storing = 0, indexing = 0] = ["reading", "storing", "indexing"].map((name) => phases.get(name));
    const parts = [storing - reading, indexing - storing, first.endedAt - indexing].map((ms) =>
      (ms / 1_000).toFixed(1),
    );
    const staging = (storing - reading) / 1_000;
    console.log(`staged rows      ${rate(staging)}  ${ofCopy(staging)}`);
    console.log(`first import by phase: reading ${parts[0]} s, storing ${parts[1]} s, indexing ${parts[2]} s`);
    const peakMb = Math.round(Math.max(bare.peak, first.peak, again.peak));
    console.log(`peak memory of this process: ${peakMb} MB (at most 1,000 promised)`);
    await searchMeanwhile(
      { connection, folder },
      [...makePlaces(Math.min(count, sampleMax), towns, randomFrom(2))],
      count,
    );
    const path = join(folder, "bench.osm.pbf");
    // One object of 361 is a place in an extract of Liechtenstein, one of 56 in Monaco.
    await readExtract(path, { nodes: count, objectsPerPlace: 25 });
    await readExtract(path, { nodes: 4 * count, objectsPerPlace: 100 });
    await readExtract(path, { nodes: 8 * count, objectsPerPlace: 361 });
    const sample = [...makePlaces(Math.min(count, overturePlacesMax), towns, randomFrom(2))];
    await readTable(join(folder, "bench.parquet"), sample);
  });
}

const villagePlaces = 1_000;

/** Places of a town that no other data set has. */
function* village() {
  const towns = [{ name: "Newtown", latitude: 47.5, longitude: 8.5, radiusDegrees: 0.02 }];
  for (const place of makePlaces(villagePlaces, towns, randomFrom(3)))
    yield { ...place, sourceId: place.sourceId.replace("osm:n", "osm:n9000000") };
}

const sampleMax = 50_000;
const questionsOfKind = 100;
const aloneSeconds = 20;

/** What a search takes alone, and while as many places again are imported. */
async function searchMeanwhile(
  installed: { connection: Connection; folder: string },
  sample: readonly PlaceRecord[],
  places: number,
): Promise<void> {
  const kinds = ["category", "prefix", "typo"] as const;
  const questions = kinds.flatMap((kind) => makeQuestions(kind, questionsOfKind, sample, randomFrom(5)));
  const { alone, during, importSeconds } = await searchDuringImport(installed, { questions, places, aloneSeconds });
  const ratio = percentile(during, 0.99) / percentile(alone, 0.99);
  console.log(`searches alone   ${spread(alone)}`);
  console.log(`  while ${places.toLocaleString("en-US")} places more are imported, ${importSeconds.toFixed(0)} s`);
  console.log(`                 ${spread(during)}; p99 x ${ratio.toFixed(2)} (at most 2 promised)`);
}

function spread(ms: readonly number[]): string {
  return `p50 ${percentile(ms, 0.5).toFixed(1)} ms, p99 ${percentile(ms, 0.99).toFixed(1)} ms of ${ms.length}`;
}

async function readExtract(path: string, contents: Parameters<typeof writeExtract>[1]): Promise<void> {
  const objects = await writeExtract(path, contents);
  const bare = await timed(() => unpackAll(path));
  let places = 0;
  const reading = await timed(async () => {
    const batches = readRowsInThread(path, "osm-pbf", { signal: new AbortController().signal });
    for await (const batch of batches) places += batch.places;
  });
  const rate = (seconds: number) => `${Math.round(objects / seconds).toLocaleString("en-US")} objects/s`;
  console.log(
    `OpenStreetMap extract of ${objects.toLocaleString("en-US")} objects, ${places.toLocaleString("en-US")} places`,
  );
  console.log(`unpacking alone  ${rate(bare.seconds)}`);
  console.log(
    `reading          ${rate(reading.seconds)}  x ${(bare.seconds / reading.seconds).toFixed(2)} of unpacking` +
      " (at least 2,000,000 objects/s promised from 100 objects to a place on)",
  );
}

/** A library that reads a row group at once needs gigabytes for more. */
const overturePlacesMax = 200_000;

async function readTable(path: string, places: readonly PlaceRecord[]): Promise<void> {
  await writeOverture(path, places);
  const idle = process.memoryUsage.rss() / 1e6;
  const reading = await timed(async () => {
    for await (const _ of readRowsInThread(path, "overture", { signal: new AbortController().signal }));
  });
  const library = await timed(() => readWithLibrary(path));
  const rate = (seconds: number) => `${Math.round(places.length / seconds).toLocaleString("en-US")} places/s`;
  console.log(`Overture file of ${places.length.toLocaleString("en-US")} places in one row group`);
  console.log(`library alone    ${rate(library.seconds)}`);
  const ratio = (library.seconds / reading.seconds).toFixed(2);
  console.log(`reading          ${rate(reading.seconds)}  x ${ratio} of the library`);
  console.log(`memory it took: ${Math.round(reading.peak - idle)} MB`);
}

/** Runs the work while watching the memory the process holds. */
async function timed(work: () => Promise<unknown>): Promise<{ seconds: number; peak: number; endedAt: number }> {
  let peak = 0;
  const watch = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss() / 1e6)), 50);
  const start = performance.now();
  await work();
  const endedAt = performance.now();
  clearInterval(watch);
  return { seconds: (endedAt - start) / 1_000, peak, endedAt };
}

async function copyBare(connection: Connection, places: ReturnType<typeof makePlaces>) {
  const db = await openBulkConnection(connection, new AbortController().signal);
  await db.execute("create table bare_copy (source_id text, record text)");
  async function* rows() {
    for (const place of places) yield [place.sourceId, JSON.stringify(place)];
  }
  await db.copy("bare_copy (source_id, record)", copyText(rows()));
  // Or the server would clean it while the import runs.
  await db.execute("drop table bare_copy");
  await db.end();
}
