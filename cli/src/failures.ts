import { exitCodes } from "./exit-codes.ts";
import { ReaderGone } from "./output.ts";
import { printable, printableJson } from "./terminal.ts";

/** The command was not written as it must be. */
export class UsageProblem extends Error {}

/** The user, or the system, stopped the command. */
export class Interrupted extends Error {}

/** There is no key to call the service with, or one that must not be used. */
export class CredentialProblem extends Error {}

type Coded = Error & { code: string; details: readonly string[]; retryable?: boolean; status?: number };

/** Says on standard error what went wrong; resolves to the exit code. */
export function explain(error: unknown, json: boolean): number {
  if (error instanceof ReaderGone) return exitCodes.done;
  const { code, message, details } = describe(error);
  if (json) {
    console.error(printableJson({ error: { code, message, details } }));
  } else {
    console.error([message, ...details.map((detail) => `  ${detail}`)].map(printable).join("\n"));
  }
  return exitCodeOf(error);
}

function describe(error: unknown): { code: string; message: string; details: readonly string[] } {
  if (error instanceof UsageProblem) return { code: "usage", message: error.message, details: [] };
  if (error instanceof Interrupted) return { code: "interrupted", message: error.message, details: [] };
  if (error instanceof CredentialProblem) return { code: "unauthenticated", message: error.message, details: [] };
  if (isCoded(error)) return error;
  return { code: "failed", message: error instanceof Error ? error.message : String(error), details: [] };
}

function exitCodeOf(error: unknown): number {
  if (error instanceof UsageProblem) return exitCodes.usage;
  if (error instanceof Interrupted) return exitCodes.interrupted;
  if (error instanceof CredentialProblem) return exitCodes.denied;
  // The operator's verbs fail with 1, whatever the reason.
  if (!isCoded(error) || error.name !== "WaypostError") return exitCodes.failed;
  if (error.code === "wait_timed_out") return exitCodes.unfinished;
  if (error.status === 401 || error.status === 403) return exitCodes.denied;
  if (error.status === 404) return exitCodes.notFound;
  return error.retryable ? exitCodes.later : exitCodes.failed;
}

function isCoded(error: unknown): error is Coded {
  return error instanceof Error && (error.name === "ServiceError" || error.name === "WaypostError");
}
