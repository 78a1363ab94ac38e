import { isUtf8 } from "node:buffer";
import { excessIn } from "../../platform/json-shape.ts";
import { decodeAs } from "../../platform/net/charset.ts";
import { OutboundFailure, type OutboundResponse } from "../../platform/net/outbound.ts";
import { retryAfterIn } from "../retry-after.ts";
import { type SourceAction, SourceFailure, type SourceFailureCode } from "../source.ts";

export type Service = "Nominatim" | "Overpass";
export type JsonValue = null | boolean | number | string | JsonValue[] | { [key: string]: JsonValue };

export function isObject(value: JsonValue | undefined): value is { [key: string]: JsonValue } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** How long a service is disabled when it asks for rest and does not say how long. */
const restSeconds = { busy: 30, overLimit: 900 };

/**
 * Classifies an answer before anybody reads it, and returns its JSON when it is a real one. Both
 * services answer with HTTP 200 where they mean a block, a limit or an error of their own.
 */
export function readAnswer(service: Service, response: OutboundResponse, now: Date): JsonValue {
  const text = decodeAs("utf-8", response.body); // without the byte order mark that some mirrors write
  const retryAfter = retryAfterIn(response.headers, now);
  const refusal = refusalIn(response.status, text);
  if (refusal === "page") checkRemark(/runtime error: [^<]{1,200}/.exec(text.slice(0, 4000))?.[0]);
  if (refusal) throw failureFor(service, refusal, response.status, retryAfter);
  if (response.truncated) throw new SourceFailure("give_up", "source_failed", `${service}'s answer is too large.`);
  // What is no UTF-8 would give names that nobody has.
  if (!isUtf8(response.body)) throw noJson(service);
  const excess = excessIn(response.body, limits);
  if (excess !== undefined) {
    throw new SourceFailure("give_up", "source_failed", `${service}'s answer is no answer of its kind (${excess}).`);
  }
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw noJson(service, cause);
  }
}

function noJson(service: Service, cause?: unknown): SourceFailure {
  return new SourceFailure("try_again", "source_failed", `${service}'s answer is cut off or no JSON.`, { cause });
}

// Two hundred places with as many tags as any has are far below that. Parsing the worst of these takes less than 100 ms.
const limits = { containersMax: 20_000, depthMax: 100, keysMax: 60_000 };

type Refusal = "over_limit" | "busy" | "blocked" | "not_understood" | "broken" | "refused" | "moved" | "page";

/** What kind of no an answer is; undefined when it may be a yes. */
function refusalIn(status: number, text: string): Refusal | undefined {
  const isPage = /^\s*</.test(text);
  const words = isPage || status !== 200 ? text.slice(0, 4000) : besidesData(text);
  if (status === 429 || status === 509 || /limit exceeded|too many requests|overus|rate_limited/i.test(words))
    return "over_limit";
  if (status === 504 || status === 503 || /too busy|request_read_and_idx::timeout|server load/i.test(words))
    return "busy";
  if (status === 401 || status === 403 || /captcha|access blocked|access denied|consent/i.test(words)) return "blocked";
  if (status >= 500) return "broken";
  if (notUnderstood.has(status)) return "not_understood";
  if (status >= 400) return "refused";
  if (status >= 300) return "moved";
  return isPage ? "page" : undefined;
}

/** A limit or a block may be plain text, or an object that tells an error and no more. */
function besidesData(text: string): string {
  const isError = text.length < 4000 && /^\s*\{\s*"error"/.test(text);
  return isError ? text : (/^[^[{]*/.exec(text.slice(0, 4000))?.[0] ?? "");
}

/** Of bad requests and too long ones the question is the likely cause, and not of others. */
const notUnderstood: ReadonlySet<number> = new Set([400, 413, 414, 422]);

const refusals: Readonly<Record<Refusal, readonly [SourceAction, SourceFailureCode, sentence: string]>> = {
  over_limit: ["slow_down", "source_unavailable", "says we asked too much"],
  busy: ["slow_down", "source_unavailable", "is too busy"],
  blocked: ["give_up", "source_failed", "has blocked us"],
  not_understood: ["give_up", "source_failed", "does not understand the question"],
  refused: ["give_up", "source_failed", "does not accept the request"],
  moved: ["give_up", "source_failed", "is no longer at this address"],
  broken: ["try_again", "source_failed", "failed"],
  page: ["try_again", "source_failed", "answered with a web page"],
};

function failureFor(service: Service, refusal: Refusal, status: number, retryAfter: number | undefined): SourceFailure {
  const [action, code, sentence] = refusals[refusal];
  const usualRest = refusal === "over_limit" ? restSeconds.overLimit : restSeconds.busy;
  return new SourceFailure(action, code, `${service} ${sentence} (HTTP ${status}).`, {
    ...(action === "slow_down" ? { retryAfterSeconds: retryAfter ?? usualRest } : {}),
    ...(refusal === "not_understood" ? { fault: "question" } : {}),
  });
}

/** An error in a remark is how Overpass says, in HTTP 200, that it stopped before the end. */
export function checkRemark(remark: JsonValue | undefined): void {
  if (remark === undefined || remark === null) return;
  if (typeof remark !== "string") throw changedLayout("Overpass");
  if (!/error|out of memory|timed out|rate.limited/i.test(remark)) return;
  const message = `Overpass: ${remark.slice(0, 200)}`;
  // Overpass gave the query the time that it asked for: others may need less.
  if (/timed out/i.test(remark)) {
    throw new SourceFailure("try_again", "source_timeout", message, { fault: "question" });
  }
  if (/rate.limited|too busy|dispatcher/i.test(remark)) {
    throw new SourceFailure("slow_down", "source_unavailable", message, { retryAfterSeconds: restSeconds.busy });
  }
  if (!/out of memory/i.test(remark)) throw new SourceFailure("try_again", "source_failed", message);
  // What is asked for has more to it than one query may hold.
  throw new SourceFailure("give_up", "source_failed", message, { fault: "question" });
}

/** What it means that a request got no answer at all. */
export function failureOfRequest(service: Service, error: unknown): SourceFailure {
  if (error instanceof SourceFailure) return error;
  if (!(error instanceof OutboundFailure)) throw error;
  const options = { cause: error };
  if (error.reason === "timed_out") {
    return new SourceFailure("try_again", "source_timeout", `${service} did not answer in time.`, options);
  }
  const action = hopeless.has(error.reason) ? "give_up" : "try_again";
  return new SourceFailure(action, "source_unavailable", `${service} cannot be reached.`, options);
}

/** Reasons that lie in the address we were given, and so do not pass. */
const hopeless: ReadonlySet<OutboundFailure["reason"]> = new Set(["not_public", "bad_url", "too_many_redirects"]);

/** The layout of an answer is not what it was when this was written. */
export function changedLayout(service: Service): SourceFailure {
  return new SourceFailure("give_up", "source_failed", `${service} answered in a shape that is not known here.`);
}
