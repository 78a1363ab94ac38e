import { OutboundFailure, type OutboundResponse } from "../../platform/net/outbound.ts";
import { retryAfterIn } from "../retry-after.ts";
import { type SourceAction, SourceFailure, type SourceFailureCode, type SourceFault } from "../source.ts";

/** What an answer is, when it is no page. */
export type Refusal =
  | "blocked"
  | "consent"
  | "shell"
  | "layout_unknown"
  | "wrong_place"
  | "overloaded"
  | "server_error"
  | "rejected"
  | "moved"
  | "cut_off"
  | "too_large"
  | "unreachable"
  | "timed_out";

type Meaning = {
  action: SourceAction;
  code: SourceFailureCode;
  sentence: string;
  restSeconds?: number;
  fault?: SourceFault;
};

// A block, a wall and a new layout do not pass by asking again: *slow down* opens the source's
// breaker at once, so that everybody leaves the map alone for the time named here.
const meanings: Readonly<Record<Refusal, Meaning>> = {
  blocked: { action: "slow_down", code: "source_failed", sentence: "has blocked us", restSeconds: 600 },
  consent: { action: "slow_down", code: "source_failed", sentence: "asks for consent first", restSeconds: 600 },
  layout_unknown: {
    action: "slow_down",
    code: "source_failed",
    sentence: "answered in a layout that is not known here",
    restSeconds: 120,
  },
  overloaded: {
    action: "slow_down",
    code: "source_unavailable",
    sentence: "asks for fewer requests",
    restSeconds: 60,
  },
  shell: { action: "try_again", code: "source_failed", sentence: "answered with a page that holds no data" },
  // Where one question has no answer nearby, others have: this is no reason to leave the map alone.
  wrong_place: {
    action: "try_again",
    code: "source_failed",
    sentence: "answered for another place",
    fault: "question",
  },
  server_error: { action: "try_again", code: "source_failed", sentence: "failed" },
  cut_off: { action: "try_again", code: "source_failed", sentence: "sent an answer that is cut off or no JSON" },
  too_large: { action: "give_up", code: "source_failed", sentence: "sent an answer that is too large" },
  rejected: { action: "give_up", code: "source_failed", sentence: "does not accept the request" },
  moved: { action: "give_up", code: "source_failed", sentence: "redirects elsewhere" },
  unreachable: { action: "try_again", code: "source_unavailable", sentence: "cannot be reached" },
  timed_out: { action: "try_again", code: "source_timeout", sentence: "did not answer in time" },
};

/** A refusal of the map, classified. */
export class WebmapFailure extends SourceFailure {
  readonly refusal: Refusal;

  constructor(refusal: Refusal, { detail = "", code, retryAfterSeconds, cause }: FailureDetails = {}) {
    const { action, code: usualCode, sentence, restSeconds, fault } = meanings[refusal];
    const rest = retryAfterSeconds ?? restSeconds;
    super(action, code ?? usualCode, `The web map ${sentence}${detail}.`, {
      ...(fault === undefined ? {} : { fault }),
      ...(action === "slow_down" && rest !== undefined ? { retryAfterSeconds: rest } : {}),
      ...(cause === undefined ? {} : { cause }),
    });
    this.refusal = refusal;
  }
}

type FailureDetails = {
  detail?: string;
  code?: SourceFailureCode;
  retryAfterSeconds?: number | undefined;
  cause?: unknown;
};

/** What it means that a request got no answer at all. */
export function failureOfRequest(error: unknown): WebmapFailure {
  if (!(error instanceof OutboundFailure)) return new WebmapFailure("unreachable", { cause: error });
  if (error.reason === "timed_out") return new WebmapFailure("timed_out", { cause: error });
  if (error.reason === "reset" || error.reason === "bad_response")
    return new WebmapFailure("cut_off", { cause: error });
  return new WebmapFailure("unreachable", { detail: ` (${error.reason})`, cause: error });
}

/** Classifies an HTTP answer before its body is read as data; undefined when it may be a page. */
export function refusalIn(response: OutboundResponse, body: string, now: Date): WebmapFailure | undefined {
  const { status, headers, url } = response;
  const options = { detail: ` (HTTP ${status})`, retryAfterSeconds: retryAfterIn(headers, now) };
  const refusal =
    status >= 300 && status < 400 ? refusalByLocation(headers["location"] ?? "") : refusalByStatus(status, body, url);
  // A 429 is a block with a Retry-After, and is passed on as one.
  return refusal && new WebmapFailure(refusal, status === 429 ? { ...options, code: "source_unavailable" } : options);
}

function refusalByLocation(location: string): Refusal {
  const url = URL.parse(location, "http://map.invalid");
  if (url && (/^consent\./i.test(url.hostname) || /^\/consent\b/i.test(url.pathname))) return "consent";
  // The query may repeat what was asked for, such as a business called Captcha.
  if (url && (/^\/sorry\b/i.test(url.pathname) || /captcha/i.test(url.host + url.pathname))) return "blocked";
  return "moved";
}

function refusalByStatus(status: number, body: string, url: string): Refusal | undefined {
  const isPage = /^\s*</.test(body);
  const page = body.slice(0, 50_000);
  const said = refusalInPage(isPage ? page : beforeData(page), url);
  if (status === 429 || status === 403 || said === "blocked") return "blocked";
  if (said === "consent") return "consent";
  if (status === 503) return "overloaded";
  if (status >= 500) return "server_error";
  if (status >= 400) return "rejected";
  return isPage ? "shell" : undefined;
}

/** A block may be plain text. Data begins with a bracket, and in it a business may be called Captcha. */
function beforeData(body: string): string {
  return /^[^[{]*/.exec(body)?.[0] ?? "";
}

/** A page may repeat the query, whose words then prove nothing. */
function refusalInPage(page: string, url: string): Refusal | undefined {
  const said = refusalByWords(page);
  const query = URL.parse(url)?.searchParams.get("q") ?? "";
  return said === refusalByWords(query) ? undefined : said;
}

/** Addresses are bounded: one that goes on and on would be read to its end from each of its parts. */
const consentWords =
  /\bconsent\.[\w.-]{1,253}(?::\d{1,5})?\/|action=["']?[^"'\s>]{0,500}\/consent\b|before you continue/i;

function refusalByWords(page: string): Refusal | undefined {
  if (/unusual traffic|captcha|\/sorry\//i.test(page)) return "blocked";
  if (consentWords.test(page)) return "consent";
  return undefined;
}
