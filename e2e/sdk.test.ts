import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createHmac } from "node:crypto";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { type Waypost, verifyWebhook } from "@waypost/sdk";
import { defer } from "../server/test/defer.ts";
import { newDataFolder, root, run, until } from "./service.ts";
import { q, startCatalogStage } from "./catalog-stage.ts";

test("a live job through the SDK: its webhooks are verified, its deliveries listed and sent again", async (t) => {
  const { receiver, live } = await startCatalogStage(t);
  const endpoint = await live.webhooks.create({
    url: receiver.url,
    event_types: ["scrape.started", "scrape.completed"],
  });

  const input = { q, ll: "@47.141,9.521,14z", webhook_endpoint_id: endpoint.id };
  const job = await live.scrapes.create({ input });
  const ended = await live.scrapes.wait(job.id);
  const names: (string | null)[] = [];
  for await (const business of live.scrapes.results(job.id, { limit: 1 })) names.push(business.place.name);
  await receiver.until(() => receiver.received.length >= 2);

  assert.equal(ended.status, "succeeded");
  assert.deepEqual(new Set(names), new Set(["Probe Espresso", "Probe Mokka"]));
  assert.equal(names.length, 2);
  const events = await Promise.all(
    receiver.received.map((each) => verifyWebhook(each.raw, each.headers, endpoint.secret)),
  );
  assert.deepEqual(
    events.map((event) => [event.type, "job_id" in event.data && event.data.job_id]),
    [
      ["scrape.started", job.id],
      ["scrape.completed", job.id],
    ],
  );

  const rotated = await live.webhooks.rotateSecret(endpoint.id);
  await live.webhooks.sendTest(endpoint.id);
  await receiver.until(() => receiver.received.length >= 3);
  const tested = receiver.received[2];
  assert.ok(tested);
  const secrets = [rotated.secret, endpoint.secret];
  assert.equal((await verifyWebhook(tested.raw, tested.headers, secrets)).type, "webhook.test");
  await assert.rejects(verifyWebhook(tested.raw, tested.headers, endpoint.secret), { reason: "wrong_signature" });

  await until(async () => (await live.webhooks.deliveries(endpoint.id).page()).data.every((each) => each.finished_at));
  const deliveries = [];
  for await (const delivery of live.webhooks.deliveries(endpoint.id, { limit: 1 })) deliveries.push(delivery);
  assert.equal(deliveries.length, 3);
  await live.webhooks.resend(deliveries[0]?.id ?? "");
  await receiver.until(() => receiver.received.length >= 4);

  const paused = await live.webhooks.update(endpoint.id, { status: "paused" });
  assert.equal(paused.status, "paused");
  await assert.rejects(live.webhooks.sendTest(endpoint.id), { code: "state_conflict" });
  assert.deepEqual(await live.webhooks.remove(endpoint.id), { id: endpoint.id, deleted: true });
  await assert.rejects(live.webhooks.get(endpoint.id), { code: "not_found" });
  assert.deepEqual((await live.webhooks.list().page()).data, []);
});

test("every example of the SDK runs", async (t) => {
  const { receiver, address, liveKey, testKey, live } = await startCatalogStage(t);
  const folder = await newDataFolder(t);
  const secret = "whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=";
  const expected: Record<string, RegExp> = {
    "search.ts": /^20 businesses\n[0-9a-f-]{36} \S/,
    "scrape.ts": /^created job_\w+\nsucceeded\n1 \S/,
    "collect.ts": /^succeeded \d+ of \d+ cells\nsucceeded: \d+ businesses for 0 units\n$/,
    "export.ts": /^20 rows, \d+ bytes in \/.*\.xlsx\n$/,
    "list-and-cancel.ts": /^job_\w+ canceled\n$/,
    "handle-errors.ts": /^correct the request: .*\/q/,
    "webhook-endpoint.ts": /^whe_\w+: keep its secret, whsec_\S+; .*\n(.*\n)*webhook\.test \w+\n/,
    "follow-events.ts": /^listening\nscrape\.\w+ [0-9a-f-]{36}\n/,
    "receive-webhook.ts": /listening .*\njob_1 succeeded 20\n/s,
  };
  assert.deepEqual((await readdir(join(root, "sdk/examples"))).sort(), Object.keys(expected).sort());

  for (const [file, output] of Object.entries(expected)) {
    const program = join(root, "sdk/examples", file);
    const environment = { WAYPOST_URL: address, WAYPOST_API_KEY: file === "webhook-endpoint.ts" ? liveKey : testKey };
    if (file === "receive-webhook.ts") {
      assert.match(await receive(t, program, secret), output);
    } else if (file === "follow-events.ts") {
      assert.match(await follow(t, program, { ...environment, WAYPOST_API_KEY: liveKey }, live), output);
    } else {
      const { code, stdout, stderr } = await run(process.execPath, [program], {
        ...environment,
        RECEIVER_URL: receiver.url,
        EXPORT_PATH: join(folder, "businesses.xlsx"),
      });
      assert.equal(code, 0, `${file}: ${stderr}`);
      assert.match(stdout, output, file);
    }
  }
});

/** Starts the following example, creates a job while it listens, and stops it; resolves to what it says. */
async function follow(t: TestContext, program: string, environment: Record<string, string>, live: Waypost) {
  const env = { PATH: process.env["PATH"], ...environment };
  const child = spawn(process.execPath, [program], { env, stdio: ["ignore", "pipe", "inherit"] });
  defer(t, () => child.kill("SIGKILL"));
  let said = "";
  child.stdout.on("data", (chunk) => (said += String(chunk)));
  await until(() => said.includes("listening"));
  await live.scrapes.create({ input: { q, ll: "@47.141,9.521,14z" } });
  await until(() => said.includes("scrape."));
  child.kill("SIGINT");
  assert.equal(await new Promise((resolve) => child.on("close", resolve)), 0);
  return said;
}

/** Starts the receiving example, sends it a forged delivery and the same genuine one twice; resolves to what it says. */
async function receive(t: TestContext, program: string, secret: string): Promise<string> {
  const env = { PATH: process.env["PATH"], PORT: "0", WAYPOST_WEBHOOK_SECRET: `whsec_new ${secret}` };
  const child = spawn(process.execPath, [program], { env, stdio: ["ignore", "pipe", "inherit"] });
  defer(t, () => child.kill());
  let said = "";
  child.stdout.on("data", (chunk) => (said += String(chunk)));
  await until(() => /port: \d+/.test(said));
  const url = `http://127.0.0.1:${/port: (\d+)/.exec(said)?.[1]}/`;
  const data = { job_id: "job_1", status: "succeeded", result_count: 20 };
  const body = JSON.stringify({ id: "0199", type: "scrape.completed", data });
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const signature = createHmac("sha256", secret).update(`${timestamp}.${body}`).digest("hex");
  const post = (hex: string) => {
    const headers = { "X-SVC-Timestamp": timestamp, "X-SVC-Signature": `v1=${hex}` };
    return fetch(url, { method: "POST", body, headers });
  };

  assert.equal((await post("0".repeat(64))).status, 400);
  assert.equal((await post(signature)).status, 204);
  assert.equal((await post(signature)).status, 204);
  await until(() => said.includes("job_1"));
  child.kill();
  return said;
}
