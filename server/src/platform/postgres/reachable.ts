import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import type { Log } from "../log.ts";
import { type Connection, isOutage, probe } from "./database.ts";

const retryMs = 500;
const reportMs = 5_000;

/** Waits for a server that is not up yet, as in a composition whose parts start together. */
export async function waitUntilReachable(
  connection: Connection,
  { seconds, log, signal }: { seconds: number; log: Log; signal: AbortSignal },
): Promise<void> {
  const start = Date.now();
  let reported = start;
  for (;;) {
    const error = await probe(connection);
    if (!error) return;
    const isComing = isOutage(error);
    if (!isComing || Date.now() - start >= seconds * 1_000) throw new Error(sentence(error, seconds), { cause: error });
    if (Date.now() - reported >= reportMs) {
      log.warn({ error: error.message }, "postgres.waiting");
      reported = Date.now();
    }
    await sleep(retryMs, undefined, { signal });
  }
}

function sentence(error: Error, seconds: number): string {
  const { message } = error;
  if (!(error instanceof pg.DatabaseError)) {
    return `The PostgreSQL of DATABASE_URL could not be reached within ${seconds} s (${message || String(error)}). Start it, or correct the host and port in DATABASE_URL.`;
  }
  if (error.code === "3D000") return `DATABASE_URL names a database that is not there (${message}). Create it first.`;
  if (error.code?.startsWith("28"))
    return `DATABASE_URL is refused by its server (${message}). Correct its user or password.`;
  return `The PostgreSQL of DATABASE_URL refuses connections (${message}).`;
}
