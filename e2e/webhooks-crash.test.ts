import assert from "node:assert/strict";
import { test } from "node:test";
import { silentLog } from "../server/src/platform/log.ts";
import { createDatabase } from "../server/src/platform/postgres/database.ts";
import { sql } from "../server/src/platform/postgres/sql.ts";
import { defer } from "../server/test/defer.ts";
import { accept } from "../server/test/webhook-receiver.ts";
import { startService } from "./service.ts";
import { assertGenuine, call, liveKeyIn, setUp } from "./webhook-stage.ts";

const eventsTotal = 8;
const takenOverSeconds = 15;

test("what a killed process was sending leaves another within 15 seconds, and nothing is lost", async (t) => {
  const { receiver, environment } = await setUp(t);
  const doomed = await startService(t, environment);
  const survivor = await startService(t, environment);
  const key = liveKeyIn(doomed.output);
  const connection = { url: environment.DATABASE_URL };
  const db = createDatabase({ connection, connectionsMax: 1, log: silentLog });
  defer(t, () => db.end());
  const { body } = await call(doomed.address, key, "POST", "/webhook-endpoints", {
    url: receiver.url,
    event_types: ["scrape.completed"],
  });
  const { id, secret } = body["data"];
  receiver.answer = () => undefined;
  survivor.child.kill("SIGSTOP"); // so that the doomed one claims
  const sent: string[] = [];
  for (let count = 0; count < eventsTotal; count += 1) {
    const { body: delivery } = await call(doomed.address, key, "POST", `/webhook-endpoints/${id}/test`);
    sent.push(delivery["data"].event_id);
  }
  await receiver.until(() => receiver.received.length > 0);

  const heldBefore = receiver.received.length;
  receiver.answer = accept;
  await doomed.end("SIGKILL");
  const { rows: leases } = await db.query<{ seconds: number }>(sql`
    select extract(epoch from max(lease_until) - now())::float as seconds
    from webhook_deliveries
  `);
  survivor.child.kill("SIGCONT");
  const idsSince = () => new Set(receiver.received.slice(heldBefore).map(({ body: event }) => event["id"] as string));
  await receiver.until(() => idsSince().size === eventsTotal);

  const [left = { seconds: Number.NaN }] = leases;
  assert.ok(left.seconds < takenOverSeconds, `${left.seconds} s`);
  assert.deepEqual([...idsSince()].toSorted(), sent.toSorted());
  for (const received of receiver.received) assertGenuine(received, secret);
  let shown = await call(survivor.address, key, "GET", `/webhook-endpoints/${id}/deliveries`);
  while (shown.body["data"].some(({ status }: { status: string }) => status === "pending")) {
    shown = await call(survivor.address, key, "GET", `/webhook-endpoints/${id}/deliveries`);
  }
  assert.ok(shown.body["data"].every(({ status }: { status: string }) => status === "delivered"));
});
