import { letOthersGoFirst, serveTasks } from "../thread-tasks.ts";
import { threadMs } from "../thread-time.ts";
import { JsonProblem, parseStrictJson } from "./json.ts";

/** A large body as it was read, or the violations that make it unreadable, and what that took. */
export type ReadJson = ({ value: unknown } | { problems: readonly string[] }) & { ms: number };

letOthersGoFirst();
serveTasks((bytes: Uint8Array): ReadJson => {
  const began = threadMs();
  try {
    const value = parseStrictJson(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
    return { value, ms: threadMs() - began };
  } catch (error) {
    if (error instanceof JsonProblem) return { problems: error.details, ms: threadMs() - began };
    throw error;
  }
});
