import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { parse } from "csv-parse/sync";
import { startExports } from "../../../test/exports.ts";
import { aPlace } from "../../../test/place.ts";
import { steadySource } from "../../../test/scrapes.ts";
import { newId, newUuid } from "../../platform/ids.ts";
import { sql } from "../../platform/postgres/sql.ts";
import { formats } from "./export.ts";

for (const format of formats) {
  test(`a test key gets a finished ${format} export at once, and the file is as described`, async (t) => {
    const api = await startExports(t);
    const { text: key } = await api.givenKey();
    const jobId = await api.givenJob(key);

    const { status, body } = await api.createExport(key, { job_id: jobId, format });

    assert.equal(status, 200, JSON.stringify(body));
    const { data } = body;
    assert.equal(data.status, "ready");
    assert.equal(data.job_id, jobId);
    const { records } = (await api.results(key, jobId, "?limit=100")).body["data"];
    assert.equal(data.row_count, records.length);
    assert.deepEqual(await api.exportEvents(data.id), [], "nobody is told of simulated data");
    const response = await api.download(data.download_url);
    const bytes = Buffer.from(await response.arrayBuffer());
    assert.equal(response.status, 200);
    assert.equal(bytes.length, data.size_bytes);
    assert.equal(createHash("sha256").update(bytes).digest("hex"), data.sha256);
    if (format === "ndjson") {
      const lines = bytes.toString().trimEnd().split("\n");
      assert.deepEqual(
        lines.map((line) => JSON.parse(line)),
        records,
      );
    }
  });
}

test("a key that has expired is free for another export, swept or not", async (t) => {
  const api = await startExports(t);
  const { text: key } = await api.givenKey();
  const jobId = await api.givenJob(key);
  const idempotencyKey = "expired-0123456789";
  const first = await api.createExport(key, { job_id: jobId, format: "csv" }, idempotencyKey);

  await api.db.query(sql`update idempotency_records set expires_at = now() - interval '1 second'`);
  const other = await api.createExport(key, { job_id: jobId, format: "json" }, idempotencyKey);

  assert.equal(other.status, 200, JSON.stringify(other.body));
  assert.notEqual(other.body["data"].id, first.body["data"].id);
  assert.equal(other.headers.get("idempotent-replayed"), null);
});

test("a live export is accepted, made by a worker, and told of to nobody in particular", async (t) => {
  const api = await startExports(t, { source: steadySource() });
  api.givenWorker();
  const { text: key } = await api.givenKey({ environment: "live" });
  const jobId = await api.givenJob(key);

  const { status, body, headers } = await api.createExport(key, { job_id: jobId, format: "ndjson" });

  assert.equal(status, 202);
  assert.equal(headers.get("location"), `/api/v1/exports/${body["data"].id}`);
  assert.equal(headers.get("retry-after"), "1");
  assert.equal(body["data"].download_url, undefined);
  const data = await api.finished(key, body["data"].id);
  assert.equal(data.status, "ready");
  assert.equal(data.row_count, 3);
  const kept = Date.parse(data.expires_at) - api.clock.now().getTime();
  assert.equal(kept, 7 * 86_400_000);
  const [event, ...more] = await api.exportEvents(data.id);
  assert.deepEqual(more, []);
  assert.equal(event.type, "export.ready");
  assert.equal(event.resource.type, "export");
  assert.deepEqual(Object.keys(event.data).sort(), [
    "error_class",
    "export_id",
    "format",
    "job_id",
    "row_count",
    "sequence",
    "size_bytes",
    "status",
    "version",
  ]);
  assert.equal(event.data.status, "ready");
  assert.ok(!JSON.stringify(event).includes("/downloads/"));
});

test("a business of several jobs is exported once, at its newest revision", async (t) => {
  const id = `osm:n${newUuid()}`;
  const listings = [aPlace({ placeId: id, name: "Before" }), aPlace({ name: "Other" })];
  const api = await startExports(t, {
    source: { name: "changing", search: async () => ({ listings: [...listings], verdict: "ok" }) },
  });
  api.givenWorker();
  const { text: key } = await api.givenKey({ environment: "live" });
  const first = await api.givenJob(key);
  listings.splice(0, 2, aPlace({ placeId: id, name: "After" }), aPlace({ name: "Third" }));
  const second = await api.givenJob(key);

  for (const job_ids of [
    [first, second],
    [second, first],
  ]) {
    const created = await api.createExport(key, { job_ids, format: "csv", columns: "all" });
    const data = await api.finished(key, created.body["data"].id);

    assert.equal(data.job_id, null);
    assert.deepEqual(data.job_ids, job_ids);
    const text = await (await api.download(data.download_url)).text();
    const rows = parse(text, { columns: true }) as unknown as Record<string, string>[];
    assert.deepEqual(rows.map(({ name }) => String(name)).sort(), ["After", "Other", "Third"]);
    assert.equal(rows.find(({ name }) => name === "After")?.["revision"], "2");
  }
});

