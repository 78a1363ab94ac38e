import { fingerprintOf } from "../../../platform/canonical-json.ts";
import { ServiceError } from "../../../platform/errors.ts";
import { letOthersGoFirst, serveTasks } from "../../../platform/thread-tasks.ts";
import { threadMs } from "../../../platform/thread-time.ts";
import type { AreaAnswer, AreaTask } from "./area-reader.ts";
import { prepareArea, readRequestedArea } from "./prepared-area.ts";

letOthersGoFirst();
serveTasks((task: AreaTask): AreaAnswer => {
  const began = threadMs();
  try {
    const answer =
      "area" in task
        ? { prepared: prepareArea(task.area) }
        : { read: { ...readRequestedArea(task.request.area), fingerprint: fingerprintOf(task.request) } };
    return { ...answer, ms: threadMs() - began };
  } catch (error) {
    if (error instanceof ServiceError) return { problems: error.details, ms: threadMs() - began };
    throw error;
  }
});
