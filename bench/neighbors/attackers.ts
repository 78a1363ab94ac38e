// A thread that sends the largest areas there are over many connections, without regard to any answer, until it is told
// to stop. It answers with how many of each status it got.
import { parentPort, workerData } from "node:worker_threads";
import { Pool } from "undici";
import { newUuid } from "../../server/src/platform/ids.ts";

export type Attack = { address: string; key: string; connections: number };
export type Statuses = Record<string, number>;

const { address, key, connections } = workerData as Attack;
const pointsMax = 9_999;
const statuses: Statuses = {};
const stopping = new AbortController();
parentPort?.once("message", () => stopping.abort());

const pool = new Pool(address, { connections, pipelining: 1 });
// Every second one is refused for its ceiling alone, which costs the sender nothing.
const bodies = [0, 5].map(starBody);
await Promise.all(Array.from({ length: connections }, attack));
await pool.close();
parentPort?.postMessage(statuses, []);

async function attack(_: unknown, number: number) {
  for (let sent = number; !stopping.signal.aborted; sent += 1) {
    const body = bodies[sent % bodies.length] ?? "";
    const headers = { "API-KEY": key, "Content-Type": "application/json", "Idempotency-Key": newUuid() };
    const { statusCode, body: answer } = await pool.request({
      method: "POST",
      path: "/api/v1/collections",
      headers,
      body,
    });
    await answer.dump({ limit: 10_000_000 });
    statuses[statusCode] = (statuses[statusCode] ?? 0) + 1;
  }
}

/** A star: between any two of its points lies one near its middle. */
function starBody(maxUnits: number): string {
  const points = Array.from({ length: pointsMax - 1 }, (_, index) => {
    const [angle, reach] = [(index / (pointsMax - 1)) * 2 * Math.PI, index % 2 === 0 ? 0.001 : 0.5];
    return [9.5 + reach * Math.cos(angle), 47.1 + reach * Math.sin(angle)];
  });
  const polygon = { type: "Polygon", coordinates: [[...points, points[0]]] };
  return JSON.stringify({ q: "coffee", area: { polygon }, max_units: maxUnits });
}
