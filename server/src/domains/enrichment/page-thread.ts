import { serveTasks } from "../../platform/thread-tasks.ts";
import type { ReadingTask, TaskAnswer } from "./page-reader.ts";
import { parseRobots } from "./robots.ts";
import { readSitePage } from "./site-page.ts";

// The body of a thread that reads what strangers wrote; page-reader.ts starts it.
serveTasks((task: ReadingTask): TaskAnswer => {
  if (task.kind === "page") return readSitePage(task);
  return parseRobots(Buffer.from(task.text).toString("utf8"), task.productToken)(task.path);
});
