import assert from "node:assert/strict";
import { test } from "node:test";
import { aPlace } from "../../../test/place.ts";
import { playedSource, startScrapes } from "../../../test/scrapes.ts";
import { newId } from "../../platform/ids.ts";

test("stored results are read page by page, each once, in the order they were found", async (t) => {
  const api = await startScrapes(t);
  const { text: key } = await api.givenKey();
  const { id } = (await api.create(key)).body["data"];
  const whole = (await api.results(key, id, "?limit=100")).body["data"];

  const pages = [];
  let cursor: string | null = null;
  do {
    const query: string = cursor === null ? "?limit=6" : `?limit=6&cursor=${cursor}`;
    const { data } = (await api.results(key, id, query)).body;
    pages.push(data.records);
    cursor = data.next_cursor;
  } while (cursor !== null);

  assert.equal(whole.records.length, 20);
  assert.equal(whole.is_complete, true);
  assert.equal(whole.next_cursor, null);
  assert.deepEqual(
    pages.map((records) => records.length),
    [6, 6, 6, 2],
  );
  assert.deepEqual(pages.flat(), whole.records);
});

test("a page that ends exactly where the results end is the last", async (t) => {
  const api = await startScrapes(t);
  const { text: key } = await api.givenKey();
  const { id } = (await api.create(key)).body["data"];

  const { data } = (await api.results(key, id, "?limit=20")).body;

  assert.equal(data.records.length, 20);
  assert.equal(data.next_cursor, null);
});

test("a cursor of a running job reads on when more has been stored", async (t) => {
  const played = playedSource();
  const api = await startScrapes(t, { source: played.source });
  const { text: key } = await api.givenKey({ environment: "live" });
  api.givenWorker();
  const { id } = (await api.create(key)).body["data"];
  const { answer } = await played.called(1);

  const early = (await api.results(key, id)).body["data"];
  answer.resolve([aPlace(), aPlace()]);
  await api.ended(key, id);
  const late = (await api.results(key, id, `?cursor=${early.next_cursor}`)).body["data"];
  const again = (await api.results(key, id, `?cursor=${early.next_cursor}&limit=1`)).body["data"];

  assert.deepEqual([early.records, early.job_status, early.is_complete], [[], "running", false]);
  assert.equal(late.records.length, 2);
  assert.equal(late.next_cursor, null);
  assert.deepEqual(again.records, late.records.slice(0, 1));
});

for (const [query, status] of [
  ["limit=0", 400],
  ["limit=1", 200],
  ["limit=100", 200],
  ["limit=101", 400],
  ["limit=-1", 400],
  ["limit=1.5", 400],
  ["limit=1e1", 400],
  ["limit=05", 400],
  ["limit=", 400],
  ["limit=5&limit=6", 400],
  ["cursor=", 400],
  ["cursor=AAAA", 400],
  ["offset=1", 400],
] as const) {
  test(`results with ?${query} are answered with ${status}`, async (t) => {
    const api = await startScrapes(t);
    const { text: key } = await api.givenKey();
    const { id } = (await api.create(key)).body["data"];

    const answer = await api.results(key, id, `?${query}`);

    assert.equal(answer.status, status);
    if (status === 400) assert.equal(answer.body["error"].code, "invalid_request");
  });
}

test("25 records are a page when no limit is given", async (t) => {
  const api = await startScrapes(t);
  const { text: key } = await api.givenKey();
  await Promise.all(Array.from({ length: 26 }, () => api.create(key)));

  const { body } = await api.call("/api/v1/scrapes", { key });

  assert.equal(body["data"].length, 25);
});

test("a cursor that was changed, or belongs to another job or list, is refused", async (t) => {
  const api = await startScrapes(t);
  const { text: key } = await api.givenKey();
  const [one, two] = [(await api.create(key)).body["data"].id, (await api.create(key)).body["data"].id];
  const cursor: string = (await api.results(key, one, "?limit=5")).body["data"].next_cursor;
  const listCursor: string = (await api.call("/api/v1/scrapes?limit=1", { key })).body["pagination"].next_cursor;

  const changed = Array.from(cursor, (character, at) =>
    [cursor.slice(0, at), character === "A" ? "B" : "A", cursor.slice(at + 1)].join(""),
  );
  const foreign = [
    ...(await Promise.all(changed.map((each) => api.results(key, one, `?cursor=${each}`)))),
    await api.results(key, two, `?cursor=${cursor}`),
    await api.results(key, one, `?cursor=${listCursor}`),
    await api.call(`/api/v1/scrapes?cursor=${cursor}`, { key }),
    await api.call(`/api/v1/scrapes?status=failed&cursor=${listCursor}`, { key }),
    await api.results(key, one, `?cursor=${cursor}=`),
  ];

  assert.equal((await api.results(key, one, `?cursor=${cursor}`)).status, 200);
  for (const { status, body } of foreign) {
    assert.equal(status, 400);
    assert.equal(body["error"].code, "invalid_request");
  }
});

