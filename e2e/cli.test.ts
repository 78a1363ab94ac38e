import assert from "node:assert/strict";
import { chmod, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { verifyWebhook } from "@waypost/sdk";
import { startWaypost, waypost } from "../cli/test/waypost.ts";
import { startScripted } from "../sdk/test/scripted-server.ts";
import { defer } from "../server/test/defer.ts";
import { newDataFolder, startService, until } from "./service.ts";
import { liveKeyIn, setUp } from "./webhook-stage.ts";

test("the client's commands on a real service", async (t) => {
  const stage = await startStage(t);
  await t.test("login stores a key in a file of one's own, and logout removes it", () => logsIn(stage));
  await t.test("a search is printed as a table, as JSON and as CSV", () => searches(stage));
  await t.test("a job is created, waited for, listed and read, and its end is the exit code", () => runsJobs(stage));
  await t.test("the results of a job are exported to a file", () => exportsResults(stage));
  await t.test("events reach a program on this machine, signed with the secret that was printed", (each) =>
    listens(each, stage),
  );
  await t.test("webhook endpoints are made, tested, rotated, paused and deleted", () => managesWebhooks(stage));
});

type Stage = Awaited<ReturnType<typeof startStage>>;

async function startStage(t: TestContext) {
  const { receiver, environment } = await setUp(t);
  const service = await startService(t, environment);
  const home = await newDataFolder(t);
  const testKey = /svc_test_\w+/.exec(service.output)?.[0] ?? "";
  const asTest = { WAYPOST_URL: service.address, WAYPOST_API_KEY: testKey };
  const asLive = { WAYPOST_URL: service.address, WAYPOST_API_KEY: liveKeyIn(service.output) };
  return { receiver, address: service.address, home, testKey, asTest, asLive };
}

async function logsIn({ address, home, testKey }: Stage) {
  const environment = { HOME: home };
  const file = join(home, ".config/waypost/credentials.json");

  const none = await waypost(["search", "coffee"], environment);
  const wrong = await waypost(["login", "--url", address], environment, testKey.replace(/.$/, "!"));
  const unknown = await waypost(["login", "--url", address], environment, `svc_test_00000000_${"0".repeat(38)}\n`);
  await assert.rejects(stat(file), "nothing was stored");
  const stored = await waypost(["login", "--url", address], environment, `${testKey}\n`);
  const found = await waypost(["search", "coffee", "in", "Vaduz"], environment);

  assert.deepEqual([none.code, wrong.code, unknown.code, stored.code, found.code], [3, 2, 3, 0, 0], found.error);
  assert.match(none.error, /There is no API key: run `waypost login`/);
  assert.equal((await stat(file)).mode & 0o777, 0o600);
  assert.deepEqual(JSON.parse(await readFile(file, "utf8")), { url: address, apiKey: testKey });
  assert.ok(!`${stored.out}${stored.error}`.includes(testKey));

  const elsewhere = await waypost(["search", "coffee"], { ...environment, WAYPOST_URL: "http://127.0.0.1:1" });
  assert.equal(elsewhere.code, 3);
  assert.match(elsewhere.error, /The stored key is for .*, and WAYPOST_URL names http:\/\/127\.0\.0\.1:1/);
  await chmod(file, 0o644);
  const open = await waypost(["search", "coffee"], environment);
  assert.equal(open.code, 3);
  assert.match(open.error, /Others on this machine can read .*chmod 600/);

  assert.equal((await waypost(["logout"], environment)).out, "Removed the stored key.\n");
  assert.equal((await waypost(["search", "coffee"], environment)).code, 3);
}

async function searches({ asTest }: Stage) {
  const table = await waypost(["search", "coffee", "in", "Vaduz"], asTest);
  const json = await waypost(["search", "coffee", "in", "Vaduz", "--json", "--hl", "de"], asTest);
  const csv = await waypost(["search", "coffee", "in", "Vaduz", "--csv"], asTest);

  assert.match(table.out, /^NAME +CATEGORY +ADDRESS +PHONE +RATING\n/);
  assert.match(table.out, /\n\nSimulated, because the key is a test key\.\n$/);
  const data = JSON.parse(json.out);
  assert.deepEqual(data.params, { q: "coffee in Vaduz", page: 1, hl: "de", extra: false });
  assert.equal(data.businesses.length, 20);
  assert.equal(csv.out.trimEnd().split("\n").length, 21);
  const refused = await waypost(["search", "coffee", "--hl", "e"], asTest);
  assert.equal(refused.code, 2);
  assert.match(refused.error, /^--hl must .*\n {2}invalid_request, request req_/);
}

async function runsJobs({ asTest }: Stage) {
  const run = async (...words: string[]) => waypost(words, asTest);

  const waited = await run("scrape", "coffee in Vaduz", "--wait");
  const ended = await run("scrape", "coffee in Vaduz");
  const failed = await run("scrape", "test:failed", "--wait", "--json");
  const listed = JSON.parse((await run("jobs", "--json")).out).jobs as { id: string; status: string }[];
  const done = listed.at(-1)?.id ?? "";
  const results = JSON.parse((await run("results", done, "--json")).out);
  const slow = await run("scrape", "test:slow");

  assert.match(ended.out, /^Created (job_\w+), succeeded\. `waypost results \1` reads what it stored\.$/m);
  assert.match(slow.out, /^Created (job_\w+), running\. `waypost jobs wait \1` waits for its end\.$/m);
  assert.equal(waited.code, 0, waited.error);
  assert.match(waited.out, /^NAME .*\n\njob_\w+ succeeded\.\n$/s);
  assert.match(waited.error, /^job_\w+ {2}succeeded {2}1 of 1 pages\n$/);
  assert.equal(failed.code, 6);
  assert.equal(JSON.parse(failed.out).job.status, "failed");
  assert.deepEqual(
    listed.map(({ status }) => status),
    ["failed", "succeeded", "succeeded"],
  );
  assert.equal(results.records.length, 20);
  assert.equal(JSON.parse((await run("results", done, "--json", "--limit", "3")).out).records.length, 3);
  assert.match((await run("jobs", "show", done)).out, /^Id +job_/);
  assert.equal((await run("jobs", "show", `job_${"0".repeat(26)}`)).code, 4);
  assert.equal((await waypost(["jobs"], { ...asTest, WAYPOST_API_KEY: "svc_test_x" })).code, 3);
  assert.equal((await waypost(["jobs"], { ...asTest, WAYPOST_URL: "http://127.0.0.1:1" })).code, 5);
}

async function exportsResults({ asTest, home }: Stage) {
  const { job } = JSON.parse((await waypost(["scrape", "coffee in Vaduz", "--wait", "--json"], asTest)).out);
  const path = join(home, "coffee.ndjson");

  const written = await waypost(["export", job.id, "--format", "ndjson", "--output", path], asTest);
  const listed = await waypost(["exports", "--json"], asTest);

  assert.equal(written.code, 0, written.error);
  assert.match(written.out, /^Wrote .*coffee\.ndjson: 20 rows, \d+ bytes\.\n$/);
  assert.equal((await readFile(path, "utf8")).trimEnd().split("\n").length, 20);
  const [made] = JSON.parse(listed.out).exports;
  assert.deepEqual([made.status, made.job_id, made.row_count], ["ready", job.id, 20]);
  assert.equal((await waypost(["exports", "show", `exp_${"0".repeat(26)}`], asTest)).code, 4);
}

async function listens(t: TestContext, { receiver, asLive }: Stage) {
  const local = await startScripted(t, (response) => response.writeHead(204).end());
  const child = startWaypost(["webhooks", "listen", "--forward-to", `${local.baseUrl}/hook`], asLive);
  defer(t, () => child.kill("SIGKILL"));
  let out = "";
  child.stdout.on("data", (chunk) => (out += String(chunk)));
  await until(() => out.includes("signed with"));
  const created = await waypost(["webhooks", "create", receiver.url, "--json"], asLive);
  const { id } = JSON.parse(created.out);

  await waypost(["webhooks", "test", id], asLive);
  await until(() => /webhook\.test .* 204\n/.test(out));
  child.kill("SIGINT");

  assert.equal(await new Promise((resolve) => child.on("close", resolve)), 0);
  const [call] = local.seen;
  const event = await verifyWebhook(call?.body ?? "", call?.headers ?? {}, /whsec_\S+/.exec(out)?.[0] ?? "");
  assert.equal(event.type, "webhook.test");
  await waypost(["webhooks", "delete", id], asLive);
}

async function managesWebhooks({ receiver, asLive, asTest }: Stage) {
  const run = async (...words: string[]) => waypost(["webhooks", ...words], asLive);

  const created = await run("create", receiver.url, "--events", "scrape.completed,scrape.failed");
  const id = /whe_\w+/.exec(created.out)?.[0] ?? "";
  assert.match(created.out, /^whsec_\S+\n\nThis is the only time the secret is shown\./);
  assert.match((await run("test", id)).out, /^Sending dlv_/);
  await receiver.until(() => receiver.received.length >= 1);
  await until(async () => (await run("deliveries", id)).out.includes("delivered"));
  const [delivery] = JSON.parse((await run("deliveries", id, "--json")).out).deliveries;
  assert.equal((await run("resend", delivery.id)).code, 0);
  await receiver.until(() => receiver.received.length >= 2);
  assert.match((await run("rotate", id)).out, /Secret version +2/);
  assert.match((await run("update", id, "--status", "paused")).out, /Status +paused/);
  assert.equal((await run("update", id)).code, 2);
  assert.match((await run()).out, new RegExp(`^ID +STATUS +URL +EVENTS\n${id} +paused `));
  assert.equal((await run("delete", id)).out, `Deleted ${id}.\n`);
  assert.equal((await run("show", id)).code, 4);
  const denied = await waypost(["webhooks"], asTest);
  assert.equal(denied.code, 3);
}