test("csv and xlsx have the columns for people unless columns says otherwise; others have all", async (t) => {
  const api = await startExports(t);
  const { text: key } = await api.givenKey();
  const jobId = await api.givenJob(key);
  const headOf = async (json: object) => {
    const { body } = await api.createExport(key, { job_id: jobId, ...json });
    const text = await (await api.download(body["data"].download_url)).text();
    return json["format" as keyof typeof json] === "csv"
      ? text.slice(0, text.indexOf("\r\n")).split(",")
      : Object.keys(JSON.parse(text).features[0].properties);
  };

  const names = await headOf({ format: "csv" });
  assert.deepEqual([names.length, names[0], names.at(-1)], [24, "name", "businessId"]);
  assert.equal((await headOf({ format: "csv", columns: "all" })).length, 55);
  assert.equal((await headOf({ format: "geojson" })).length, 55);
  assert.deepEqual(await headOf({ format: "geojson", columns: "people" }), names);
  assert.deepEqual(await headOf({ format: "csv", columns: ["hours", "name"] }), ["hours", "name"]);
});

test("a column that does not exist is named", async (t) => {
  const api = await startExports(t);
  const { text: key } = await api.givenKey();
  const jobId = await api.givenJob(key);

  const { status, body } = await api.createExport(key, { job_id: jobId, format: "csv", columns: ["name", "fax"] });

  assert.equal(status, 400);
  assert.deepEqual(body["error"].details, ["/columns/1: must be the name of a column"]);
  for (const columns of [[], ["name", "name"], "most", null]) {
    const refused = await api.createExport(key, { job_id: jobId, format: "csv", columns });
    assert.equal(refused.body["error"]?.code, "invalid_request", JSON.stringify(columns));
  }
});

test("a file is named after what it holds and the day", async (t) => {
  const api = await startExports(t);
  const { text: key } = await api.givenKey();
  const [one, other, greek, signs] = await Promise.all([
    api.givenJob(key, { q: "Cafés in Zürich" }),
    api.givenJob(key, { q: "dentists Graz" }),
    api.givenJob(key, { q: "φαρμακεία Αθήνα" }),
    api.givenJob(key, { q: "!? 薬局" }),
  ]);
  const nameOf = async (json: object) => {
    const { body } = await api.createExport(key, { format: "csv", ...json });
    const { headers } = await api.download(body["data"].download_url);
    const day = body["data"].created_at.slice(0, 10);
    return /filename="(.+?)"/.exec(headers.get("content-disposition") ?? "")?.[1]?.replace(day, "DAY");
  };

  assert.equal(await nameOf({ job_id: one }), "cafes-in-zurich-DAY.csv");
  assert.equal(await nameOf({ job_ids: [other, one, greek] }), "dentists-graz-and-2-more-DAY.csv");
  assert.equal(await nameOf({ job_id: greek }), "farmakeia-athina-DAY.csv");
  assert.equal(await nameOf({ job_id: signs }), "businesses-DAY.csv");
});

test("the same Idempotency-Key gets the same export, and another body is refused", async (t) => {
  const api = await startExports(t);
  const { text: key } = await api.givenKey();
  const jobId = await api.givenJob(key);
  const idempotencyKey = newUuid();

  const first = await api.createExport(key, { job_id: jobId, format: "csv" }, idempotencyKey);
  const second = await api.createExport(key, { job_id: jobId, format: "csv" }, idempotencyKey);
  const other = await api.createExport(key, { job_id: jobId, format: "json" }, idempotencyKey);

  assert.equal(second.status, 200);
  assert.equal(second.body["data"].id, first.body["data"].id);
  assert.equal(second.headers.get("idempotent-replayed"), "true");
  assert.equal(other.status, 422);
  const listed = await api.call("/api/v1/exports", { key });
  assert.equal(listed.body["data"].length, 1);
});

test("twins that arrive together create one export", async (t) => {
  const api = await startExports(t, { source: steadySource() });
  const worker = api.givenWorker();
  const { text: key } = await api.givenKey({ environment: "live" });
  const jobId = await api.givenJob(key);
  await worker.stop();
  const idempotencyKey = newUuid();

  const answers = await Promise.all(
    Array.from({ length: 8 }, () => api.createExport(key, { job_id: jobId, format: "csv" }, idempotencyKey)),
  );

  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [202]);
  assert.equal(new Set(answers.map(({ body }) => body["data"].id)).size, 1);
});

