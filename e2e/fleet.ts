import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { newKeyText } from "../server/src/domains/api-keys/index.ts";
import { newUuid } from "../server/src/platform/ids.ts";
import { silentLog } from "../server/src/platform/log.ts";
import { type Connection, createDatabase, type Database } from "../server/src/platform/postgres/database.ts";
import { inherited, serviceFlags } from "./service.ts";
import { databaseUrl } from "../server/test/postgres.ts";

export type Role = "api" | "worker";
export type Member = {
  role: Role;
  /** Where it answers; undefined while it is down. */
  address: string | undefined;
  /** Ends the process without a warning and starts another in its place. */
  crash(): Promise<void>;
  /** Stops the process where it stands, and lets it go on. */
  pause(): void;
  resume(): void;
  /** Asks the process to stop; resolves to its exit code. */
  retire(): Promise<number | null>;
};

export type Fleet = {
  key: string;
  db: Database;
  members: Member[];
  any(role: Role): Member;
  stop(): Promise<void>;
};

/** What a client knows of a fleet: a key, and an address to try. */
export type Callable = { key: string; any(role: "api"): { address: string | undefined } };

const root = fileURLToPath(new URL("..", import.meta.url));
const readyMs = 180_000;
const relaunchesMax = 20;

/** API and worker processes on one database, one for each role, which may be lost at any time. */
export async function startFleet(
  connection: Connection,
  roles: readonly Role[],
  settings: Record<string, string> = {},
  program = "e2e/instant-service.ts",
): Promise<Fleet> {
  const folder = await mkdtemp(join(tmpdir(), "waypost-fleet-"));
  const key = newKeyText("live").text;
  const environment = {
    ...inherited,
    DATABASE_URL: databaseUrl(connection),
    WAYPOST_PORT: "0",
    WAYPOST_DATA_DIR: folder,
    WAYPOST_KEY_PEPPER: "a pepper for processes that come and go",
    WAYPOST_MASTER_KEY: "a master key for processes that come and go",
    WAYPOST_SEED_LIVE_KEY: key,
    WAYPOST_RATE_LIMIT: "1000000",
    WAYPOST_DEFAULT_ALLOWANCE: "1000000",
    WAYPOST_DATABASE_CONNECTIONS: "10",
    WAYPOST_LOG_LEVEL: "silent",
    ...settings,
  };
  const members = await Promise.all(roles.map((role) => startMember(role, environment, program)));
  const db = createDatabase({ connection, connectionsMax: 4, log: silentLog });

  return {
    key,
    db,
    members,
    any(role) {
      const fitting = members.filter((member) => member.role === role);
      const member = fitting[Math.floor(Math.random() * fitting.length)];
      if (!member) throw new Error(`there is no ${role} in the fleet`);
      return member;
    },
    async stop() {
      await Promise.all(members.map((member) => member.retire()));
      await db.end();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

type Spawned = { child: ChildProcess; address: string; exited: Promise<number | null>; output(): string };

async function startMember(role: Role, environment: NodeJS.ProcessEnv, program: string): Promise<Member> {
  let running: Spawned | undefined = await launch();
  let restarting: Promise<void> = Promise.resolve();

  function launch(): Promise<Spawned> {
    const child = spawn(process.execPath, [...serviceFlags, program], {
      cwd: root,
      env: { ...environment, WAYPOST_ROLE: role },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const exited = new Promise<number | null>((resolve) => child.on("exit", resolve));
    let output = "";
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`a ${role} was not ready in time: ${output}`)), readyMs);
      child.stderr.on("data", (chunk) => (output += String(chunk)));
      child.stdout.on("data", (chunk) => {
        output += String(chunk);
        const address = /ready at (\S+)\s/.exec(output)?.[1];
        if (address === undefined) return;
        clearTimeout(timer);
        resolve({ child, address, exited, output: () => output });
      });
      child.on("exit", () => reject(new Error(`a ${role} ended while starting: ${output}`)));
    });
  }

  /** A process that ends by itself is a finding, whatever it was doing. */
  function watch(spawned: Spawned) {
    spawned.child.on("exit", (code) => {
      if (running === spawned) process.stderr.write(`a ${role} ended by itself with ${code}: ${spawned.output()}\n`);
    });
  }
  watch(running);

  async function replace(earlier: Promise<void>): Promise<void> {
    await earlier;
    const victim = running;
    running = undefined;
    member.address = undefined;
    victim?.child.kill("SIGKILL");
    await victim?.exited;
    running = await relaunch();
    member.address = running.address;
    watch(running);
  }

  /** As whoever supervises processes does: one that cannot start, for want of a database, is started again. */
  async function relaunch(): Promise<Spawned> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await launch();
      } catch (error) {
        if (attempt === relaunchesMax) throw error;
        await sleep(500);
      }
    }
  }

  const member: Member = {
    role,
    address: running.address,
    crash() {
      restarting = replace(restarting);
      return restarting;
    },
    pause() {
      running?.child.kill("SIGSTOP");
    },
    resume() {
      running?.child.kill("SIGCONT");
    },
    async retire() {
      await restarting;
      const retiring = running;
      running = undefined;
      member.address = undefined;
      retiring?.child.kill("SIGCONT");
      retiring?.child.kill("SIGTERM");
      return (await retiring?.exited) ?? 0;
    },
  };
  return member;
}

const patienceMs = 90_000;

/** Sends a call to any API process until one answers it for good, as a careful client does. */
export async function callUntilAnswered(
  fleet: Callable,
  path: string,
  { body, idempotencyKey = newUuid() }: { body?: object; idempotencyKey?: string } = {},
): Promise<{ status: number; data: any }> {
  const deadline = Date.now() + patienceMs;
  for (;;) {
    const answer = await callOnce(fleet, path, body, idempotencyKey);
    if (answer && answer.status < 500 && answer.status !== 409)
      return { status: answer.status, data: answer.body.data };
    if (Date.now() > deadline) throw new Error(`no answer to ${path}: ${JSON.stringify(answer)}`);
    await sleep(20 + Math.random() * 100);
  }
}

async function callOnce(fleet: Callable, path: string, body: object | undefined, idempotencyKey: string) {
  const { address } = fleet.any("api");
  if (address === undefined) return undefined;
  try {
    const response = await fetch(`${address}/api/v1${path}`, {
      method: "POST",
      headers: {
        "API-KEY": fleet.key,
        "Idempotency-Key": idempotencyKey,
        ...(body ? { "Content-Type": "application/json" } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
      signal: AbortSignal.timeout(20_000),
    });
    return { status: response.status, body: (await response.json()) as any };
  } catch {
    return undefined; // the process went away, before or after it did what was asked
  }
}
