import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { verifyWebhook } from "@waypost/sdk";
import { Webhook } from "standardwebhooks";
import { type Answer, type Seen, startScripted } from "../../sdk/test/scripted-server.ts";
import { startWaypost, waypost } from "./waypost.ts";

const secret = () => `whsec_${randomBytes(32).toString("base64")}`;
const [first, second] = [secret(), secret()];

const stream = (own: string, ...ids: string[]) => {
  const frames = ids.map((id) => {
    const data = { job_id: `job_${id}` };
    const body = JSON.stringify({ id, type: "scrape.started", created_at: "2026-09-22T00:00:00.000Z", data });
    const headers = {
      "Content-Type": "application/json",
      "X-SVC-Event-Id": id,
      "webhook-id": id,
      "X-SVC-Sequence": "1",
    };
    return `id: ${id}\nevent: scrape.started\ndata: ${JSON.stringify({ headers, body })}\n\n`;
  });
  return `event: stream.opened\ndata: ${JSON.stringify({ secret: own })}\n\n${frames.join("")}`;
};
const endless =
  (text: string): Answer =>
  (response) =>
    void response.writeHead(200, { "Content-Type": "text/event-stream" }).write(text);
const ending =
  (text: string): Answer =>
  (response) =>
    void response.writeHead(200, { "Content-Type": "text/event-stream" }).end(text);

test("events are forwarded as deliveries, signed with the one secret that was printed, over a reconnection too", async (t) => {
  const { baseUrl, seen } = await startScripted(t, ending(stream(first, "a")), endless(stream(second, "b")));
  const local = await startScripted(t, (response) => response.writeHead(204).end());
  const environment = { WAYPOST_URL: baseUrl, WAYPOST_API_KEY: "svc_live_x" };
  const child = startWaypost(["webhooks", "listen", "--forward-to", `${local.baseUrl}/hook`], environment);
  t.after(() => child.kill("SIGKILL"));
  let out = "";
  child.stdout.on("data", (chunk) => {
    out += String(chunk);
    if (out.includes("job_b")) child.kill("SIGINT");
  });

  const code = await new Promise((resolve) => child.on("close", resolve));

  assert.equal(code, 0);
  assert.match(out, new RegExp(`^Forwarding events to ${local.baseUrl}/hook\\.`));
  assert.ok(out.includes(`signed with ${first}`) && !out.includes(second));
  assert.match(out, /scrape\.started {2}job_a {2}204\n.*scrape\.started {2}job_b {2}204\n/);
  assert.equal(seen[1]?.headers["last-event-id"], "a");
  assert.equal(local.seen.length, 2);
  for (const call of local.seen) await assertGenuine(call);
});

async function assertGenuine({ url, method, headers, body }: Seen) {
  assert.deepEqual([method, url, headers["x-svc-sequence"]], ["POST", "/hook", "1"]);
  const event = await verifyWebhook(body, headers, first);
  assert.equal(headers["x-svc-event-id"], event.id);
  const trio = Object.fromEntries(
    ["id", "timestamp", "signature"].map((name) => [`webhook-${name}`, String(headers[`webhook-${name}`])]),
  );
  assert.deepEqual(new Webhook(first).verify(body, trio), event);
}

test("a program that is not there is said on the event's line, and the listening goes on", async (t) => {
  const { baseUrl } = await startScripted(t, endless(stream(first, "a", "b")));
  const environment = { WAYPOST_URL: baseUrl, WAYPOST_API_KEY: "svc_live_x" };
  const child = startWaypost(["webhooks", "listen", "--forward-to", "http://127.0.0.1:1/hook"], environment);
  t.after(() => child.kill("SIGKILL"));
  let out = "";
  child.stdout.on("data", (chunk) => {
    out += String(chunk);
    if (out.includes("job_b")) child.kill("SIGINT");
  });

  assert.equal(await new Promise((resolve) => child.on("close", resolve)), 0);
  assert.match(out, /job_a {2}failed: .*\n.*job_b {2}failed: /);
});

test("what cannot be listened to, or forwarded to, is refused", async (t) => {
  const { baseUrl } = await startScripted(t, (response) =>
    response.writeHead(403).end(
      JSON.stringify({
        error: { code: "live_key_required", message: "Use a live key.", details: [], retryable: false },
      }),
    ),
  );
  const environment = { WAYPOST_URL: baseUrl, WAYPOST_API_KEY: "svc_test_x" };

  const denied = await waypost(["webhooks", "listen"], environment);
  const wrong = await waypost(["webhooks", "listen", "--forward-to", "localhost:3000"], environment);

  assert.deepEqual([denied.code, denied.error], [3, "Use a live key.\n"]);
  assert.equal(wrong.code, 2);
  assert.match(wrong.error, /^--forward-to takes an http or https address/);
});