test("bad requests are refused with a sentence", async (t) => {
  const api = await startExports(t);
  const { text: key } = await api.givenKey();
  const jobId = await api.givenJob(key);
  const ids = Array.from({ length: 101 }, () => newId("job"));
  const cases: [object, string][] = [
    [{ job_id: jobId, format: "pdf" }, "invalid_request"],
    [{ job_id: jobId }, "invalid_request"],
    [{ format: "csv" }, "invalid_request"],
    [{ job_id: jobId, job_ids: [jobId], format: "csv" }, "invalid_request"],
    [{ job_ids: [], format: "csv" }, "invalid_request"],
    [{ job_ids: ids, format: "csv" }, "invalid_request"],
    [{ job_ids: [jobId, jobId], format: "csv" }, "invalid_request"],
    [{ job_id: jobId, format: "csv", sheets: ["name"] }, "invalid_request"],
    [{ job_id: "job_nonsense", format: "csv" }, "not_found"],
    [{ job_ids: [jobId, "x"], format: "csv" }, "not_found"],
    [{ collection_id: "", format: "csv" }, "not_found"],
    [{ job_id: newId("job"), format: "csv" }, "not_found"],
    [{ job_ids: [jobId, newId("job")], format: "csv" }, "not_found"],
    [{ collection_id: newId("col"), format: "csv" }, "not_found"],
    [{ job_id: jobId, format: "csv", webhook_endpoint_id: newId("whe") }, "live_key_required"],
  ];

  for (const [json, code] of cases) {
    const { body } = await api.createExport(key, json);
    assert.equal(body["error"]?.code, code, JSON.stringify(json));
    assert.ok(body["error"].message.length > 20);
  }
  const keyless = await api.call("/api/v1/exports", { key, json: { job_id: jobId, format: "csv" } });
  assert.equal(keyless.status, 400);
  const unknown = await api.createExport(key, { job_ids: ids.slice(0, 100), format: "csv" });
  assert.equal(unknown.status, 404);
  assert.match(unknown.body["error"].message, /^At least one of the 100 jobs is not there to be exported; /);
});

test("a job with nothing stored cannot be exported", async (t) => {
  const api = await startExports(t);
  const { text: key } = await api.givenKey();
  const jobId = await api.givenJob(key, { q: "test:empty" });

  const { status, body } = await api.createExport(key, { job_id: jobId, format: "csv" });

  assert.equal(status, 409);
  assert.equal(body["error"].code, "state_conflict");
  assert.match(body["error"].message, /what has ended without any stays empty/);
});

// 404 and not 403: a 403 would confirm to one organization that another's id exists.
test("another organization's or environment's jobs and exports do not exist", async (t) => {
  const api = await startExports(t);
  const { data, jobId } = await api.givenExport();
  const stranger = await api.givenKey();
  const live = await api.givenKey({ environment: "live" });

  for (const { text: key } of [stranger, live]) {
    assert.equal((await api.readExport(key, data.id)).status, 404);
    assert.equal((await api.createExport(key, { job_id: jobId, format: "csv" })).status, 404);
    assert.deepEqual((await api.call("/api/v1/exports", { key })).body["data"], []);
  }
});

test("exports are listed newest first, a page at a time", async (t) => {
  const api = await startExports(t);
  const { key, jobId, data: first } = await api.givenExport();
  const second = (await api.createExport(key, { job_id: jobId, format: "json" })).body["data"];

  const page = await api.call("/api/v1/exports?limit=1", { key });
  const next = await api.call(`/api/v1/exports?limit=1&cursor=${page.body["pagination"].next_cursor}`, { key });

  assert.equal(page.body["data"][0].id, second.id);
  assert.equal(next.body["data"][0].id, first.id);
  assert.equal(next.body["pagination"].next_cursor, null);
});

test("scopes: exports:write creates, exports:read reads", async (t) => {
  const api = await startExports(t);
  const { key, jobId, data } = await api.givenExport();
  const organizationId = (await api.verifier.verify(key))?.principal.organizationId ?? "";
  const reader = await api.givenKey({ organizationId, scopes: ["exports:read"] });
  const writer = await api.givenKey({ organizationId, scopes: ["exports:write"] });

  assert.equal((await api.readExport(reader.text, data.id)).status, 200);
  assert.equal((await api.readExport(writer.text, data.id)).status, 403);
  assert.equal((await api.createExport(writer.text, { job_id: jobId, format: "csv" })).status, 200);
  assert.equal((await api.createExport(reader.text, { job_id: jobId, format: "csv" })).status, 403);
});
