import { type Outbound, OutboundFailure, type OutboundResponse } from "../../platform/net/outbound.ts";
import type { TaskLimits } from "../../platform/thread-pool.ts";
import { withoutFragment } from "./contact-pages.ts";
import type { PageReader } from "./page-reader.ts";
import { PageUnread } from "./page-unread.ts";
import { isSameSite, urlCharactersMax } from "./site.ts";
import type { SitePage } from "./site-page.ts";

export type VisitLimits = {
  pageMs: number;
  totalMs: number;
  /** How long a thread may work on one page or one robots.txt. */
  parseMs: number;
};

type VisitDeps = {
  outbound: Outbound;
  reader: PageReader;
  userAgent: string;
  limits: VisitLimits;
  signal: AbortSignal;
};

/** What a site's robots.txt says: its text, or that everything or nothing is allowed. */
type Robots = Buffer | "everything" | "nothing";

const pageBytesMax = 1_000_000;
/** RFC 9309, section 2.5: at least 500 KiB are to be read. */
const robotsBytesMax = 500 * 1024;
const redirectsMax = 3;
/** No page comes within less; and a timer may ring a moment before the time that the clock shows. */
const leastMs = 5;

/** One visit to one website: it never leaves the site, and asks robots.txt before every page. */
export function startVisit(website: URL, { outbound, reader, userAgent, limits, signal }: VisitDeps) {
  const robotsByOrigin = new Map<string, Promise<Robots>>();
  const endsAt = performance.now() + limits.totalMs;

  /** Reads a page of the site, following it to where it moved within the site. */
  async function read(address: string, visited: readonly string[]): Promise<SitePage & { url: string }> {
    let url = new URL(address);
    for (let redirects = 0; redirects <= redirectsMax; redirects += 1) {
      if (url.href.length > urlCharactersMax) throw new PageUnread("failed");
      if (!(await mayVisit(url))) throw new PageUnread("blocked_by_robots");

      const response = await ask(url.href, pageBytesMax, "text/html, application/xhtml+xml;q=0.9");
      const next = redirectOf(response);
      if (!next) return { ...(await parse(response, [...visited, withoutFragment(url.href)])), url: response.url };
      if (!isSameSite(next, website)) throw new PageUnread("failed");
      url = next;
    }
    throw new PageUnread("failed");
  }

  function parse({ status, headers, body, url }: OutboundResponse, visited: readonly string[]): Promise<SitePage> {
    const contentType = headers["content-type"] ?? "";
    const isHtml = /^\s*(text\/html|application\/xhtml\+xml)\s*(;|$)/i.test(contentType);
    if (status !== 200 || !isHtml) throw new PageUnread("failed");
    return reader.readPage({ body, contentType, url, home: website.href, visited }, taskLimits());
  }

  async function mayVisit(url: URL): Promise<boolean> {
    const known = robotsByOrigin.get(url.origin) ?? fetchRobots(url.origin);
    robotsByOrigin.set(url.origin, known);
    const robots = await known;
    if (typeof robots === "string") return robots === "everything";
    const productToken = userAgent.split("/")[0] ?? userAgent;
    return reader.mayVisit({ text: robots, productToken, path: url.pathname + url.search }, taskLimits());
  }

  // RFC 9309: a site that answers that it has none (4xx) allows everything; one that cannot tell
  // (5xx) allows nothing. Without any answer there is no page to ask for either.
  async function fetchRobots(origin: string): Promise<Robots> {
    let url = new URL("/robots.txt", origin);
    for (let redirects = 0; redirects <= redirectsMax; redirects += 1) {
      const response = await ask(url.href, robotsBytesMax, "text/plain");
      const next = redirectOf(response);
      if (!next && response.status >= 500) return "nothing";
      if (!next && response.status >= 300) return "everything";
      if (!next) return wholeLines(response);
      if (!isSameSite(next, website) || next.href.length > urlCharactersMax) return "everything";
      url = next;
    }
    return "everything";
  }

  async function ask(url: string, bytesMax: number, accept: string): Promise<OutboundResponse> {
    const deadlineMs = Math.min(limits.pageMs, leftMs());
    const headers = { "user-agent": userAgent, accept };
    try {
      return await outbound.request({
        url,
        headers,
        deadlineMs,
        bytesMax,
        signal,
        protocols: ["https:", "http:"],
        keepAlive: true,
      });
    } catch (error) {
      if (!(error instanceof OutboundFailure)) throw error;
      const isLate = error.reason === "timed_out" || error.reason === "lookup_timed_out";
      throw new PageUnread(isLate ? "timed_out" : "failed", error);
    }
  }

  function taskLimits(): TaskLimits {
    return { workMs: limits.parseMs, signal: AbortSignal.any([signal, AbortSignal.timeout(Math.ceil(leftMs()))]) };
  }

  /** Throws when nothing is left of the visit's time. */
  function leftMs(): number {
    const left = endsAt - performance.now();
    if (left < leastMs) throw new PageUnread("timed_out");
    return left;
  }

  return { read };
}

/** Without the line in which a body was cut off: half of `/private` may be `/`. */
function wholeLines({ body, truncated }: OutboundResponse): Buffer {
  return truncated ? body.subarray(0, Math.max(body.lastIndexOf("\n"), body.lastIndexOf("\r")) + 1) : body;
}

function redirectOf({ status, headers, url }: OutboundResponse): URL | undefined {
  const location = headers["location"];
  if (location === undefined || ![301, 302, 303, 307, 308].includes(status)) return undefined;
  return URL.parse(location, url) ?? undefined;
}
