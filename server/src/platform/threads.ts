import { Worker } from "node:worker_threads";

/** Threads of one script, for the machine's own work: each message gets one reply. */
export type Threads<Message, Reply> = {
  /** Asks the thread that has least to do; rejects once that one has ended. */
  ask(message: Message, transferred?: readonly ArrayBuffer[]): Promise<Reply>;
  close(): Promise<void>;
};

/** What a thread is sent, and sends back with the same number. */
export type Numbered<Content> = { number: number; content: Content };

type Options = {
  script: URL;
  workerData: unknown;
  /** Without it a thread may use what the process may. */
  heapMegabytes?: number;
  /** Of a thread, in the message of the error when it ends. */
  purpose: string;
};

const youngMegabytes = 32;

export function openThreads<Message, Reply>(count: number, options: Options): Threads<Message, Reply> {
  const threads = Array.from({ length: count }, () => startThread<Message, Reply>(options));
  return {
    ask(message, transferred = []) {
      const idlest = threads.reduce((best, thread) => (thread.waiting.size < best.waiting.size ? thread : best));
      return idlest.ask(message, transferred);
    },
    async close() {
      await Promise.all(threads.map(({ worker }) => worker.terminate()));
    },
  };
}

function startThread<Message, Reply>({ script, workerData, heapMegabytes, purpose }: Options) {
  const worker = new Worker(script, {
    workerData,
    resourceLimits: {
      maxYoungGenerationSizeMb: youngMegabytes,
      ...(heapMegabytes === undefined ? {} : { maxOldGenerationSizeMb: heapMegabytes }),
    },
  });
  const waiting = new Map<number, PromiseWithResolvers<Reply>>();
  let last = 0;
  let failure: Error | undefined;
  worker.on("message", ({ number, content }: Numbered<Reply>) => {
    waiting.get(number)?.resolve(content);
    waiting.delete(number);
  });
  const fail = (error: Error) => {
    failure ??= error;
    for (const { reject } of waiting.values()) reject(failure);
    waiting.clear();
  };
  worker.on("error", fail);
  worker.on("exit", () => fail(new Error(`a thread that ${purpose} ended without a word`)));

  function ask(content: Message, transferred: readonly ArrayBuffer[]): Promise<Reply> {
    if (failure) return Promise.reject(failure);
    const reply = Promise.withResolvers<Reply>();
    last += 1;
    waiting.set(last, reply);
    worker.postMessage({ number: last, content } satisfies Numbered<Message>, [...transferred]);
    return reply.promise;
  }

  return { worker, waiting, ask };
}
