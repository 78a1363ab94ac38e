import assert from "node:assert/strict";
import { test } from "node:test";
import { answer, refuse, startScripted } from "../../sdk/test/scripted-server.ts";
import { startWaypost, waypost } from "./waypost.ts";

const id = `job_${"0".repeat(26)}`;
const progress = { completed_queries: 0, total_queries: 1 };
const job = (status: string) =>
  answer({
    id,
    status,
    operation: "places.search",
    created_at: "2026-09-22T00:00:00.000Z",
    progress,
    input: { q: "coffee in Vaduz" },
    result_count: 20,
  });

test("a job is shown with what it looks for and how much it found, alone and in the list", async (t) => {
  const { baseUrl } = await startScripted(t, job("succeeded"));
  const list = await startScripted(t, (response) =>
    response.end(
      JSON.stringify({
        data: [
          { id, status: "succeeded", input: { q: "coffee in Vaduz" }, result_count: 20, created_at: "2026-09-22" },
        ],
        pagination: { next_cursor: null },
      }),
    ),
  );
  const environment = { WAYPOST_API_KEY: "svc_test_x" };

  const shown = await waypost(["jobs", "show", id], { ...environment, WAYPOST_URL: baseUrl });
  const listed = await waypost(["jobs"], { ...environment, WAYPOST_URL: list.baseUrl });

  assert.match(shown.out, /^Query +coffee in Vaduz\n.*^Found +20$/ms);
  assert.match(listed.out, /^ID +STATUS +QUERY +FOUND +CREATED +ERROR\n.* coffee in Vaduz +20 /);
});

test("an empty page says how its question was read", async (t) => {
  const reading = 'Cafe; not understood: "flummery"';
  const facts = { id, status: "succeeded", progress, input: { q: "x" }, created_at: "2026-09-22" };
  const searched = answer(
    { total: 0, businesses: [], simulated: false },
    { "X-SVC-Query-Reading": '%"Cafe; not understood: %22flummery%22"' },
  );
  const { baseUrl } = await startScripted(t, answer({ ...facts, result_count: 0, query_reading: reading }), searched);
  const environment = { WAYPOST_API_KEY: "svc_live_x", WAYPOST_URL: baseUrl };

  const shown = await waypost(["jobs", "show", id], environment);
  const found = await waypost(["search", "cafe", "flummery"], environment);

  assert.match(shown.out, /^Read as +Cafe; not understood: "flummery"$/m);
  assert.equal(found.out, `No businesses.\n\nThe question was read as: ${reading}\n`);
});

test("Ctrl-C ends a wait with 130, and says how to come back to the job", async (t) => {
  const { baseUrl } = await startScripted(t, job("queued"), job("running"));
  const environment = { WAYPOST_URL: baseUrl, WAYPOST_API_KEY: "svc_test_x" };
  const child = startWaypost(["scrape", "coffee", "--wait"], environment);
  t.after(() => child.kill("SIGKILL"));
  let error = "";
  // Once: a second Ctrl-C ends the process at once.
  child.stderr.once("data", () => child.kill("SIGINT")).on("data", (chunk) => (error += String(chunk)));

  const code = await new Promise((resolve) => child.on("close", resolve));

  assert.equal(code, 130);
  assert.match(error, new RegExp(`^${id} {2}running {2}0 of 1 pages\n`));
  assert.match(error, new RegExp(`\nInterrupted\\..*\n {2}The job goes on: \`waypost jobs wait ${id}\` waits again`));
});

test("a job that ends otherwise than well, or not in time, is told by the exit code", async (t) => {
  const ends = { succeeded: 0, partial: 6, failed: 6, canceled: 6, running: 6 };
  for (const [status, expected] of Object.entries(ends)) {
    const { baseUrl } = await startScripted(t, job(status));
    const environment = { WAYPOST_URL: baseUrl, WAYPOST_API_KEY: "svc_test_x" };

    const { code, error } = await waypost(["jobs", "wait", id, "--timeout", "0"], environment);

    assert.equal(code, expected, status);
    assert.equal(error.includes("The job goes on"), status === "running");
  }
});

