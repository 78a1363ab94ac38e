import { exitCodes } from "./exit-codes.ts";
import { ReaderGone } from "./output.ts";
import { printable, printableJson, styled } from "./terminal.ts";

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

type Coded = Error & {
  code: string;
  details: readonly string[];
  retryable?: boolean;
  status?: number;
  kind?: string;
  requestId?: string;
};
type Description = {
  code: string;
  message: string;
  details: readonly string[];
  /** Names the request in the log of the service that refused it. */
  requestId?: string | undefined;
};

/** Says on standard error what went wrong; resolves to the exit code. */
export function explain(error: unknown, json: boolean): number {
  if (error instanceof ReaderGone) return exitCodes.done;
  const { code, message, details, requestId } = describe(error);
  if (json) {
    const request = requestId === undefined ? {} : { request_id: requestId };
    console.error(printableJson({ error: { code, message, details, ...request } }));
  } else {
    const source = requestId === undefined ? [] : [`${code}, request ${requestId}`];
    const [first = "", ...rest] = [message, ...[...details, ...source].map((detail) => `  ${detail}`)].map(printable);
    console.error([styled("red", first, process.stderr), ...rest].join("\n"));
  }
  return exitCodeOf(error);
}

function describe(error: unknown): Description {
  if (error instanceof Unfinished) {
    const cause = describe(error.cause);
    return { ...cause, details: [...cause.details, error.note] };
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
/** What the command line calls a field that it does not name alike. */
const fieldNames: Readonly<Record<string, string>> = {
  q: "The query",
  expiresAt: "--expires",
  allowedNetworks: "--networks",
  webhook_endpoint_id: "--webhook",
  event_types: "--events",
};
const field = /^\/(?:input\/)?(\w+)[\w/]*: /;

function inOurWords({ name, code, message, details, requestId }: Coded): Description {
  const named = details.map((each) => each.replace(field, (_, first: string) => `${nameOf(first)}: `));
  if (name !== "WaypostError") return { code, message, details: named };
  if (namesField({ code, details })) {
    const sentences = named.map((each) => each.replace(": ", " ").replace(/\.?$/, "."));
    return { code, message: sentences.join(" "), details: [], requestId };
  }
  const said = clientWords.reduce((text, [word, ours]) => text.replace(word, ours), message);
  return { code, message: said, details, requestId };
}

function nameOf(first: string): string {
  return fieldNames[first] ?? `--${first.replaceAll("_", "-")}`;
}

/** Whether the service or a verb refused what an option or a word of the command says. */
function namesField({ code, details }: Pick<Coded, "code" | "details">): boolean {
  return code === "invalid_request" && details.length > 0 && details.every((each) => field.test(each));
}

function exitCodeOf(error: unknown): number {
  if (error instanceof Unfinished) return exitCodeOf(error.cause);
  if (error instanceof UsageProblem) return exitCodes.usage;
  if (error instanceof Interrupted) return exitCodes.interrupted;
  if (error instanceof CredentialProblem) return exitCodes.denied;
  if (!isCoded(error)) return exitCodes.failed;
  if (namesField(error)) return exitCodes.usage;
  if (error.code === "wait_timed_out") return exitCodes.unfinished;
  if (error.status === 401 || error.status === 403) return exitCodes.denied;
  // The operator's verbs have kinds where answers of the service have a status.
  if (error.status === 404 || error.kind === "not_found") return exitCodes.notFound;
  return error.retryable ? exitCodes.later : exitCodes.failed;
}

function isCoded(error: unknown): error is Coded {
  return error instanceof Error && (error.name === "ServiceError" || error.name === "WaypostError");
}
