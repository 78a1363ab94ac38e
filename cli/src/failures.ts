import { exitCodes } from "./exit-codes.ts";
import { ReaderGone } from "./output.ts";
import { printable, printableJson } from "./terminal.ts";

/** The command was not written as it must be. */
export class UsageProblem extends Error {}

/** The user, or the system, stopped the command. */
export class Interrupted extends Error {}

/** There is no key to call the service with, or one that must not be used. */
export class CredentialProblem extends Error {}

/** The command failed, and what it started is there: the note says how to come back to it. */
class Unfinished extends Error {
  readonly note: string;

  constructor(note: string, cause: unknown) {
    super(note, { cause });
    this.note = note;
  }
}

/** Does something; when that fails, the error says how to come back to what there is by now. */
export async function orSay<Result>(note: () => string | undefined, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const said = note();
    throw said === undefined ? error : new Unfinished(said, error);
  }
}

type Coded = Error & { code: string; details: readonly string[]; retryable?: boolean; status?: number; kind?: string };
type Description = { code: string; message: string; details: readonly string[] };

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

function describe(error: unknown): Description {
  if (error instanceof Unfinished) {
    const { code, message, details } = describe(error.cause);
    return { code, message, details: [...details, error.note] };
  }
  if (error instanceof UsageProblem) return { code: "usage", message: error.message, details: [] };
  if (error instanceof Interrupted) return { code: "interrupted", message: error.message, details: [] };
  if (error instanceof CredentialProblem) return { code: "unauthenticated", message: error.message, details: [] };
  if (isCoded(error)) return inOurWords(error);
  return { code: "failed", message: error instanceof Error ? error.message : String(error), details: [] };
}

/** What the SDK's sentences name, and what stands here in its place. */
const clientWords: readonly (readonly [string, string])[] = [
  ["baseUrl", "WAYPOST_URL"],
  [", or raise timeoutMs", ""],
  [", or longer with waitMs", ""],
];
/** Options that are called otherwise than the fields the operator's verbs check. */
const options: Readonly<Record<string, string>> = { expiresAt: "expires", allowedNetworks: "networks" };

function inOurWords({ name, code, message, details }: Coded): Description {
  if (name === "WaypostError") {
    return { code, message: clientWords.reduce((text, [word, ours]) => text.replace(word, ours), message), details };
  }
  const named = details.map((each) =>
    each.replace(/^\/(\w+)(?=:)/, (_, field: string) => `--${options[field] ?? field}`),
  );
  return { code, message, details: named };
}

function exitCodeOf(error: unknown): number {
  if (error instanceof Unfinished) return exitCodeOf(error.cause);
  if (error instanceof UsageProblem) return exitCodes.usage;
  if (error instanceof Interrupted) return exitCodes.interrupted;
  if (error instanceof CredentialProblem) return exitCodes.denied;
  if (!isCoded(error)) return exitCodes.failed;
  if (error.code === "wait_timed_out") return exitCodes.unfinished;
  if (error.status === 401 || error.status === 403) return exitCodes.denied;
  // The operator's verbs have kinds where answers of the service have a status.
  if (error.status === 404 || error.kind === "not_found") return exitCodes.notFound;
  return error.retryable ? exitCodes.later : exitCodes.failed;
}

function isCoded(error: unknown): error is Coded {
  return error instanceof Error && (error.name === "ServiceError" || error.name === "WaypostError");
}
