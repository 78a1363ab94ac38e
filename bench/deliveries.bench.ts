// Deliveries per second, beside a bare undici loop that posts the same bytes to the same receiver
// with one update each; then the same with many old deliveries in the tables.
// npm run bench -- deliveries [--events=4000] [--old=1000000]
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Pool } from "undici";
import { createDeliveryQueue } from "../server/src/domains/webhooks/index.ts";
import { silentLog } from "../server/src/platform/log.ts";
import { listenForNotifications } from "../server/src/platform/postgres/notifications.ts";
import { sql } from "../server/src/platform/postgres/sql.ts";
import { noTracing } from "../server/src/platform/tracing.ts";
import { startQueues } from "../server/src/worker/index.ts";
import { type Figure, inTurns } from "./figures.ts";
import { countPending, numberOf, openStage, type Stage } from "./webhooks/stage.ts";

const endpointCount = 8;
const patienceMs = 60_000;

export async function run(words: string[]): Promise<void> {
  const events = numberOf(words, "events", 4_000);
  const old = numberOf(words, "old", 1_000_000);
  const stages = [await openStage(), await openStage()] as const;
  const [empty, full] = stages;
  const programs = (stage: Stage) => [() => deliver(stage, events), () => postBare(stage, events)] as const;
  try {
    await givenOldDeliveries(full, old);
    for (const stage of stages) for (const warmUp of programs(stage)) await warmUp();
    tell("few rows in the tables", await inTurns(0, ...programs(empty)), "at least 0.50");
    tell(`${old} old deliveries`, await inTurns(0, ...programs(full)), "at least 0.50");
    const [[onFull], [onEmpty]] = [programs(full), programs(empty)];
    const cost = await inTurns(0, onEmpty, onFull);
    tell("deliveries without old ones beside those with them", cost, "cost at most 1.20");
  } finally {
    for (const stage of stages) await stage.close();
  }
}

function tell(name: string, { ours, theirs = 0, ratio = 0 }: Figure, promised: string) {
  console.log(`${name}: ${Math.round(ours)}/s beside ${Math.round(theirs)}/s: ${ratio.toFixed(2)} (${promised})`);
}

/** Sends as many events through a worker; resolves to deliveries per second. */
async function deliver(stage: Stage, events: number): Promise<number> {
  const { db, vault, outbound, clock, port, connection } = stage;
  for (let made = 0; made < endpointCount; made += 1) {
    await stage.givenEvents(await stage.givenEndpoint("/well"), events / endpointCount);
  }
  const notifications = listenForNotifications(connection, silentLog);
  const queue = createDeliveryQueue({ db, vault, outbound, ports: [port], notifications, clock, log: silentLog });
  const startedMs = performance.now();
  const worker = startQueues({ queues: [queue], notifications, log: silentLog, tracing: noTracing });
  while ((await countPending(db)) > 0) {
    if (performance.now() - startedMs > patienceMs) throw new Error("the events were not delivered in time");
    await sleep(20);
  }
  const seconds = (performance.now() - startedMs) / 1_000;
  await worker.stop();
  await notifications.stop();
  return events / seconds;
}

/** Posts the bodies of as many events, with as many at once as a worker has. */
async function postBare(stage: Stage, events: number): Promise<number> {
  const { db, folder, port } = stage;
  const endpoint = await stage.givenEndpoint("/well");
  await stage.givenEvents(endpoint, events);
  const { rows } = await db.query<{ id: string; body: string }>(sql`
    select deliveries.id, events.body
    from webhook_deliveries as deliveries
    join webhook_events as events on events.id = deliveries.id
    where deliveries.endpoint_id = ${endpoint.uuid}
  `);
  const ca = readFileSync(join(folder, "authority.pem"), "utf8");
  const pool = new Pool(`https://127.0.0.1:${port}`, { connections: 32, connect: { ca } });
  const startedMs = performance.now();
  await Promise.all(
    Array.from({ length: 32 }, async () => {
      for (let row = rows.pop(); row; row = rows.pop()) {
        const headers = { "content-type": "application/json" };
        const { body } = await pool.request({ path: "/well", method: "POST", body: row.body, headers });
        await body.dump();
        await db.query(sql`
          update webhook_deliveries
          set status = 'delivered', run_at = null, finished_at = now()
          where id = ${row.id}
        `);
      }
    }),
  );
  const seconds = (performance.now() - startedMs) / 1_000;
  await pool.close();
  return events / seconds;
}

/** Deliveries of long ago, each with its event and attempt. */
async function givenOldDeliveries(stage: Stage, count: number) {
  const { uuid, organizationId } = await stage.givenEndpoint("/well");
  const batch = 20_000;
  for (let made = 0; made < count; made += batch) {
    await stage.db.query(sql`
      with made as (
        select gen_random_uuid() as id, gen_random_uuid() as resource_id
        from generate_series(1, ${Math.min(batch, count - made)})
      ), events as (
        insert into webhook_events (id, organization_id, type, resource_type, resource_id, sequence, body, created_at)
        select id, ${organizationId}, 'scrape.completed', 'scrape_job', resource_id, 1, repeat('x', 600), now()
        from made
      ), deliveries as (
        insert into webhook_deliveries
          (id, organization_id, endpoint_id, resource_id, sequence, secret_version, status, attempt,
           attempts_made, schedule_ends_at, created_at, finished_at)
        select id, ${organizationId}, ${uuid}, resource_id, 1, 1, 'delivered', 1, 1, now(), now(), now()
        from made
      )
      insert into webhook_attempts (delivery_id, position, number, resend, secret_version, started_at, latency_ms, http_status)
      select id, 1, 1, false, 1, now(), 12, 204
      from made
    `);
  }
  // What filling the tables left to be done is done now, not while deliveries are measured.
  await stage.db.query(sql`vacuum analyze webhook_events`);
  await stage.db.query(sql`vacuum analyze webhook_deliveries`);
  await stage.db.query(sql`vacuum analyze webhook_attempts`);
  await stage.db.query(sql`checkpoint`);
}
