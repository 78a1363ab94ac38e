import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import type { Log } from "../log.ts";
import { clientConfig, type Connection } from "./database.ts";

export type Notifications = {
  /**
   * Calls back for each message on a channel. After a lost connection it calls back with
   * undefined: anything may have been said meanwhile.
   */
  on(channel: string, handler: (payload: string | undefined) => void): void;
  stop(): Promise<void>;
};

const reconnectDelaysMs = [50, 200, 1_000];

/** How often we probe the connection, and how long its answer may take. */
const standardLimits = { heartbeatMs: 30_000, answerMs: 10_000 };
/** How long a server may take to see that the connection ends. */
const goodbyeMs = 1_000;

/** One connection that listens on every channel, and comes back by itself. */
export function listenForNotifications(
  connection: Connection,
  log: Log,
  { heartbeatMs, answerMs } = standardLimits,
): Notifications {
  const handlers = new Map<string, ((payload: string | undefined) => void)[]>();
  let client: pg.Client | undefined;
  let stopped = false;
  let failures = 0;
  let timer: NodeJS.Timeout | undefined;
  let connecting = connect();
  // Nobody speaks on a quiet connection, so nobody would notice that a firewall has forgotten it.
  const heartbeat = setInterval(() => void beat(), heartbeatMs);
  heartbeat.unref();

  async function connect(): Promise<void> {
    const next = new pg.Client({ ...clientConfig(connection), query_timeout: answerMs });
    next.on("error", (error) => lost(next, error));
    next.on("end", () => lost(next));
    next.on("notification", ({ channel, payload }) => tell(channel, payload ?? ""));
    try {
      await next.connect();
      client = next;
      for (const channel of handlers.keys()) await subscribe(channel);
      failures = 0;
      for (const channel of handlers.keys()) tell(channel, undefined);
    } catch (error) {
      lost(next, error);
    }
  }

  function lost(which: pg.Client, error?: unknown) {
    if (stopped || (client !== undefined && client !== which) || timer) return;
    client = undefined;
    which.removeAllListeners("end");
    which.end().catch(() => undefined);
    const delay = reconnectDelaysMs[Math.min(failures, reconnectDelaysMs.length - 1)];
    failures += 1;
    if (error instanceof Error) log.warn({ error: error.message }, "postgres.listener_lost");
    timer = setTimeout(() => {
      timer = undefined;
      connecting = connect();
    }, delay);
    timer.unref();
  }

  function tell(channel: string, payload: string | undefined) {
    for (const handler of handlers.get(channel) ?? []) handler(payload);
  }

  // One after the other: a connection takes one statement at a time.
  let answered: Promise<unknown> = Promise.resolve();

  function ask(text: string): Promise<unknown> {
    const send = () => client?.query(text);
    return (answered = answered.then(send, send));
  }

  function subscribe(channel: string): Promise<unknown> {
    return ask(`listen ${pg.escapeIdentifier(channel)}`);
  }

  async function beat(): Promise<void> {
    const asked = client;
    await ask("select 1").catch((error: unknown) => asked && lost(asked, error));
  }

  return {
    on(channel, handler) {
      const known = handlers.get(channel);
      if (known) {
        known.push(handler);
        return;
      }
      handlers.set(channel, [handler]);
      subscribe(channel).catch(() => undefined); // a failure here is a lost connection, which lost() mends
    },
    async stop() {
      stopped = true;
      clearTimeout(timer);
      clearInterval(heartbeat);
      await connecting;
      const ended = client?.end().catch(() => undefined);
      // A frozen server never sees it, and whatever stops after this has its own goodbyes to say.
      await Promise.race([ended, sleep(goodbyeMs, undefined, { ref: false })]);
    },
  };
}
