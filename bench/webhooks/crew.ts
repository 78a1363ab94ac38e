import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { DispatcherOrder } from "./dispatcher.ts";
import { masterKey, type Stage, stopProcess } from "./stage.ts";

type CrewOptions = Pick<DispatcherOrder, "epochMs" | "factor" | "limits" | "pollMs">;

/** Dispatchers in processes of their own. */
export async function startCrew(stage: Stage, count: number, options: CrewOptions) {
  const order: DispatcherOrder = { connection: stage.connection, masterKey, port: stage.port, ...options };
  const crew = await Promise.all(Array.from({ length: count }, start));
  let kills = 0;

  async function start(): Promise<ChildProcess> {
    const child = fork(fileURLToPath(new URL("dispatcher.ts", import.meta.url)), {
      env: { PATH: process.env["PATH"], NODE_EXTRA_CA_CERTS: join(stage.folder, "authority.pem") },
      stdio: "inherit",
    });
    child.send(order);
    await once(child, "message");
    return child;
  }

  return {
    kills: () => kills,
    /** Kills one with -9, whatever it is doing, and starts another in its place. */
    async killOne() {
      const at = Math.floor(Math.random() * crew.length);
      const victim = crew[at];
      if (victim) await stopProcess(victim, "SIGKILL");
      crew[at] = await start();
      kills += 1;
    },
    async stop() {
      for (const child of crew) await stopProcess(child);
    },
  };
}
