import { createHash } from "node:crypto";
import { connect, createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/** Who manages a data folder, as it tells everyone who asks. */
export type Holder = { role: "service" | "command"; pid: number };

export type FolderLock = { release(): Promise<void> };

/**
 * At most one process manages the PostgreSQL of a data folder. The lock is a listening socket in
 * Linux's abstract namespace: the kernel drops it with the process, so that kill -9 leaves nothing
 * stale behind, and whoever is refused can ask the socket who holds it.
 */
export async function lockFolder(folder: string, role: Holder["role"]): Promise<FolderLock | Holder> {
  const name = lockName(folder);
  for (;;) {
    const lock = await tryListen(name, { role, pid: process.pid });
    if (lock) return lock;
    const holder = await askHolder(name);
    if (holder) return holder;
    await sleep(10); // it let go between the two calls
  }
}

export function isLock(answer: FolderLock | Holder): answer is FolderLock {
  return "release" in answer;
}

function lockName(folder: string): string {
  return `\0waypost-${createHash("sha256").update(folder).digest("hex").slice(0, 40)}`;
}

function tryListen(name: string, holder: Holder): Promise<FolderLock | undefined> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => {
      socket.on("error", () => undefined);
      socket.end(JSON.stringify(holder));
    });
    server.on("error", (error: NodeJS.ErrnoException) =>
      error.code === "EADDRINUSE" ? resolve(undefined) : reject(error),
    );
    server.listen(name, () => {
      server.unref();
      resolve({ release: () => new Promise((done) => server.close(() => done())) });
    });
  });
}

function askHolder(name: string): Promise<Holder | undefined> {
  return new Promise((resolve) => {
    const socket = connect(name);
    let answer = "";
    socket.setEncoding("utf8");
    socket.setTimeout(1_000, () => socket.destroy());
    socket.on("data", (chunk) => (answer += String(chunk)));
    socket.on("error", () => undefined);
    socket.on("close", () => resolve(parseHolder(answer)));
  });
}

function parseHolder(answer: string): Holder | undefined {
  try {
    return JSON.parse(answer) as Holder; // written by tryListen above, in whichever process it ran
  } catch {
    return undefined;
  }
}
