import { getDomain } from "tldts";
import { type Outbound, OutboundFailure, type OutboundResponse } from "../../platform/net/outbound.ts";
import { everythingAllowed, nothingAllowed, parseRobots, type Robots } from "./robots.ts";
import { decodeText } from "./text-decoding.ts";

export type VisitLimits = { pageMs: number; totalMs: number };

/** Why a page was not read. */
export class PageUnread extends Error {
  readonly state: "blocked_by_robots" | "failed" | "timed_out";

  constructor(state: PageUnread["state"], cause?: unknown) {
    super(`page not read: ${state}`, cause === undefined ? undefined : { cause });
    this.name = "PageUnread";
    this.state = state;
  }
}

const pageBytesMax = 1_000_000;
const robotsBytesMax = 500_000;
const redirectsMax = 3;
/** No page comes within less; and a timer may ring a moment before the time that the clock shows. */
const leastMs = 5;

/** One visit to one website: it never leaves the site, and asks robots.txt before every page. */
export function startVisit(
  outbound: Outbound,
  website: URL,
  { userAgent, limits, signal }: { userAgent: string; limits: VisitLimits; signal: AbortSignal },
) {
  const robotsByOrigin = new Map<string, Promise<Robots>>();
  const endsAt = performance.now() + limits.totalMs;

  /** Reads a page of the site, following it to where it moved within the site. */
  async function read(address: string): Promise<{ html: string; url: string }> {
    let url = new URL(address);
    for (let redirects = 0; redirects <= redirectsMax; redirects += 1) {
      const mayVisit = await robotsOf(url.origin);
      if (!mayVisit(url.pathname + url.search)) throw new PageUnread("blocked_by_robots");

      const response = await ask(url.href, pageBytesMax, "text/html, application/xhtml+xml;q=0.9");
      const next = redirectOf(response);
      if (!next) return htmlOf(response);
      if (!isSameSite(next, website)) throw new PageUnread("failed");
      url = next;
    }
    throw new PageUnread("failed");
  }

  function robotsOf(origin: string): Promise<Robots> {
    const known = robotsByOrigin.get(origin) ?? fetchRobots(origin);
    robotsByOrigin.set(origin, known);
    return known;
  }

  // RFC 9309: a site that answers that it has none (4xx) allows everything; one that cannot tell
  // (5xx) allows nothing. Without any answer there is no page to ask for either.
  async function fetchRobots(origin: string): Promise<Robots> {
    let url = new URL("/robots.txt", origin);
    for (let redirects = 0; redirects <= redirectsMax; redirects += 1) {
      const response = await ask(url.href, robotsBytesMax, "text/plain");
      const next = redirectOf(response);
      if (!next && response.status >= 500) return nothingAllowed;
      if (!next && response.status >= 300) return everythingAllowed;
      if (!next) return parseRobots(response.body.toString("utf8"), userAgent.split("/")[0] ?? userAgent);
      if (!isSameSite(next, website)) return everythingAllowed;
      url = next;
    }
    return everythingAllowed;
  }

  async function ask(url: string, bytesMax: number, accept: string): Promise<OutboundResponse> {
    const deadlineMs = Math.min(limits.pageMs, endsAt - performance.now());
    if (deadlineMs < leastMs) throw new PageUnread("timed_out");
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
      throw new PageUnread(error.reason === "timed_out" ? "timed_out" : "failed", error);
    }
  }

  return { read };
}

/** Whether a URL belongs to the website: the same registrable domain, or the same host where there is none. */
export function isSameSite(url: URL, website: URL): boolean {
  return /^https?:$/.test(url.protocol) && siteOf(url) === siteOf(website);
}

/** A registrable domain: under github.io each name is one of its own. */
export function siteOf(url: URL): string {
  return getDomain(url.hostname, { allowPrivateDomains: true }) ?? url.hostname;
}

function redirectOf({ status, headers, url }: OutboundResponse): URL | undefined {
  const location = headers["location"];
  if (location === undefined || ![301, 302, 303, 307, 308].includes(status)) return undefined;
  return URL.parse(location, url) ?? undefined;
}

function htmlOf({ status, headers, body, url }: OutboundResponse): { html: string; url: string } {
  const contentType = headers["content-type"] ?? "";
  const isHtml = /^\s*(text\/html|application\/xhtml\+xml)\s*(;|$)/i.test(contentType);
  if (status !== 200 || !isHtml) throw new PageUnread("failed");
  return { html: decodeText(body, contentType), url };
}
