import { Worker } from "node:worker_threads";
import { createSlots } from "./net/slots.ts";

/** Why a task has no answer: it took too long, too many waited, its caller left, or its thread failed. */
type Reason = "timed_out" | "overloaded" | "aborted" | "thread_failed";

export class TaskFailed extends Error {
  readonly reason: Reason;

  constructor(reason: Reason, cause?: unknown) {
    super(`a task in a thread ended without an answer: ${reason}`, cause === undefined ? undefined : { cause });
    this.name = "TaskFailed";
    this.reason = reason;
  }
}

type PoolOptions = {
  /** A module that calls serveTasks of thread-tasks.ts. */
  script: URL;
  threadsMax: number;
  waitingMax: number;
  heapMegabytes: number;
};

export type TaskLimits = {
  /** Counted from the moment that a thread begins with the task. */
  workMs: number;
  /** Ends the wait for a thread as well as the work. */
  signal: AbortSignal;
};

/** `message` is its next message, or why none comes. */
type Thread = { worker: Worker; isReady: boolean; message: PromiseWithResolvers<unknown> };

/**
 * Threads for work on data of strangers. What takes too long or too much memory costs its thread and
 * nothing else: V8 can stop a thread in the middle of any loop, which it cannot do for a function.
 */
export function createThreadPool<Task, Answer>({ script, threadsMax, waitingMax, heapMegabytes }: PoolOptions) {
  const slots = createSlots({ slotsMax: threadsMax, waitingMax });
  const threads = new Set<Thread>();
  const idle: Thread[] = [];

  /** Throws TaskFailed and nothing else. */
  function run(task: Task, { workMs, signal }: TaskLimits): Promise<Answer> {
    const refusal = () => new TaskFailed(signal.aborted ? "aborted" : "overloaded");
    return slots.run(signal, refusal, () => runInThread(task, workMs, signal));
  }

  async function runInThread(task: Task, workMs: number, signal: AbortSignal): Promise<Answer> {
    const thread = idle.pop() ?? start();
    const end = (reason: Reason) => thread.message.reject(new TaskFailed(reason));
    const leave = () => end("aborted");
    signal.addEventListener("abort", leave, { once: true });
    let timer: NodeJS.Timeout | undefined;
    try {
      if (!thread.isReady) await nextMessage(thread);
      const answer = nextMessage(thread) as Promise<Answer>;
      if (signal.aborted) leave();
      else thread.worker.postMessage(task, []);
      timer = setTimeout(end, workMs, "timed_out");
      const result = await answer;
      idle.push(thread);
      return result;
    } catch (error) {
      // A thread that is still starting has not seen the task: the next one finds it ready.
      if (!thread.isReady && threads.has(thread)) idle.push(thread);
      else void stop(thread);
      throw error;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener("abort", leave);
    }
  }

  function start(): Thread {
    const worker = new Worker(script, {
      resourceLimits: { maxOldGenerationSizeMb: heapMegabytes, maxYoungGenerationSizeMb: 16 },
    });
    worker.unref(); // an idle thread keeps no process alive
    const thread: Thread = { worker, isReady: false, message: Promise.withResolvers() };
    const fail = (cause?: unknown) => {
      threads.delete(thread);
      const at = idle.indexOf(thread);
      if (at !== -1) idle.splice(at, 1);
      thread.message.reject(new TaskFailed("thread_failed", cause));
    };
    worker.on("message", (message: unknown) => {
      thread.isReady = true; // that is what its first one says
      thread.message.resolve(message);
    });
    worker.once("error", fail).once("exit", () => fail());
    threads.add(thread);
    return thread;
  }

  function stop(thread: Thread): Promise<number> {
    threads.delete(thread);
    return thread.worker.terminate();
  }

  async function close(): Promise<void> {
    idle.length = 0;
    await Promise.all([...threads].map(stop));
  }

  return { run, close };
}

/**
 * The next message of a thread, which has one task at a time. A promise of the thread's end, raced with each message,
 * would keep every one of them for as long as the thread lives.
 */
function nextMessage(thread: Thread): Promise<unknown> {
  thread.message = Promise.withResolvers();
  return thread.message.promise;
}
