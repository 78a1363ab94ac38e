// What the sample costs a first start, and when it answers: npm run bench -- sample [--rounds 5].
// The baseline is the same start without it; both have empty folders and no network.
import { startServiceUntil } from "../e2e/service.ts";

import { makeTempFolder, removeFolder } from "../server/test/temp-folder.ts";
import { median } from "./figures.ts";
import { numberAfter } from "./places/measure.ts";

const offline = { WAYPOST_NOMINATIM_URL: "http://127.0.0.1:9", WAYPOST_OVERPASS_URL: "http://127.0.0.1:9/api" };
const answeredMsMax = 60_000;
const readyMsMax = 500;
const firstAnswerMsMax = 10_000;

export async function run(words: string[]): Promise<void> {
  const rounds = numberAfter(words, "--rounds", 5);
  const without: number[] = [];
  const withSample: number[] = [];
  const answered: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    without.push((await startOnce("osm")).readyMs);
    const started = await startOnce("auto");
    withSample.push(started.readyMs);
    answered.push(started.answeredMs);
  }
  const delay = median(withSample) - median(without);
  const first = median(answered);
  console.log(`ready without the sample  ${(median(without) / 1_000).toFixed(2)} s`);
  console.log(`ready with the sample     ${(median(withSample) / 1_000).toFixed(2)} s`);
  console.log(`the sample delays it by   ${(delay / 1_000).toFixed(2)} s (at most 0.5 promised)`);
  console.log(`first real answer         ${(first / 1_000).toFixed(2)} s after the greeting (at most 10 promised)`);
  if (delay > readyMsMax || first > firstAnswerMsMax) process.exitCode = 1;
}

/** The time to the greeting, and from there to the first café of Vaduz, where the source brings any. */
async function startOnce(source: "auto" | "osm"): Promise<{ readyMs: number; answeredMs: number }> {
  const folder = await makeTempFolder();
  const stops: (() => Promise<unknown>)[] = [];
  try {
    const began = performance.now();
    const environment = { ...offline, WAYPOST_DATA_DIR: folder, WAYPOST_SOURCE: source };
    const service = await startServiceUntil((stop) => void stops.push(stop), environment);
    const ready = performance.now();
    const key = /svc_live_\w+/.exec(service.output)?.[0] ?? "";
    if (source === "auto") await untilAnswered(service.address, key);
    return { readyMs: ready - began, answeredMs: performance.now() - ready };
  } finally {
    for (const stop of stops) await stop();
    await removeFolder(folder);
  }
}

async function untilAnswered(address: string, key: string): Promise<void> {
  const deadline = performance.now() + answeredMsMax;
  while (!(await answers(address, key))) {
    if (performance.now() > deadline) throw new Error("The sample did not answer within a minute.");
  }
}

async function answers(address: string, key: string): Promise<boolean> {
  const response = await fetch(`${address}/api/v1/search`, {
    method: "POST",
    headers: { "API-KEY": key, "Content-Type": "application/json" },
    body: JSON.stringify({ q: "coffee in Vaduz" }),
  });
  await response.arrayBuffer();
  return response.status === 200;
}
