import { insideOf } from "../../../geography/extent.ts";
import type { RecordItem } from "../../../places/record.ts";
import { packRows, type RowBatch } from "../../3-stage/stage-rows.ts";
import type { ThreadTask } from "./threaded-reader.ts";
import type { Outcome, Performer, Performers, TaskReader } from "../tasks.ts";

/** More than the items of any task: a block has a million objects at most, each a place and an area. */
const linesPerTask = 2 ** 22;

/** Which items of a file are wanted. */
type Wanted = (item: RecordItem) => boolean;

/** Places their publisher is sure enough of, and those of the part of the earth that is asked for; areas come along. */
export function wantedItems({ minConfidence, within }: Pick<ThreadTask, "minConfidence" | "within">): Wanted {
  const isInside = within ? insideOf(within) : () => true;
  return (item) => {
    if (!("place" in item)) return true;
    const { confidence = 1, latitude, longitude } = item.place;
    return confidence >= minConfidence && isInside(latitude, longitude);
  };
}

/** The rows of a task. They depend on its number and its file alone, not on which thread makes them or how many there are. */
export async function performAsRows<Task, Findings>(
  performer: Performer<Task, Findings>,
  task: Task,
  { number, part, isWanted }: { number: number; isWanted: Wanted } & Pick<ThreadTask, "part">,
): Promise<Outcome<Findings, RowBatch>> {
  const items: RecordItem[] = [];
  const findings = await performer.perform(task, items);
  return { findings, output: packRows(items.filter(isWanted), number * linesPerTask, part) };
}

/** Performs the tasks of a small file in this thread. */
export async function openRowPerformers<Task, Findings>(
  { open, tasksPerThread }: TaskReader<Task, Findings>,
  { path, part, dataSet, ...wanted }: Pick<ThreadTask, "path" | "part" | "dataSet" | "minConfidence" | "within">,
): Promise<Performers<Task, Findings, RowBatch> & { close(): Promise<void> }> {
  const performer = await open(path, { dataSet });
  const isWanted = wantedItems(wanted);
  return {
    tasksMax: tasksPerThread,
    run: (task, number) => performAsRows(performer, task, { number, part, isWanted }),
    close: () => performer.close(),
  };
}
