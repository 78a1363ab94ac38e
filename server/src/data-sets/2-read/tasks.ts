import type { RecordItem } from "../../places/record.ts";
import type { ReadOptions } from "./reader.ts";

/**
 * How a file is read by several threads: one plans, that is, goes through the file and hands out tasks;
 * any thread performs them. Tasks and findings are cloned between threads.
 */
export type TaskReader<Task, Findings> = {
  /** Yields what became of the items of each task, in the order of the tasks. */
  plan<Output>(
    path: string,
    options: ReadOptions,
    performers: Performers<Task, Findings, Output>,
  ): AsyncGenerator<Output, void, undefined>;
  open(path: string, options: Pick<ReadOptions, "dataSet">): Promise<Performer<Task, Findings>>;
  /** Two where a thread can read and unpack for the next task while it works on one. */
  tasksPerThread: 1 | 2;
};

export type Performer<Task, Findings> = {
  /** Adds the items of the task to the list; resolves to what the plan needs to know for later tasks. */
  perform(task: Task, items: RecordItem[]): Promise<Findings>;
  close(): Promise<void>;
};

export type Performers<Task, Findings, Output> = {
  /** What is made of the items of tasks keeps the order of their numbers. */
  run(task: Task, number: number): Promise<Outcome<Findings, Output>>;
  /** How many tasks may run at once. */
  tasksMax: number;
};

export type Outcome<Findings, Output> = { findings: Findings; output: Output };

/** Runs tasks at once, yet yields each with its outcome in the order of the tasks. They are numbered from one unless told. */
export async function* runInOrder<Task, Findings, Output>(
  tasks: Iterable<Task> | AsyncIterable<Task>,
  { run, tasksMax }: Performers<Task, Findings, Output>,
  numberOf: (task: Task, index: number) => number = (_, index) => index + 1,
): AsyncGenerator<Outcome<Findings, Output> & { task: Task }, void, undefined> {
  let count = 0;
  const running: { task: Task; outcome: Promise<Outcome<Findings, Output>> }[] = [];
  try {
    for await (const task of tasks) {
      const outcome = run(task, numberOf(task, count));
      count += 1;
      outcome.catch(() => undefined); // awaited in its turn
      running.push({ task, outcome });
      if (running.length < tasksMax) continue;
      yield* first(running);
    }
    while (running.length > 0) yield* first(running);
  } finally {
    await Promise.allSettled(running.map(({ outcome }) => outcome));
  }
}

async function* first<Task, Result>(running: { task: Task; outcome: Promise<Result> }[]) {
  const [next] = running;
  if (!next) return;
  const outcome = await next.outcome;
  running.shift();
  yield { ...outcome, task: next.task };
}

/** Reads items with this thread alone. */
export async function* readAlone<Task, Findings>(
  { plan, open, tasksPerThread }: TaskReader<Task, Findings>,
  path: string,
  options: ReadOptions,
): AsyncGenerator<RecordItem, void, undefined> {
  const performer = await open(path, options);
  async function run(task: Task) {
    const output: RecordItem[] = [];
    return { findings: await performer.perform(task, output), output };
  }
  try {
    for await (const items of plan(path, options, { run, tasksMax: tasksPerThread })) yield* items;
  } finally {
    await performer.close();
  }
}
