// Makes one file in a process of its own, which also answers requests, and prints what it took: its time,
// the most memory above idle, and the longest pause of the event loop. Arguments: the task as JSON.
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { Agent, createServer, get } from "node:http";
import type { AddressInfo } from "node:net";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { pipeline } from "node:stream/promises";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { to as copyTo } from "pg-copy-streams";
import type { Format } from "../../server/src/domains/exports/export.ts";
import { encodeInThread } from "../../server/src/domains/exports/writers/encoder.ts";
import { clientConfig, type Connection } from "../../server/src/platform/postgres/database.ts";
import { inlined } from "../../server/src/platform/postgres/inlined.ts";

export type Task = {
  connection: Connection;
  rows: { text: string; values: unknown[]; name: string };
  format: Format | "bare";
  path: string;
};
export type Measured = {
  seconds: number;
  peakMb: number;
  /** The longest pause of the event loop by the clock on the wall, which other programs lengthen too. */
  pauseMs: number;
  /** The most processor time that the thread of the event loop took between two of its ticks: our own share. */
  ownPauseMs: number;
  /** Requests that the process answered meanwhile. */
  answered: number;
};

const settleMs = 500;
const sampleMs = 20;
const tickMs = 5;
const requestMs = 10;

const agent = new Agent({ keepAlive: true });
const task = JSON.parse(process.argv[2] ?? "") as Task; // exports.bench.ts wrote it

const server = createServer((_request, response) => response.end("ok")).listen(0, "127.0.0.1");
await once(server, "listening");
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
let answered = 0;
const requests = setInterval(() => {
  get(url, { agent }, (response) => response.resume().on("end", () => (answered += 1))).on("error", () => undefined);
}, requestMs);
await sleep(settleMs);
const idle = process.memoryUsage.rss();
let peak = idle;
const watch = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), sampleMs);
const delay = monitorEventLoopDelay({ resolution: 5 });
delay.enable();
let ownPauseMs = 0;
let cpuMs = threadMs();
const ticks = setInterval(() => {
  const now = threadMs();
  ownPauseMs = Math.max(ownPauseMs, now - cpuMs);
  cpuMs = now;
}, tickMs);
const start = performance.now();
await (task.format === "bare" ? copyBare(task) : encode(task, task.format));
const seconds = (performance.now() - start) / 1_000;
for (const timer of [watch, ticks, requests]) clearInterval(timer);
const measured: Measured = { seconds, peakMb: (peak - idle) / 1e6, pauseMs: delay.max / 1e6, ownPauseMs, answered };
console.log(JSON.stringify(measured));
agent.destroy();
server.close();

function threadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

async function encode({ connection, rows, path }: Task, format: Format): Promise<void> {
  const context = {
    exportId: "exp_bench",
    createdAt: new Date().toISOString(),
    schemaVersion: "2026-09-22",
    columns: null,
  };
  await encodeInThread({ connection, rows, format, path, context }, new AbortController().signal);
}

/** The barest program that gets the same rows into a file. */
async function copyBare({ connection, rows, path }: Task): Promise<void> {
  const client = new pg.Client({ ...clientConfig(connection), statement_timeout: 0, query_timeout: 0 });
  await client.connect();
  await pipeline(client.query(copyTo(`copy (${inlined(rows)}) to stdout (format csv)`)), createWriteStream(path));
  await client.end();
}
