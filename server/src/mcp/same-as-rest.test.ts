import assert from "node:assert/strict";
import { test } from "node:test";
import { callTool } from "../../test/mcp.ts";
import { onePlace, scriptedSource } from "../../test/scripted-source.ts";
import { startCollections } from "../../test/collections.ts";
import { newUuid, uuidFromId } from "../platform/ids.ts";
import { sql } from "../platform/postgres/sql.ts";

const input = { q: "coffee in Vaduz" };

test("the same operations by REST and by MCP leave the same rows, units and events", async (t) => {
  const api = await startCollections(t, { source: scriptedSource(onePlace()).source });
  api.givenWorker();
  const rest = await api.givenKey({ environment: "live" });
  const mcp = await api.givenKey({ environment: "live" });
  const keys = { search: newUuid(), create: newUuid(), cancel: newUuid(), export: newUuid(), collect: newUuid() };
  const headers = (key: string) => ({ "Idempotency-Key": key });

  await api.searchAs(rest.text, input, headers(keys.search));
  const restJob = (await api.create(rest.text, {}, { ...headers(keys.create), Prefer: "wait=20" })).body["data"];
  await api.create(rest.text, {}, headers(keys.create));
  await api.cancel(rest.text, restJob.id, keys.cancel);
  const exported = { job_id: restJob.id, format: "csv" };
  await api.call("/api/v1/exports", { key: rest.text, json: exported, headers: headers(keys.export) });

  const wanted = { q: "dentist", area: { bbox: [47, 9, 48, 10] }, max_units: 3 };
  const restCollection = (await api.collect(rest.text, wanted, keys.collect)).body["data"];
  await api.collect(rest.text, wanted, keys.collect);
  await api.collected(rest.text, restCollection.id);

  await callTool(api, mcp.text, "search_businesses", { ...input, idempotency_key: keys.search });
  const create = { ...input, idempotency_key: keys.create };
  const created = await callTool(api, mcp.text, "create_scrape", { ...create, wait_seconds: 20 });
  const mcpJob = created.structuredContent["job"];
  const again = await callTool(api, mcp.text, "create_scrape", create);
  await callTool(api, mcp.text, "cancel_scrape", { job_id: mcpJob.id, idempotency_key: keys.cancel });
  await callTool(api, mcp.text, "create_export", { job_id: mcpJob.id, format: "csv", idempotency_key: keys.export });
  const { area, ...others } = wanted;
  const collect = { ...others, ...area, idempotency_key: keys.collect };
  const { collection } = (await callTool(api, mcp.text, "create_collection", collect)).structuredContent;
  const collectedTwice = await callTool(api, mcp.text, "create_collection", collect);
  await api.collected(mcp.text, collection.id);
  const shown = await callTool(api, mcp.text, "get_collection", { collection_id: collection.id });
  const records = await callTool(api, mcp.text, "get_collection_results", { collection_id: collection.id });

  assert.equal(mcpJob.status, "succeeded");
  assert.deepEqual(again.structuredContent["units"].charged, 0);
  assert.equal(again.structuredContent["replayed"], true);
  assert.equal(collectedTwice.structuredContent["replayed"], true);
  const overRest = (await api.readCollection(rest.text, restCollection.id)).body["data"];
  const { status, progress } = shown.structuredContent["collection"];
  assert.deepEqual({ status, progress }, { status: overRest.status, progress: overRest.progress });
  const left = await traces(mcp.organizationId, mcpJob.id, collection.id);
  assert.equal(left.collected[0]?.["count"], records.structuredContent["records"].length);
  assert.equal(left.units, 2 + Number(overRest.progress.units_charged));
  assert.deepEqual(left, await traces(rest.organizationId, restJob.id, restCollection.id));
  // A key of one edge replays on the other: there is one record of it.
  const replayed = await api.create(mcp.text, {}, headers(keys.create));
  assert.equal(replayed.body["data"].id, mcpJob.id);

  /** What an organization's calls left, without ids and times. */
  async function traces(organizationId: string, jobId: string, collectionId: string) {
    const uuid = uuidFromId("job", jobId) ?? "";
    const read = async (statement: ReturnType<typeof sql>) =>
      (await api.db.query<Record<string, unknown>>(statement)).rows;
    const ledger = await read(sql`
      select kind, units from ledger_entries where organization_id = ${organizationId} order by kind, units
    `);
    return {
      ledger,
      units: ledger.reduce((sum, entry) => sum + Number(entry["units"]), 0),
      jobs: await read(sql`
        select operation, environment, status, params, result_count, completed_queries, total_queries, error_code
        from scrapes where organization_id = ${organizationId}
      `),
      exports: await read(sql`select format, environment from exports where organization_id = ${organizationId}`),
      idempotency: (
        await read(sql`
          select operation, key, outcome from idempotency_records
          where owner = ${`${organizationId}/live`} order by key, operation
        `)
      ).map((record) => ({ ...record, operation: String(record["operation"]).replace(jobId, "job") })),
      collections: await read(sql`
        select params, area, environment, status, status_reason, max_units, units_charged, pages, result_count,
          cells_total, cells_done
        from collections where organization_id = ${organizationId}
      `),
      collected: await read(sql`
        select count(*)::int as count from collection_results
        where collection_id = ${uuidFromId("col", collectionId) ?? ""}
      `),
      events: [...(await api.eventsOf(jobId)), ...(await api.collectionEvents(collectionId))].map(({ type }) => type),
      stored: await read(sql`select count(*)::int as count from scrape_results where job_id = ${uuid}`),
    };
  }
});
