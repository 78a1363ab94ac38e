// One endpoint that hangs with a long queue, beside twenty healthy ones: the time from event to
// receiver of the healthy ones, beside the same without the neighbor.
// npm run soak -- webhooks-neighbor [--queue=5000] [--seconds=20] [--rate=50]
import { setTimeout as sleep } from "node:timers/promises";
import { startCrew } from "../webhooks/crew.ts";
import { percentile } from "../figures.ts";
import { numberOf, openStage, type Stage } from "../webhooks/stage.ts";

const healthyCount = 20;

export async function run(words: string[]): Promise<void> {
  const stage = await openStage();
  try {
    const healthy = [];
    for (let made = 0; made < healthyCount; made += 1) healthy.push(await stage.givenEndpoint("/well?report=1"));
    const crew = await startCrew(stage, 1, { epochMs: Date.now(), factor: 1, limits: {}, pollMs: 1_000 });
    const load = { perSecond: numberOf(words, "rate", 50), seconds: numberOf(words, "seconds", 20) };
    await measure(stage, healthy, { ...load, seconds: 5 }); // opens the connections
    const alone = await measure(stage, healthy, load);

    await stage.givenEvents(await stage.givenEndpoint("/hang"), numberOf(words, "queue", 5_000));
    const beside = await measure(stage, healthy, load);
    await crew.stop();

    for (const [name, share] of [
      ["p50", 0.5],
      ["p99", 0.99],
    ] as const) {
      const [before, after] = [percentile(alone, share), percentile(beside, share)];
      console.log(
        `${name}   alone ${before.toFixed(1)} ms   beside one that hangs ${after.toFixed(1)} ms   ${(after / before).toFixed(2)} times`,
      );
    }
    if (alone.length !== beside.length) console.log(`received ${alone.length} alone and ${beside.length} beside`);
    const isKept = alone.length === beside.length && percentile(beside, 0.99) <= 2 * percentile(alone, 0.99);
    console.log(isKept ? "kept" : "broken");
    if (!isKept) process.exitCode = 1;
  } finally {
    await stage.close();
  }
}

/** Tells of events at a steady rate; resolves to how long each took to the receiver, in milliseconds. */
async function measure(
  stage: Stage,
  endpoints: Awaited<ReturnType<Stage["givenEndpoint"]>>[],
  { perSecond, seconds }: { perSecond: number; seconds: number },
): Promise<number[]> {
  const latencies: number[] = [];
  const note = ({ raw }: { raw: string }) => {
    const { created_at: at } = JSON.parse(Buffer.from(raw, "base64").toString("utf8")) as { created_at: string };
    latencies.push(Date.now() - Date.parse(at));
  };
  stage.receiver.on("message", note);
  const total = perSecond * seconds;
  const startedMs = performance.now();
  for (let made = 0; made < total; made += 1) {
    const endpoint = endpoints[made % endpoints.length];
    if (endpoint) await stage.givenEvents(endpoint, 1);
    await sleep(Math.max(0, (made * 1_000) / perSecond - (performance.now() - startedMs)));
  }
  for (let waits = 0; latencies.length < total && waits < 200; waits += 1) await sleep(50);
  stage.receiver.off("message", note);
  return latencies;
}
