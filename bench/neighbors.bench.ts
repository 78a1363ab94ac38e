// How long a test search of one organization takes beside thirty connections of another that send areas of 9,999 points,
// in turns with the same search alone.
// npm run bench -- neighbors
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { Client } from "undici";
import { startServiceUntil, waypost } from "../e2e/service.ts";
import { makeTempFolder, removeFolder } from "../server/test/temp-folder.ts";
import { percentile } from "./figures.ts";
import type { Attack, Statuses } from "./neighbors/attackers.ts";

const rounds = 4;
const secondsAlone = 4;
const secondsBeside = 8;
const connections = 30;
/** Keeps below the rate that a key may have. */
const pauseMs = 25;
const promisedMs = 250;

export async function run(): Promise<void> {
  const folder = await makeTempFolder();
  const steps: (() => Promise<unknown>)[] = [() => removeFolder(folder)];
  try {
    const environment = { WAYPOST_DATA_DIR: folder };
    const { address, output } = await startServiceUntil((stop) => steps.unshift(stop), environment);
    const key = /svc_test_\w+/.exec(output)?.[0] ?? "";
    const attack = { address, key: await givenStranger(environment), connections };
    await probe(address, key, 2);
    const [alone, beside]: [number[], number[]] = [[], []];
    const statuses: Statuses = {};
    for (let round = 0; round < rounds; round += 1) {
      alone.push(...(await probe(address, key, secondsAlone)));
      const stop = startAttack(attack);
      beside.push(...(await probe(address, key, secondsBeside)));
      for (const [status, count] of Object.entries(await stop())) statuses[status] = (statuses[status] ?? 0) + count;
    }
    for (const [name, share] of [
      ["p50", 0.5],
      ["p99", 0.99],
      ["longest", 1],
    ] as const) {
      const [before, after] = [percentile(alone, share), percentile(beside, share)];
      console.log(
        `${name}   alone ${before.toFixed(1)} ms   beside ${connections} attackers ${after.toFixed(1)} ms   ${(after / before).toFixed(1)} times`,
      );
    }
    console.log(`${beside.length} searches beside; the attackers' answers by status: ${JSON.stringify(statuses)}`);
    console.log(`p99 beside them: under ${promisedMs} ms is promised`);
  } finally {
    for (const step of steps) await step();
  }
}

/** A key of another organization. */
async function givenStranger(environment: Record<string, string>): Promise<string> {
  await command(environment, "org", "create", "--name", "Stranger");
  const made = await command(
    environment,
    "keys",
    "create",
    "--name",
    "x",
    "--environment",
    "test",
    "--org",
    "Stranger",
  );
  return /svc_test_\w+/.exec(made)?.[0] ?? "";
}

async function command(environment: Record<string, string>, ...words: string[]): Promise<string> {
  const { code, stdout, stderr } = await waypost(words, environment);
  if (code !== 0) throw new Error(stderr);
  return stdout;
}

/** In a thread, so that what the attackers do does not hold up the probe's own. Resolves to their answers when stopped. */
function startAttack(attack: Attack): () => Promise<Statuses> {
  const thread = new Worker(new URL("./neighbors/attackers.ts", import.meta.url), { workerData: attack });
  const ended = once(thread, "message");
  return async () => {
    thread.postMessage("stop", []);
    const [statuses] = (await ended) as [Statuses];
    return statuses;
  };
}

/** Searches one after the other for some seconds; resolves to how long each took, in milliseconds. */
async function probe(address: string, key: string, seconds: number): Promise<number[]> {
  const client = new Client(address);
  const latencies: number[] = [];
  const end = performance.now() + seconds * 1_000;
  while (performance.now() < end) {
    const startedMs = performance.now();
    const answer = await client.request({
      method: "POST",
      path: "/api/v1/search",
      headers: { "API-KEY": key, "Content-Type": "application/json" },
      body: JSON.stringify({ q: "coffee in Vaduz" }),
    });
    await answer.body.dump({ limit: 10_000_000 });
    if (answer.statusCode !== 200) throw new Error(`status ${answer.statusCode}`);
    latencies.push(performance.now() - startedMs);
    await sleep(pauseMs);
  }
  await client.close();
  return latencies;
}
