import assert from "node:assert/strict";
import { test } from "node:test";
import { answer, startScripted } from "../../sdk/test/scripted-server.ts";
import { startWaypost, waypost } from "./waypost.ts";

const id = `job_${"0".repeat(26)}`;
const progress = { completed_queries: 0, total_queries: 1 };
const job = (status: string) =>
  answer({ id, status, operation: "places.search", created_at: "2026-09-22T00:00:00.000Z", progress });

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
  assert.match(error, new RegExp(`\`waypost jobs wait ${id}\` waits again.*\nInterrupted\\.`));
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
