import type { RecordItem } from "../../../places/record.ts";
import { packRows, type RowBatch } from "../../3-stage/stage-rows.ts";
import type { ThreadTask } from "./threaded-reader.ts";
import type { Outcome, Performer, Performers, TaskReader } from "../tasks.ts";

/** More than the items of any task: a block has a million objects at most, each a place and an area. */
const linesPerTask = 2 ** 22;

/** The rows of a task. They depend on its number and its file alone, not on which thread makes them or how many there are. */
export async function performAsRows<Task, Findings>(
  performer: Performer<Task, Findings>,
  task: Task,
  { number, part, minConfidence }: { number: number } & Pick<ThreadTask, "part" | "minConfidence">,
): Promise<Outcome<Findings, RowBatch>> {
  const items: RecordItem[] = [];
  const findings = await performer.perform(task, items);
  const kept = minConfidence === 0 ? items : items.filter((item) => isSure(item, minConfidence));
  return { findings, output: packRows(kept, number * linesPerTask, part) };
}

function isSure(item: RecordItem, minConfidence: number): boolean {
  return !("place" in item) || item.place.confidence === undefined || item.place.confidence >= minConfidence;
}

/** Performs the tasks of a small file in this thread. */
export async function openRowPerformers<Task, Findings>(
  { open, tasksPerThread }: TaskReader<Task, Findings>,
  { path, part, dataSet, minConfidence }: Pick<ThreadTask, "path" | "part" | "dataSet" | "minConfidence">,
): Promise<Performers<Task, Findings, RowBatch> & { close(): Promise<void> }> {
  const performer = await open(path, { dataSet });
  return {
    tasksMax: tasksPerThread,
    run: (task, number) => performAsRows(performer, task, { number, part, minConfidence }),
    close: () => performer.close(),
  };
}
