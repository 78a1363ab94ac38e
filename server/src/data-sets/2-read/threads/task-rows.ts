import type { RecordItem } from "../../../places/record.ts";
import { packRows, type RowBatch } from "../../3-stage/stage-rows.ts";
import type { Outcome, Performer, Performers, TaskReader } from "../tasks.ts";

/** More than the items of any task: a block has a million objects at most, each a place and an area. */
const linesPerTask = 2 ** 22;

/** The rows of a task. They depend on its number and its file alone, not on which thread makes them or how many there are. */
export async function performAsRows<Task, Findings>(
  performer: Performer<Task, Findings>,
  task: Task,
  { number, part }: { number: number; part: number },
): Promise<Outcome<Findings, RowBatch>> {
  const items: RecordItem[] = [];
  const findings = await performer.perform(task, items);
  return { findings, output: packRows(items, number * linesPerTask, part) };
}

/** Performs the tasks of a small file in this thread. */
export async function openRowPerformers<Task, Findings>(
  { open, tasksPerThread }: TaskReader<Task, Findings>,
  { path, part, dataSet }: { path: string; part: number; dataSet: string },
): Promise<Performers<Task, Findings, RowBatch> & { close(): Promise<void> }> {
  const performer = await open(path, { dataSet });
  return {
    tasksMax: tasksPerThread,
    run: (task, number) => performAsRows(performer, task, { number, part }),
    close: () => performer.close(),
  };
}
