import { isUtf8 } from "node:buffer";
import type { Readable } from "node:stream";
import { acceptedEncodings, readBody, readBodyStart } from "./body.ts";
import { createConnections } from "./connections.ts";
import { OutboundFailure } from "./outbound-failure.ts";
import { createResolver, type Lookup } from "./resolver.ts";
import { createTargets, type Protocol, type Target, type TargetLimits } from "./target.ts";

export { OutboundFailure } from "./outbound-failure.ts";

export type OutboundRequest = {
  url: string;
  method?: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
  /** Covers everything: looking up, connecting, redirects, the last byte of the body. */
  deadlineMs: number;
  /**
   * For callers to whom the status says all: the deadline ends with the headers, and the body is what has come of it this
   * much later, or before the connection broke.
   */
  bodyMs?: number;
  /** How much of the body is read, both as it arrives and decompressed; the rest is cut off. */
  bytesMax: number;
  signal?: AbortSignal;
  /** None by default; each is checked like the first URL. */
  redirectsMax?: number;
  /** HTTPS alone by default. */
  protocols?: readonly Protocol[];
  /** Any port by default. */
  ports?: readonly number[];
  /** Allows single-label and .local names, for hosts that the operator configured. */
  localNames?: boolean;
  /** Keeps the connection for later requests to the same target. */
  keepAlive?: boolean;
  /** An HTTP proxy to go through, named by the operator; it is checked like a target. */
  proxy?: string;
};

export type OutboundResponse = {
  status: number;
  /** Names in lower case; a header sent several times is joined by commas. */
  headers: Record<string, string>;
  body: Buffer;
  truncated: boolean;
  /** Where the answer came from, after redirects. */
  url: string;
};

export type Outbound = {
  /** Throws OutboundFailure and nothing else. */
  request(request: OutboundRequest): Promise<OutboundResponse>;
  /** Parses, resolves and applies the rule without connecting; throws OutboundFailure. */
  check(url: string, options?: TargetLimits): Promise<void>;
  /** Aborts running requests and closes every connection. */
  close(): Promise<void>;
};

type OutboundOptions = {
  /** CIDR blocks, each with or without a port, that may be reached although they are not public. */
  allow: readonly string[];
  lookup?: Lookup;
};

const checkMs = 5000;
/** A receiver may send hints and continuations, but not without end. */
const informationalMax = 8;

/** Makes every call the product makes to other people's servers, under the public-address rule. */
export function createOutbound({ allow, lookup }: OutboundOptions): Outbound {
  const targets = createTargets({ allow, lookup: lookup ?? createResolver() });
  const connections = createConnections();
  const underWay = new Set<AbortController>();
  let isClosed = false;

  async function request(options: OutboundRequest): Promise<OutboundResponse> {
    const { deadlineMs, bodyMs, bytesMax, signal } = options;
    if (bodyMs === undefined) return within(deadlineMs, signal, async (stage) => read(await follow(options, stage)));
    return read(await within(deadlineMs, signal, (stage) => follow(options, stage)));

    async function read({ response, body, release }: Answer): Promise<OutboundResponse> {
      const encoding = response.headers["content-encoding"];
      try {
        const content =
          bodyMs === undefined
            ? await readBody(body, encoding, bytesMax)
            : await readBodyStart(body, encoding, { bytesMax, bodyMs });
        return { ...response, ...content };
      } finally {
        release();
      }
    }
  }

  async function check(url: string, limits: TargetLimits = {}): Promise<void> {
    await within(checkMs, undefined, ({ signal, lookUp }) => lookUp(() => targets.resolve(url, limits, signal)));
  }

  /** Runs work that ends when it is done, at its deadline, by its caller's signal or at our close. */
  async function within<Result>(
    deadlineMs: number,
    callersSignal: AbortSignal | undefined,
    work: (stage: Stage) => Promise<Result>,
  ): Promise<Result> {
    const controller = new AbortController();
    const { signal } = controller;
    let isLookingUp = false;
    const lookUp: Stage["lookUp"] = async (resolve) => {
      isLookingUp = true;
      const target = await resolve();
      isLookingUp = false;
      return target;
    };
    // Whoever was never asked is not to blame for the silence.
    const late = () => new OutboundFailure(isLookingUp ? "lookup_timed_out" : "timed_out");
    const abort = () => controller.abort(new OutboundFailure("aborted"));
    if (isClosed || callersSignal?.aborted) throw new OutboundFailure("aborted");

    const timer = setTimeout(() => controller.abort(late()), deadlineMs);
    callersSignal?.addEventListener("abort", abort, { once: true });
    underWay.add(controller);
    try {
      return await Promise.race([work({ signal, lookUp }), rejectionOf(signal)]);
    } catch (error) {
      throw asFailure(signal.aborted ? signal.reason : error);
    } finally {
      clearTimeout(timer);
      callersSignal?.removeEventListener("abort", abort);
      underWay.delete(controller);
    }
  }

  async function follow(options: OutboundRequest, { signal, lookUp }: Stage): Promise<Answer> {
    const { redirectsMax = 0, proxy } = options;
    let step: Step = { method: options.method ?? "GET", headers: options.headers ?? {}, body: options.body };
    let { url } = options;

    for (let redirects = 0; ; redirects += 1) {
      const target = await lookUp(() =>
        proxy ? targets.resolveThrough(proxy, url, options, signal) : targets.resolve(url, options, signal),
      );
      const answer = await send(target, step, options, signal);
      const { response } = answer;
      const location = redirectStatuses.has(response.status) ? response.headers["location"] : undefined;
      if (redirectsMax === 0 || location === undefined) return answer;
      answer.body.on("error", () => {}).destroy();
      answer.release();
      if (redirects === redirectsMax) throw new OutboundFailure("too_many_redirects");

      const next = URL.parse(location, target.url.href);
      if (!next) throw new OutboundFailure("bad_url", "The redirect's URL cannot be read.");
      step = stepAfter(step, response.status, next.origin === target.url.origin);
      url = next.href;
    }
  }

  async function send(target: Target, step: Step, options: OutboundRequest, signal: AbortSignal): Promise<Answer> {
    const { keepAlive = false } = options;
    signal.throwIfAborted();
    const { dispatcher, release } = connections.open(target, { keepAlive });
    let informational = 0;
    try {
      const { statusCode, headers, body } = await dispatcher.request({
        path: target.url.pathname + target.url.search,
        method: step.method,
        headers: withEncodings(step.headers),
        body: step.body ?? null,
        signal,
        reset: !keepAlive,
        onInfo() {
          informational += 1;
          if (informational > informationalMax) throw new OutboundFailure("bad_response");
        },
      });
      const response = { status: statusCode, headers: joined(headers), url: target.url.href };
      return { response, body, release };
    } catch (error) {
      release();
      throw error;
    }
  }

  async function close(): Promise<void> {
    isClosed = true;
    for (const controller of underWay) controller.abort(new OutboundFailure("aborted"));
    await connections.close();
  }

  return { request, check, close };
}

