import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { now } from "../port.ts";
import type { Ask } from "../reader.ts";

/** What a thread is started with. */
export type SearchThreadSettings = {
  path: string;
  installation: string;
  /** The module whose openReader searches a file. */
  reader: string;
  /** Holds another number than 0 when the question of this moment is over. */
  stop: Int32Array;
};
/** A question, of a generation not before `least`; null asks for the generation. */
export type Question = { ask: unknown; least: number; until: number };
export type Reply =
  | { answer: unknown }
  | { generation: number }
  | { unavailable: string; isDamaged?: true }
  | { isOver: true }
  | { error: unknown };

/** There was no file to search until the question's time was over. The same may succeed a little later. */
export class IndexUnavailable extends Error {}

type ThreadsOptions = {
  path: string;
  /** Whose file may be searched. */
  installation: string;
  /** A search met damage: the follower of this process need not wait for its next look. */
  onDamage(): void;
  threadsMax?: number;
  reader?: URL;
};

export type AskOptions = {
  signal: AbortSignal;
  /** By performance.timeOrigin + performance.now(), which is the same in every thread. */
  until: number;
};

type Task = Question & { resolve(answer: unknown): void; reject(error: unknown): void; isOver: boolean; lack: string };
type Thread = { worker: Worker; stop: Int32Array; task: Task | undefined };

const waitingMax = 1_000;
/** How long the answer of a search that is over may take. */
const graceMs = 200;
/** How soon a question is asked again for which there was no file. */
const retryMs = 100;
/** How long a machine that is behind is waited for. Another may go on sooner. */
const behindMs = 2_000;

/** Searches the index file of this machine in a few threads, each with a handle of its own and one question at a time. */
export function createSearchThreads({ path, installation, onDamage, threadsMax, reader }: ThreadsOptions) {
  const countMax = threadsMax ?? Math.min(availableParallelism(), 4);
  const module = (reader ?? new URL("../reader.ts", import.meta.url)).href;
  const threads = new Set<Thread>();
  const idle: Thread[] = [];
  const waiting: Task[] = [];
  let later: Task[] = [];
  let retryTimer: NodeJS.Timeout | undefined;
  let least = 0;

  /** Answers by `until`, or rejects with IndexUnavailable, with the signal's reason, or with what the search throws. */
  function ask(asked: Ask, { signal, until }: AskOptions): Promise<unknown> {
    return run(asked, least, signal, until);
  }

  /** Resolves once questions are answered of this generation or a later one; rejects with IndexUnavailable after two seconds. */
  async function waitFor(generation: number, signal: AbortSignal): Promise<void> {
    if (least >= generation) return;
    await run(null, generation, signal, now() + behindMs);
    least = Math.max(least, generation);
  }

  async function run(asked: unknown, from: number, signal: AbortSignal, until: number): Promise<unknown> {
    signal.throwIfAborted();
    if (waiting.length >= waitingMax) throw new IndexUnavailable("Too many searches wait for the place index.");
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const task: Task = { ask: asked, least: from, until, resolve, reject, isOver: false, lack: "" };
    const leave = () => end(task, signal.reason);
    let timer = setTimeout(
      () => {
        // A thread that is at it notices by itself, and answers what it has found.
        timer = setTimeout(() => end(task, new IndexUnavailable(task.lack || overdue)), isRunning(task) ? graceMs : 0);
      },
      Math.max(0, until - now()),
    );
    signal.addEventListener("abort", leave, { once: true });
    waiting.push(task);
    next();
    try {
      return await promise;
    } finally {
      task.isOver = true;
      clearTimeout(timer);
      signal.removeEventListener("abort", leave);
    }
  }

  const isRunning = (task: Task) => [...threads].some((thread) => thread.task === task);

  /** The caller waits no longer. A thread that is at it notices between two rows. */
  function end(task: Task, reason: unknown): void {
    task.isOver = true;
    task.reject(reason);
    for (const thread of threads) if (thread.task === task) Atomics.store(thread.stop, 0, 1);
  }

  function next(): void {
    for (let task = waiting.shift(); task; task = waiting.shift()) {
      if (task.isOver) continue;
      const thread = idle.pop() ?? (threads.size < countMax ? start() : undefined);
      if (!thread) return void waiting.unshift(task);
      thread.task = task;
      Atomics.store(thread.stop, 0, 0);
      const { ask: asked, least: from, until } = task;
      thread.worker.postMessage({ ask: asked, least: from, until } satisfies Question, []);
    }
  }

  function start(): Thread {
    const stop = new Int32Array(new SharedArrayBuffer(4));
    const workerData: SearchThreadSettings = { path, installation, reader: module, stop };
    const worker = new Worker(new URL("search-thread.ts", import.meta.url), { workerData });
    worker.unref();
    const thread: Thread = { worker, stop, task: undefined };
    threads.add(thread);
    worker.on("message", (reply: Reply) => {
      const { task } = thread;
      thread.task = undefined;
      idle.push(thread);
      if (task) settle(task, reply);
      next();
    });
    let failure: unknown;
    worker.on("error", (error) => (failure = error));
    worker.on("exit", () => {
      threads.delete(thread);
      const at = idle.indexOf(thread);
      if (at !== -1) idle.splice(at, 1);
      thread.task?.reject(new IndexUnavailable("A search thread ended.", { cause: failure }));
      next();
    });
    return thread;
  }

  function settle(task: Task, reply: Reply): void {
    if ("answer" in reply) return task.resolve(reply.answer);
    if ("error" in reply) return task.reject(reply.error);
    if ("isOver" in reply) return task.reject(new IndexUnavailable(overdue));
    if ("generation" in reply && reply.generation >= task.least) return task.resolve(reply.generation);
    if ("unavailable" in reply) {
      task.lack = reply.unavailable;
      if (reply.isDamaged) onDamage();
    } else task.lack = behind;
    if (task.isOver) return;
    if (now() >= task.until) return task.reject(new IndexUnavailable(task.lack));
    later.push(task);
    retryTimer ??= setTimeout(retry, retryMs);
  }

  function retry(): void {
    retryTimer = undefined;
    waiting.push(...later);
    later = [];
    next();
  }

  async function close(): Promise<void> {
    clearTimeout(retryTimer);
    for (const task of [...waiting, ...later]) end(task, new IndexUnavailable("The service is stopping."));
    for (const { stop } of threads) Atomics.store(stop, 0, 1);
    await Promise.all([...threads].map(({ worker }) => worker.terminate()));
  }

  return { ask, waitFor, close };
}

const behind = "The place index is behind the catalog.";
const overdue = "The search took longer than it may.";
