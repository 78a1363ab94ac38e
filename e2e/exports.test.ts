import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { type Business, type Export, verifyWebhook, Waypost } from "@waypost/sdk";
import { parse } from "csv-parse/sync";
import { parquetReadObjects } from "hyparquet";
import { compressors } from "hyparquet-compressors";
import readXlsx from "read-excel-file/node";
import { sql } from "../server/src/platform/postgres/sql.ts";
import { defer } from "../server/test/defer.ts";
import { createTestDatabase } from "../server/test/postgres.ts";
import { q, startCatalogStage } from "./catalog-stage.ts";
import { callUntilAnswered, startFleet } from "./fleet.ts";
import { newDataFolder, until } from "./service.ts";

/** What each format is compared by. */
type Row = Record<"businessId" | "name" | "latitude" | "longitude" | "category", unknown>;

const rowOf = ({ businessId, name, latitude, longitude, category }: Record<string, unknown>): Row => ({
  businessId,
  name,
  latitude: Number(latitude),
  longitude: Number(longitude),
  category,
});
const rowOfBusiness = ({ businessId, place }: Business) => rowOf({ businessId, ...place, ...place.location });

/** The rows of a file, read by programs that are not ours. */
const readers: Record<Export["format"], (bytes: Buffer, path: string) => Row[] | Promise<Row[]>> = {
  ndjson: (bytes) =>
    bytes
      .toString()
      .trimEnd()
      .split("\n")
      .map((line) => rowOfBusiness(JSON.parse(line))),
  json: (bytes) => JSON.parse(bytes.toString()).records.map(rowOfBusiness),
  geojson: (bytes) => JSON.parse(bytes.toString()).features.map(({ properties }: any) => rowOf(properties)),
  csv: (bytes) => parse<Record<string, string>>(bytes, { columns: true }).map(rowOf),
  async xlsx(_, path) {
    const sheets = (await readXlsx(path)) as any;
    const [names, ...rows] = sheets[0]?.data ?? sheets;
    return rows.map((row: unknown[]) =>
      rowOf(Object.fromEntries(names.map((name: string, at: number) => [name, row[at]]))),
    );
  },
  async parquet(bytes) {
    const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer;
    return ((await parquetReadObjects({ file, compressors })) as Record<string, unknown>[]).map(rowOf);
  },
};

test("from an import to files: a job, its verified webhooks, its results, and the same in each of six formats", async (t) => {
  const { receiver, live } = await startCatalogStage(t);
  const folder = await newDataFolder(t);
  const endpoint = await live.webhooks.create({
    url: receiver.url,
    event_types: ["scrape.completed", "export.ready"],
  });
  const input = { q, ll: "@47.141,9.521,14z", webhook_endpoint_id: endpoint.id };
  const job = await live.scrapes.wait((await live.scrapes.create({ input })).id);
  const stored: Row[] = [];
  for await (const business of live.scrapes.results(job.id)) stored.push(rowOfBusiness(business));
  assert.deepEqual(new Set(stored.map(({ name }) => name)), new Set(["Probe Espresso", "Probe Mokka"]));

  const formats = Object.keys(readers) as Export["format"][]; // the keys of this very object
  const made = await Promise.all(
    formats.map(async (format) => live.exports.wait((await live.exports.create({ job_id: job.id, format })).id)),
  );
  await receiver.until(() => receiver.received.length > formats.length);

  for (const { id, format, sha256, size_bytes: sizeBytes, row_count: rowCount } of made) {
    const file = await live.exports.download(id);
    const chunks: Uint8Array[] = [];
    for await (const chunk of file.content) chunks.push(chunk);
    const bytes = Buffer.concat(chunks);
    const path = join(folder, file.name);
    await writeFile(path, bytes);
    assert.equal(createHash("sha256").update(bytes).digest("hex"), sha256, format);
    assert.deepEqual([bytes.length, stored.length], [sizeBytes, rowCount], format);
    assert.deepEqual(await readers[format](bytes, path), stored, format);
  }
  const events = await Promise.all(
    receiver.received.map((each) => verifyWebhook(each.raw, each.headers, endpoint.secret)),
  );
  const told = events.flatMap((event) => (event.type === "export.ready" ? [event.data] : []));
  const byFormat = (one: { format: string }, other: { format: string }) => one.format.localeCompare(other.format);
  assert.deepEqual(
    told.sort(byFormat).map(({ export_id: id, job_id, format, status }) => ({ id, job_id, format, status })),
    made.sort(byFormat).map(({ id, job_id, format, status }) => ({ id, job_id, format, status })),
  );
  assert.equal(events.filter(({ type }) => type === "scrape.completed").length, 1);
});

test("an export whose worker is killed in the middle is made whole by the next one, and told of once", async (t) => {
  const rowCount = 30_000;
  const database = await createTestDatabase();
  const fleet = await startFleet(database.connection, ["api", "worker"]);
  defer(t, async () => {
    await fleet.stop();
    await database.drop();
  });
  const created = await callUntilAnswered(fleet, "/scrapes", {
    body: { operation: "places.search", input: { q: "coffee" } },
  });
  const live = new Waypost({ apiKey: fleet.key, baseUrl: fleet.any("api").address ?? "" });
  const job = await live.scrapes.wait(created.data.id);
  // Enough results that making the file takes a while; one business is one row, so each has its own.
  await fleet.db.query(sql`
    insert into scrape_results (job_id, position, business_id, record)
    select job_id, position + number, id, overlay(record placing id::text from strpos(record, business_id::text) for 36)
    from scrape_results, lateral (
      select number, gen_random_uuid() as id from generate_series(1, ${rowCount - 3}) as number
    ) as more
    where position = 3
  `);
  const { id } = await live.exports.create({ job_id: job.id, format: "xlsx" });

  await until(async () => (await live.exports.get(id)).status === "running");
  const killed = fleet.any("worker").crash();
  const whileDead = (await live.exports.get(id)).status;
  await killed;
  const made = await live.exports.wait(id, { waitMs: 120_000 });

  assert.equal(whileDead, "running");
  assert.deepEqual([made.status, made.row_count], ["ready", rowCount]);
  const { content, sha256 } = await live.exports.download(id);
  const hash = createHash("sha256");
  for await (const chunk of content) hash.update(chunk);
  assert.equal(hash.digest("hex"), sha256);
  const { rows } = await fleet.db.query<{ attempt: number; losses: number; events: number }>(sql`
    select attempt, losses, (select count(*) from webhook_events where resource_id = exports.id) as events
    from exports
  `);
  assert.deepEqual(rows, [{ attempt: 2, losses: 1, events: 1 }]);
});
