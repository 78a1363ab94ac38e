import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { cp, rm, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { promisify } from "node:util";
import pg from "pg";
import { findBinaries } from "../server/src/platform/postgres/embedded/binaries.ts";
import { type SystemUser, unprivilegedUser } from "../server/src/platform/postgres/embedded/system-user.ts";
import { defer } from "../server/test/defer.ts";
import { makeTempFolder, removeFolder } from "../server/test/temp-folder.ts";
import { until } from "./service.ts";

const run = promisify(execFile);

type Server = { port: number; child: ChildProcess };

/** A primary and a replica, on the loopback interface. */
export type StreamingPair = {
  /** Both hosts in one URL. */
  url: string;
  primaryUrl: string;
  replicaUrl: string;
  /** Ends the primary without a warning, and makes the replica the primary. */
  failOver(): Promise<void>;
  /** Makes the replica a primary of its own, beside the one that is there. */
  promoteReplica(): Promise<void>;
  /** Lets the replica fall behind, and catch up. */
  pauseReplay(): Promise<void>;
  resumeReplay(): Promise<void>;
  /** Ends the replica without a warning, and starts it again under its address. */
  killReplica(): Promise<void>;
  reviveReplica(): Promise<void>;
};

/** Unless `isAsynchronous`, the replica confirms every commit. */
export async function startStreamingPair(t: TestContext, { isAsynchronous = false } = {}): Promise<StreamingPair> {
  const folder = await makeTempFolder();
  const servers: Server[] = [];
  defer(t, async () => {
    for (const { child } of servers) await end(child);
    await removeFolder(folder);
  });
  const user = await unprivilegedUser();
  const binaries = await findBinaries(user);
  const [first, second] = [join(folder, "first"), join(folder, "second")];
  const asUser = { ...user, cwd: "/", env: { PATH: "/usr/bin:/bin", LC_ALL: "C" } };
  await makeOwned(folder, user);
  await run(binaries.initdb, ["-D", first, "-U", "waypost", "--auth=trust", "--no-sync"], asUser);

  async function launch(data: string, settings: Record<string, string> = {}, port = 0): Promise<Server> {
    port ||= await freePort();
    const all = {
      listen_addresses: "127.0.0.1",
      port: String(port),
      unix_socket_directories: "",
      fsync: "off",
      ...settings,
    };
    const flags = Object.entries(all).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
    const child = spawn(binaries.postgres, ["-D", data, ...flags], { ...asUser, stdio: "ignore" });
    const server = { port, child };
    servers.push(server);
    await until(() =>
      ask(port, "select 1").then(
        () => true,
        () => false,
      ),
    );
    return server;
  }

  const primary = await launch(first);
  await copyRunning(primary.port, first, second, user);
  const following = { primary_conninfo: `host=127.0.0.1 port=${primary.port} user=waypost` };
  let replica = await launch(second, following);
  if (!isAsynchronous) {
    await ask(primary.port, "alter system set synchronous_standby_names = '*'");
    await ask(primary.port, "select pg_reload_conf()");
  }
  const expected = isAsynchronous ? "async" : "sync";
  await until(
    async () => (await ask(primary.port, "select sync_state from pg_stat_replication"))[0]?.["sync_state"] === expected,
  );

  return {
    primaryUrl: `postgres://waypost@127.0.0.1:${primary.port}/postgres`,
    replicaUrl: `postgres://waypost@127.0.0.1:${replica.port}/postgres`,
    async promoteReplica() {
      // A statement that waited would hold back the replay of what is still to come.
      await ask(replica.port, "select pg_promote(false)");
      const recovering = "select pg_is_in_recovery() as is_recovering";
      await until(async () => (await ask(replica.port, recovering))[0]?.["is_recovering"] === false);
    },
    async pauseReplay() {
      await ask(replica.port, "select pg_wal_replay_pause()");
      const paused = "select pg_get_wal_replay_pause_state() as state";
      await until(async () => (await ask(replica.port, paused))[0]?.["state"] === "paused");
    },
    async resumeReplay() {
      await ask(replica.port, "select pg_wal_replay_resume()");
    },
    async killReplica() {
      replica.child.kill("SIGQUIT");
      await once(replica.child, "exit");
    },
    async reviveReplica() {
      replica = await launch(second, following, replica.port);
    },
    url: `postgres://waypost@127.0.0.1:${replica.port},127.0.0.1:${primary.port}/postgres?target_session_attrs=read-write`,
    async failOver() {
      primary.child.kill("SIGQUIT"); // its sessions end with it; with SIGKILL they would notice a moment later
      await once(primary.child, "exit");
      await ask(replica.port, "select pg_promote()");
    },
  };
}

/** What pg_basebackup does, which is not among the embedded programs. */
async function copyRunning(port: number, from: string, to: string, user: SystemUser | undefined) {
  const client = await connect(port);
  try {
    await client.query("select pg_backup_start('replica', true)");
    await cp(from, to, { recursive: true });
    const { rows } = await client.query<{ labelfile: string }>("select labelfile from pg_backup_stop()");
    await rm(join(to, "postmaster.pid"), { force: true });
    await writeFile(join(to, "backup_label"), rows[0]?.labelfile ?? "");
    await writeFile(join(to, "standby.signal"), "");
    await makeOwned(to, user);
    await run("chmod", ["700", to]);
  } finally {
    await client.end();
  }
}

async function makeOwned(folder: string, user: SystemUser | undefined) {
  if (user) await run("chown", ["-R", `${user.uid}:${user.gid}`, folder]);
}

async function ask(port: number, statement: string): Promise<Record<string, unknown>[]> {
  const client = await connect(port);
  try {
    return (await client.query<Record<string, unknown>>(statement)).rows;
  } finally {
    await client.end();
  }
}

async function connect(port: number): Promise<pg.Client> {
  const client = new pg.Client({ host: "127.0.0.1", port, user: "waypost", database: "postgres" });
  client.on("error", () => undefined);
  await client.connect();
  return client;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

async function end(child: ChildProcess) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill("SIGQUIT");
  await once(child, "exit");
}