/** What work under a deadline has: the signal that ends it, and a way to say that it looks a name up. */
type Stage = { signal: AbortSignal; lookUp(resolve: () => Promise<Target>): Promise<Target> };

/** An answer whose headers have come, and what is to be done when its body has been read. */
type Answer = { response: Omit<OutboundResponse, "body" | "truncated">; body: Readable; release(): void };

/** What is sent to one stop on the way. */
type Step = { method: string; headers: Record<string, string>; body: string | Buffer | undefined };

const redirectStatuses = new Set([301, 302, 303, 307, 308]);
const privateHeaders = new Set(["authorization", "cookie", "proxy-authorization"]);

/** What is sent to the next stop: as browsers do, a redirected POST becomes a GET. */
function stepAfter(step: Step, status: number, isSameOrigin: boolean): Step {
  const entries = Object.entries(step.headers);
  const headers = isSameOrigin ? entries : entries.filter(([name]) => !privateHeaders.has(name.toLowerCase()));
  const losesBody = status === 303 ? step.method !== "HEAD" : status <= 302 && step.method === "POST";
  if (!losesBody) return { ...step, headers: Object.fromEntries(headers) };

  const withoutContent = headers.filter(([name]) => !name.toLowerCase().startsWith("content-"));
  return { method: "GET", headers: Object.fromEntries(withoutContent), body: undefined };
}

function withEncodings(headers: Record<string, string>): Record<string, string> {
  const isChosen = Object.keys(headers).some((name) => name.toLowerCase() === "accept-encoding");
  return isChosen ? headers : { ...headers, "accept-encoding": acceptedEncodings };
}

function joined(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const named = Object.entries(headers).map(([name, value]) => [name, [value ?? ""].flat().join(", ")] as const);
  return Object.fromEntries(named.map(([name, value]) => [name, name === "location" ? asWritten(value) : value]));
}

/** Headers come as Latin-1; a path that a server did not escape is UTF-8, as browsers read it. */
function asWritten(location: string): string {
  const bytes = Buffer.from(location, "latin1");
  return isUtf8(bytes) ? bytes.toString("utf8") : location;
}

function rejectionOf(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
  });
}

function asFailure(error: unknown): OutboundFailure {
  if (error instanceof OutboundFailure) return error;
  const { code = "" } = error as NodeJS.ErrnoException;
  if (code === "UND_ERR_INVALID_ARG") return new OutboundFailure("bad_url", undefined, error);
  const wasCut = code === "UND_ERR_SOCKET" || code === "ECONNRESET" || code === "EPIPE" || code === "ETIMEDOUT";
  return new OutboundFailure(wasCut ? "reset" : "bad_response", undefined, error);
}
