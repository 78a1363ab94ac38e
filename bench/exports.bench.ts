// Rows per second and memory of exports beside a bare COPY of the same rows:
// npm run bench -- exports [--rows 1000000] [--format csv].
import { execFile } from "node:child_process";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import pg from "pg";
import { simulatedBusiness } from "../server/src/domains/businesses/index.ts";
import { type Format, formats } from "../server/src/domains/exports/export.ts";
import { scrapeRows } from "../server/src/domains/scrapes/index.ts";
import { newUuid } from "../server/src/platform/ids.ts";
import { clientConfig, type Connection } from "../server/src/platform/postgres/database.ts";
import { createFixtures } from "../server/src/sources/fixtures/index.ts";
import type { Measured, Task } from "./exports/measured.ts";
import { withDatabase } from "./places/database.ts";
import { numberAfter } from "./places/measure.ts";

/** What each format owes: its share of the bare rate. */
const promised: Record<Format, number> = { csv: 0.2, json: 0.2, ndjson: 0.5, geojson: 0.2, xlsx: 0.1, parquet: 0.1 };
const memoryMaxMb = 250;
const pauseMaxMs = 100;

export async function run(words: string[]): Promise<void> {
  const count = numberAfter(words, "--rows", 1_000_000);
  await withDatabase(async ({ connection, folder }) => {
    const tenant = { organizationId: newUuid(), environment: "live" as const };
    const jobId = newUuid();
    const bytes = await fill(connection, { ...tenant, jobId, count });
    console.log(`${count.toLocaleString("en-US")} rows of ${Math.round(bytes)} bytes of JSON on average`);

    const { text, values, name } = scrapeRows.select(tenant, [jobId]);
    const measure = async (format: Task["format"]) => {
      const path = join(folder, `bench.${format}`);
      const measured = await inProcess({ connection, rows: { text, values: [...values], name }, format, path });
      return { ...measured, sizeMb: (await stat(path)).size / 1e6 };
    };
    await measure("bare"); // once for the cache
    const [chosen] = words.slice(words.indexOf("--format") + 1);
    for (const format of formats.filter((each) => !words.includes("--format") || each === chosen)) {
      // The baseline runs beside each, so that whatever else the machine does weighs on both.
      const bare = await measure("bare");
      const ours = await measure(format);
      const ratio = bare.seconds / ours.seconds;
      const rates = [ours, bare].map(({ seconds }) => Math.round(count / seconds).toLocaleString("en-US"));
      const kept =
        ratio >= promised[format] && ours.peakMb <= memoryMaxMb && ours.pauseMs <= pauseMaxMs ? "kept" : "MISSED";
      console.log(
        `${format.padEnd(8)} ${rates[0]} rows/s, bare COPY ${rates[1]}: x ${ratio.toFixed(2)} (at least ${promised[format]}); ` +
          `${Math.round(ours.peakMb)} MB over idle (at most ${memoryMaxMb}), bare ${Math.round(bare.peakMb)}; ` +
          `longest pause ${Math.round(ours.pauseMs)} ms (at most ${pauseMaxMs}), bare ${Math.round(bare.pauseMs)}; ` +
          `processor time in it ${Math.round(ours.ownPauseMs)} ms, bare ${Math.round(bare.ownPauseMs)}; ` +
          `${ours.answered} requests answered; ${Math.round(ours.sizeMb)} MB file: ${kept}`,
      );
    }
  });
}

async function inProcess(task: Task): Promise<Measured> {
  const program = fileURLToPath(new URL("exports/measured.ts", import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [program, JSON.stringify(task)]);
  return JSON.parse(stdout) as Measured; // printed by measured.ts
}

/** A job with so many results, made of fixtures with names and ids of their own. */
async function fill(
  connection: Connection,
  {
    organizationId,
    environment,
    jobId,
    count,
  }: { organizationId: string; environment: string; jobId: string; count: number },
): Promise<number> {
  const client = new pg.Client({ ...clientConfig(connection), statement_timeout: 0, query_timeout: 0 });
  await client.connect();
  await client.query("create temporary table samples (n integer primary key, record text)");
  await client.query(
    "insert into samples select ordinality - 1, record from unnest($1::text[]) with ordinality as s (record)",
    [await sampleRecords()],
  );
  await client.query(
    `insert into scrapes (id, organization_id, environment, operation, params, status, request_id, result_count, finished_at)
     values ($1, $2, $3, 'places.search', '{}', 'succeeded', 'req_bench', $4, now())`,
    [jobId, organizationId, environment, count],
  );
  await client.query(
    `insert into scrape_results (job_id, position, business_id, record)
     select $1, number, id, replace(overlay(record placing id::text from 45 for 36), '"name":"', '"name":"' || number || ' ')
     from (select number, gen_random_uuid() as id from generate_series(1, $2::integer) as number) as numbered
     join samples on samples.n = number % (select count(*) from samples)`,
    [jobId, count],
  );
  await client.query("vacuum analyze scrape_results");
  const { rows } = await client.query<{ bytes: number }>(
    "select avg(octet_length(record))::float8 as bytes from scrape_results where position <= 10000",
  );
  await client.end();
  return rows[0]?.bytes ?? 0;
}

const queries = [
  "coffee",
  "dentist",
  "hotel",
  "bakery",
  "museum",
  "garage",
  "pharmacy",
  "restaurant",
  "florist",
  "gym",
];

async function sampleRecords(): Promise<string[]> {
  const fixtures = createFixtures();
  const records = [];
  for (const q of queries) {
    for (const page of [1, 2, 3, 4, 5]) {
      const query = { q, page, hl: "en", extra: false };
      const { listings } = await fixtures.search(query, AbortSignal.timeout(5_000));
      records.push(...listings.map((place) => JSON.stringify(simulatedBusiness(place))));
    }
  }
  return records;
}
