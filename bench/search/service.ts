import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { newKeyText } from "../../server/src/domains/api-keys/index.ts";
import type { Connection } from "../../server/src/platform/postgres/database.ts";
import { databaseUrl } from "../../server/test/postgres.ts";
import { type LeanConnection, openLeanConnection } from "./lean-client.ts";
import type { Asked } from "./questions.ts";

const readyMs = 60_000;

/** The service as it is started, on the database of the benchmark, asked over HTTP with a live key. */
export async function openHttpSearch(connection: Connection, folder: string) {
  const key = newKeyText("live").text;
  const child = spawn(process.execPath, ["server/src/main.ts"], {
    cwd: fileURLToPath(new URL("../..", import.meta.url)),
    env: {
      PATH: process.env["PATH"],
      DATABASE_URL: databaseUrl(connection),
      WAYPOST_DATA_DIR: folder,
      WAYPOST_PORT: "0",
      WAYPOST_ROLE: "api",
      WAYPOST_SOURCE: "catalog",
      WAYPOST_KEY_PEPPER: "a pepper for the benchmark's service",
      WAYPOST_MASTER_KEY: "a master key for the benchmark's service",
      WAYPOST_SEED_LIVE_KEY: key,
      WAYPOST_RATE_LIMIT: "1000000",
      WAYPOST_DEFAULT_ALLOWANCE: "100000000",
      WAYPOST_LOG_LEVEL: "warn",
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const address = await new Promise<string>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error("the service was not ready in time")), readyMs);
    child.once("exit", (code) => reject(new Error(`the service ended with ${code} while starting`)));
    child.stdout.on("data", (chunk) => {
      const [, found] = /ready at (\S+)/.exec(String(chunk)) ?? [];
      if (found === undefined) return;
      clearTimeout(timer);
      resolve(found);
    });
  });
  const head = [
    "POST /api/v1/search HTTP/1.1",
    `Host: ${new URL(address).host}`,
    `API-KEY: ${key}`,
    "Content-Type: application/json\r\n",
  ].join("\r\n");
  const all: LeanConnection[] = [];
  const idle: LeanConnection[] = [];

  /** Resolves to how many businesses the answer says it has. */
  async function ask({ q, latitude, longitude, zoom }: Asked): Promise<number> {
    const lean = takeIdle() ?? (await openLeanConnection(address, head));
    if (!all.includes(lean)) all.push(lean);
    const answer = await lean.post(JSON.stringify({ q, ll: `@${latitude},${longitude},${zoom}z` }));
    idle.push(lean);
    const [, total] = /^HTTP\/1.1 200.*"total":(\d+)/s.exec(answer) ?? [];
    if (total === undefined) throw new Error(`the service answered ${answer}`);
    return Number(total);
  }

  /** The service closes one after its last request, and one that nobody used for long. */
  function takeIdle(): LeanConnection | undefined {
    let lean = idle.pop();
    while (lean?.isClosed()) lean = idle.pop();
    return lean;
  }

  return {
    ask,
    async close() {
      for (const each of all) each.close();
      child.kill("SIGTERM");
      await exited;
    },
  };
}