test("jobs are listed newest first, by status if asked, and stay in place while others are made", async (t) => {
  const api = await startScrapes(t);
  const { text: key } = await api.givenKey();
  const ids: string[] = [];
  for (const q of ["coffee", "test:failed", "tea", "test:failed again", "milk"]) {
    ids.unshift((await api.create(key, { q })).body["data"].id);
  }
  const list = async (query: string) => (await api.call(`/api/v1/scrapes${query}`, { key })).body;

  const first = await list("?limit=2");
  await api.create(key);
  const second = await list(`?limit=2&cursor=${first["pagination"].next_cursor}`);
  const third = await list(`?limit=2&cursor=${second["pagination"].next_cursor}`);
  const failed = await list("?status=failed");

  const idsOf = (body: Record<string, any>) => body["data"].map(({ id }: { id: string }) => id);
  assert.deepEqual([idsOf(first), idsOf(second), idsOf(third)].flat(), ids);
  assert.equal(third["pagination"].next_cursor, null);
  assert.deepEqual(idsOf(failed), [ids[1], ids[3]]);
  assert.equal((await api.call("/api/v1/scrapes?status=finished", { key })).status, 400);
});

// 404 and not 403: a 403 would confirm to one organization that another's id exists.
test("a job does not exist for other organizations, nor for the other environment's keys", async (t) => {
  const api = await startScrapes(t);
  const { text: key, organizationId } = await api.givenKey();
  const others = [await api.givenKey(), await api.givenKey({ organizationId, environment: "live" })];
  const { id: jobId } = (await api.create(key)).body["data"];

  for (const { text } of others) {
    const answers = [await api.read(text, jobId), await api.results(text, jobId), await api.cancel(text, jobId)];
    for (const { status, body } of answers) {
      assert.equal(status, 404);
      assert.equal(body["error"].code, "not_found");
    }
    assert.deepEqual((await api.call("/api/v1/scrapes", { key: text })).body["data"], []);
  }
  const unknown = newId("job");
  for (const id of [unknown, "job_1", "nonsense", unknown.toUpperCase(), `job_${"z".repeat(26)}`]) {
    const answers = [await api.read(key, id), await api.results(key, id), await api.cancel(key, id)];
    for (const { status, body } of answers) {
      assert.equal(status, 404, id);
      assert.deepEqual(body["error"], {
        ...answers[0]?.body["error"],
        code: "not_found",
        details: [],
      });
    }
  }
});

// Reads that come at once share a statement.
test("of many reads at once each gets its own job, and nobody another's", async (t) => {
  const api = await startScrapes(t);
  const keys = [(await api.givenKey()).text, (await api.givenKey()).text];
  const jobs = await Promise.all(
    Array.from({ length: 20 }, async (_, index) => {
      const owner = keys[index % 2] ?? "";
      return { owner, id: (await api.create(owner)).body["data"].id as string };
    }),
  );

  const answers = await Promise.all(
    jobs.flatMap((job) => keys.map(async (key) => ({ key, job, answer: await api.read(key, job.id) }))),
  );

  for (const { key, job, answer } of answers) {
    assert.equal(answer.status, key === job.owner ? 200 : 404);
    if (key === job.owner) assert.equal(answer.body["data"].id, job.id);
  }
});

test("each route asks for its own scope", async (t) => {
  const api = await startScrapes(t);
  const { text: key, organizationId } = await api.givenKey();
  const { id } = (await api.create(key)).body["data"];
  const only = async (scope: "scrapes:write" | "scrapes:read" | "datasets:read") =>
    (await api.givenKey({ organizationId, scopes: [scope] })).text;

  const [writer, reader, analyst] = [
    await only("scrapes:write"),
    await only("scrapes:read"),
    await only("datasets:read"),
  ];
  const statuses = async (asked: string) => [
    (await api.create(asked)).status,
    (await api.call("/api/v1/scrapes", { key: asked })).status,
    (await api.read(asked, id)).status,
    (await api.results(asked, id)).status,
    (await api.cancel(asked, id)).status,
  ];

  assert.deepEqual(await statuses(writer), [200, 403, 403, 403, 200]);
  assert.deepEqual(await statuses(reader), [403, 200, 200, 403, 403]);
  assert.deepEqual(await statuses(analyst), [403, 403, 403, 200, 403]);
});
