// Events to a receiver that fails 30 %, hangs 10 % and resets 5 % of what it gets, while dispatchers
// are killed with -9. The receiver's own ledger decides: every event is acknowledged or has used up
// its attempts, none is lost, every signature is good, every attempt is one of seven.
// npm run soak -- webhooks [--events=20000] [--dispatchers=3] [--factor=2000] [--kill-seconds=5]
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "../../server/src/platform/postgres/sql.ts";
import { header, isSigned } from "../../server/test/webhook-receiver.ts";
import { startCrew } from "../webhooks/crew.ts";
import { fastClock } from "../webhooks/fast-clock.ts";
import { countPending, numberOf, openStage, type Stage } from "../webhooks/stage.ts";

type Report = { headers: Record<string, string>; raw: string; status: number };
type Seen = { acknowledged: boolean; attempts: number };

const endpointCount = 40;
const path = "/faulty?report=1&fails=30&hangs=10&resets=5";

export async function run(words: string[]): Promise<void> {
  const events = numberOf(words, "events", 20_000);
  const factor = numberOf(words, "factor", 2_000);
  const epochMs = Date.now();
  const stage = await openStage({ clock: fastClock(epochMs, factor) });
  try {
    const ledger = keepLedger(stage);
    for (let made = 0; made < endpointCount; made += 1) {
      const endpoint = await stage.givenEndpoint(`${path}&endpoint=${made}`);
      ledger.secrets.set(endpoint.organizationId, endpoint.secret);
      await stage.givenEvents(endpoint, events / endpointCount);
    }
    // A second of ours is half an hour and more of theirs; leases and hanging are scaled so that both fit.
    const limits = { leaseMs: 5_000 * factor, deadlineMs: 2_000, heldMax: 128 };
    const crew = await startCrew(stage, numberOf(words, "dispatchers", 3), { epochMs, factor, limits, pollMs: 100 });
    const killEveryMs = numberOf(words, "kill-seconds", 5) * 1_000;
    const startedMs = performance.now();
    for (let pending = events; pending > 0; pending = await countPending(stage.db)) {
      await sleep(killEveryMs);
      if (pending > events / 100) await crew.killOne(); // the last ones wait for a day of their clock
      console.log(`${seconds(startedMs)} s: ${pending} pending, ${ledger.requests()} requests, ${crew.kills()} kills`);
    }
    await crew.stop();
    await report(stage, ledger, events);
    console.log(`${crew.kills()} dispatchers killed, ${seconds(startedMs)} s`);
  } finally {
    await stage.close();
  }
}

/** What the receiver got, verified from the bytes, by the event's id. */
function keepLedger(stage: Stage) {
  const secrets = new Map<string, string>();
  const seen = new Map<string, Seen>();
  const problems: string[] = [];
  let requests = 0;

  stage.receiver.on("message", ({ headers, raw: encoded, status }: Report) => {
    requests += 1;
    const raw = Buffer.from(encoded, "base64");
    const body = JSON.parse(raw.toString("utf8")) as { id: string; organization_id: string };
    if (!isSigned({ headers, raw }, secrets.get(body.organization_id) ?? ""))
      problems.push(`${body.id}: bad signature`);
    if (header(headers, "x-svc-event-id") !== body.id) problems.push(`${body.id}: another event's id`);
    const attempt = Number(headers["x-svc-delivery-attempt"]);
    if (!(attempt >= 1 && attempt <= 7)) problems.push(`${body.id}: attempt ${attempt}`);
    const known = seen.get(body.id) ?? { acknowledged: false, attempts: 0 };
    seen.set(body.id, {
      acknowledged: known.acknowledged || status === 204,
      attempts: Math.max(known.attempts, attempt),
    });
  });

  return { secrets, seen, problems, requests: () => requests };
}

async function report(stage: Stage, ledger: ReturnType<typeof keepLedger>, events: number) {
  const { rows } = await stage.db.query<{ id: string; status: string; attempt: number }>(sql`
    select id, status, attempt
    from webhook_deliveries
  `);
  const { seen, problems } = ledger;
  let lost = 0;
  let falselyDelivered = 0;
  let outOfBounds = 0;
  for (const { id, status, attempt } of rows) {
    const acknowledged = seen.get(id)?.acknowledged ?? false;
    if (!acknowledged && status !== "failed") lost += 1;
    if (!acknowledged && status === "delivered") falselyDelivered += 1;
    if (attempt < 1 || attempt > 7 || (status === "failed" && attempt !== 7)) outOfBounds += 1;
  }
  const count = (status: string) => rows.filter((row) => row.status === status).length;
  console.log(
    [
      `${rows.length} of ${events} events: ${count("delivered")} delivered, ${count("failed")} failed after 7 attempts`,
      `${ledger.requests()} requests, ${problems.length} with a bad signature, id or attempt number`,
      `${lost} lost, ${falselyDelivered} delivered in our books and not in the receiver's, ${outOfBounds} attempts out of bounds`,
    ].join("\n"),
  );
  const isKept =
    rows.length === events &&
    count("delivered") + count("failed") === events &&
    lost + falselyDelivered + outOfBounds + problems.length === 0;
  console.log(isKept ? "kept" : `broken: ${problems.slice(0, 5).join("; ")}`);
  if (!isKept) process.exitCode = 1;
}

function seconds(sinceMs: number): string {
  return ((performance.now() - sinceMs) / 1_000).toFixed(0);
}