test("a job is canceled under an Idempotency-Key, and created under the one that was given", async (t) => {
  const { baseUrl, seen } = await startScripted(t, job("canceled"));
  const environment = { WAYPOST_URL: baseUrl, WAYPOST_API_KEY: "svc_test_x" };

  const canceled = await waypost(["jobs", "cancel", id, "--json"], environment);
  await waypost(["scrape", "coffee", "--idempotency-key", "mine-and-no-others"], environment);
  const short = await waypost(["scrape", "coffee", "--idempotency-key", "short"], environment);

  assert.equal(JSON.parse(canceled.out).status, "canceled");
  assert.equal(seen[0]?.url, `/api/v1/scrapes/${id}/cancel`);
  assert.match(String(seen[0]?.headers["idempotency-key"]), /^\S{16,}$/);
  assert.equal(seen[1]?.headers["idempotency-key"], "mine-and-no-others");
  assert.equal(short.code, 2);
  assert.equal(seen.length, 2);
});

test("a wait ends when it says although nobody answers, and speaks of the options of the command line", async (t) => {
  const { baseUrl } = await startScripted(t, () => undefined);
  const environment = { WAYPOST_URL: baseUrl, WAYPOST_API_KEY: "svc_test_x" };

  const { code, error } = await waypost(["jobs", "wait", id, "--timeout", "1"], environment);

  assert.deepEqual([code, error], [6, "How it stands could not be read within 1000 ms; wait again.\n"]);
});

test("only what is there is said to go on", async (t) => {
  const { baseUrl } = await startScripted(t, refuse(404, "not_found", false));
  const environment = { WAYPOST_URL: baseUrl, WAYPOST_API_KEY: "svc_test_x" };
  const unknown = (prefix: string) => `${prefix}_${"0".repeat(26)}`;

  for (const words of [
    ["jobs", "wait", unknown("job")],
    ["exports", "download", unknown("exp")],
    ["collections", "follow", unknown("col")],
  ]) {
    const { code, error } = await waypost(words, environment);
    assert.deepEqual(
      [code, error],
      [4, "It is not_found.\n  /q: a rule\n  not_found, request req_2\n"],
      words.join(" "),
    );
  }
});

test("with --json standard error is the error alone, which says how to come back to the job", async (t) => {
  const { baseUrl } = await startScripted(t, job("queued"), job("running"));
  const gone = await startScripted(t, refuse(404, "not_found", false));
  const environment = { WAYPOST_URL: baseUrl, WAYPOST_API_KEY: "svc_test_x" };

  const late = await waypost(["scrape", "test:slow", "--wait", "--timeout", "1", "--json"], environment);
  const unknown = await waypost(["jobs", "wait", id, "--json"], { ...environment, WAYPOST_URL: gone.baseUrl });

  assert.equal(late.code, 6);
  const { error } = JSON.parse(late.error);
  assert.equal(error.code, "wait_timed_out");
  assert.equal(error.message, "It has not ended within 1000 ms and goes on; wait again.");
  assert.match(error.details.join(), new RegExp(`\`waypost jobs wait ${id}\` waits again`));
  assert.equal(JSON.parse(unknown.error).error.code, "not_found");
  assert.deepEqual([late.out, unknown.out], ["", ""]);
});

test("a job whose records cannot be read is named, since it is paid for", async (t) => {
  const { baseUrl } = await startScripted(t, job("queued"), job("succeeded"), refuse(403, "insufficient_scope", false));
  const environment = { WAYPOST_URL: baseUrl, WAYPOST_API_KEY: "svc_test_x" };

  const { code, error } = await waypost(["scrape", "coffee", "--wait"], environment);

  assert.equal(code, 3);
  assert.match(error, new RegExp(`\`waypost results ${id}\` reads what it stored`));
});
