import { WaypostError, type WaypostErrorCode } from "./errors.ts";
import { type CallOptions, checkBounds, type Settings } from "./options.ts";
import { createIdleWatch, type IdleWatch } from "./idle-watch.ts";
import { backoffMs, retryAfterMs, retryAfterMsMax } from "./retry.ts";
import { hasShape, type Shape } from "./shape.ts";

type Request = {
  method: "GET" | "POST" | "PATCH" | "DELETE";
  path: string;
  query?: Record<string, string | number | undefined>;
  body?: unknown;
  idempotencyKey?: string | undefined;
  headers?: Record<string, string>;
  options?: CallOptions | undefined;
};

export type Call = Request & { /** What the answer must have. */ answer: Shape };

export type Transport = {
  /** Sends a call, again where that is safe, and resolves to the answer's body. */
  send<Body>(call: Call): Promise<Body>;
  /** Opens an answer that is read as it comes, again where that is safe. `timeoutMs` holds until its headers are there, `idleMs` for each piece. */
  stream(target: StreamTarget, options: StreamOptions): Promise<OpenStream>;
  sleep: Settings["sleep"];
  /** How often a failed attempt is repeated, unless a call says otherwise. */
  maxRetries: number;
};

/** A call of the API, or a link that carries its own permission and gets no key. */
export type StreamTarget = Request | Link;
type Link = { link: string; /** Only what comes after so many bytes of the file with this ETag. */ rest?: Rest };
export type Rest = { from: number; etag: string };
export type StreamOptions = CallOptions & { idleMs?: number; /** What the answer must be. */ mediaType?: string };
export type OpenStream = { headers: Headers; chunks: AsyncIterable<Uint8Array> };

const idleMsDefault = 60_000;

export function createTransport(settings: Settings): Transport {
  const { apiKey, baseUrl, sleep } = settings;
  const fetch = settings.fetch ?? globalThis.fetch;

  async function send<Body>(call: Call): Promise<Body> {
    return repeat(call.options, isRepeatable(call), () => sendOnce<Body>(call));
  }

  async function stream(target: StreamTarget, options: StreamOptions): Promise<OpenStream> {
    return repeat(options, "link" in target || isRepeatable(target), () => openOnce(target, options));
  }

  async function repeat<Result>(
    options: CallOptions = {},
    isSafe: boolean,
    attemptOnce: () => Promise<Result>,
  ): Promise<Result> {
    checkBounds(options);
    const { signal, maxRetries = settings.maxRetries, timeoutMs = settings.timeoutMs } = options;
    const retriesMax = isSafe ? maxRetries : 0;
    let attempt = 0;
    let patienceMs = retriesMax > 0 ? timeoutMs : 0;
    for (;;) {
      try {
        return await attemptOnce();
      } catch (error) {
        const isRunning = isTwinRunning(error);
        const delay = isRunning || attempt < retriesMax ? retryDelayMs(error, attempt) : undefined;
        if (delay === undefined || (isRunning && delay > patienceMs)) throw error;
        if (isRunning) patienceMs -= delay;
        else attempt += 1;
        await sleep(delay, signal);
      }
    }
  }

  async function sendOnce<Body>(call: Call): Promise<Body> {
    const { signal, timeoutMs = settings.timeoutMs } = call.options ?? {};
    const watch = createIdleWatch(signal);
    try {
      watch.allow(timeoutMs);
      const response = await open(call, watch);
      const body = parseJson(await onWire(response.text(), baseUrl, watch));
      if (!hasShape(body, call.answer)) throw unexpected(response);
      return body as Body;
    } finally {
      watch.stop();
    }
  }

  async function openOnce(target: StreamTarget, options: StreamOptions): Promise<OpenStream> {
    const { signal, timeoutMs = settings.timeoutMs, idleMs = idleMsDefault } = options;
    const watch = createIdleWatch(signal);
    const address = "link" in target ? target.link : baseUrl;
    try {
      watch.allow(timeoutMs);
      const response = await ("link" in target ? follow(target, watch) : open(target, watch));
      if (!isOf(response, options.mediaType) || ("link" in target && !isRest(response, target.rest))) {
        await response.body?.cancel().catch(() => undefined); // nobody reads it, so that it would hold its connection
        throw unexpected(response);
      }
      return { headers: response.headers, chunks: pieces(response, address, watch, idleMs) };
    } catch (error) {
      watch.stop();
      throw error;
    }
  }

  async function follow({ link, rest }: Link, watch: IdleWatch): Promise<Response> {
    const headers = rest ? { Range: `bytes=${rest.from}-`, "If-Range": rest.etag } : {};
    const response = await onWire(fetch(link, { headers, signal: watch.signal }), link, watch);
    if (!response.ok) throw failure(await onWire(response.text(), link, watch), response);
    return response;
  }

  async function open(request: Request, watch: IdleWatch): Promise<Response> {
    const { method, path, query = {}, body, idempotencyKey } = request;
    const url = new URL(`${baseUrl}${path}`);
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) url.searchParams.set(name, String(value));
    }
    const init = {
      method,
      headers: {
        Accept: "application/json",
        Authorization: `Bearer ${apiKey}`,
        ...(body === undefined ? {} : { "Content-Type": "application/json" }),
        ...(idempotencyKey === undefined ? {} : { "Idempotency-Key": idempotencyKey }),
        ...request.headers,
      },
      // A followed redirect could carry the key to another host.
      redirect: "manual",
      signal: watch.signal,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    } as const;
    const response = await onWire(fetch(url, init), baseUrl, watch);
    settings.onResponse?.(factsOf(request, response));
    if (!response.ok) throw failure(await onWire(response.text(), baseUrl, watch), response);
    return response;
  }

  return { send, stream, sleep, maxRetries: settings.maxRetries };
}

/** The body as it comes; each piece has so long to come. */
async function* pieces(response: Response, address: string, watch: IdleWatch, idleMs: number) {
  const reader = response.body?.getReader();
  try {
    for (;;) {
      watch.allow(idleMs);
      const piece = reader && (await onWire(reader.read(), address, watch));
      if (!piece?.value) return;
      yield piece.value;
    }
  } finally {
    watch.stop();
    await reader?.cancel().catch(() => undefined);
  }
}

function isOf({ headers }: Response, mediaType = ""): boolean {
  return (headers.get("content-type") ?? "").startsWith(mediaType);
}

/** The whole file, where a rest was asked for, would stand twice in what the caller has. */
function isRest({ status, headers }: Response, rest: Rest | undefined): boolean {
  if (!rest) return true;
  return status === 206 && (headers.get("content-range") ?? "").startsWith(`bytes ${rest.from}-`);
}

/** A POST without an Idempotency-Key, and a PATCH, may have worked although the answer was lost. */
function isRepeatable({ method, idempotencyKey }: Request): boolean {
  return method === "GET" || method === "DELETE" || idempotencyKey !== undefined;
}

/** The call that runs under the same key answers soon, or its process died and its lease ends: no attempt has failed. */
function isTwinRunning(error: unknown): boolean {
  return error instanceof WaypostError && error.code === "idempotency_in_progress";
}

function retryDelayMs(error: unknown, attempt: number): number | undefined {
  if (!(error instanceof WaypostError) || !error.retryable) return undefined;
  if (error.retryAfterMs === undefined) return backoffMs(attempt);
  if (error.retryAfterMs > retryAfterMsMax) return undefined;
  // Jitter on top: clients that are told the same time must not come back together.
  return error.retryAfterMs + Math.random() * 250;
}

/**
 * Says what a failure between here and the service means. Only what the network does passes through here: an error
 * of the caller's own code, such as a body that is no JSON or an onResponse that throws, reaches the caller as it is.
 */
async function onWire<Result>(step: Promise<Result>, address: string, watch: IdleWatch): Promise<Result> {
  try {
    return await watch.end(step);
  } catch (error) {
    if (watch.outer?.aborted) throw watch.outer.reason;
    const exceededMs = watch.exceededMs();
    throw exceededMs === undefined ? disconnected(address, error) : timedOut(exceededMs, error);
  }
}

/** Undefined for what is no JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

type ErrorEnvelope = {
  error: { code: WaypostErrorCode; message: string; details: string[]; retryable: boolean };
  request_id: string;
};

const errorShape = { error: { code: "text", message: "text", details: "list" } } as const satisfies Shape;

function failure(text: string, response: Response): WaypostError {
  const body = parseJson(text);
  if (!hasShape(body, errorShape)) return unexpected(response);
  const { error, request_id: requestId } = body as ErrorEnvelope;
  return new WaypostError({
    ...error,
    status: response.status,
    requestId,
    retryAfterMs: retryAfterMs(response.headers.get("retry-after")),
  });
}

function unexpected({ status, headers }: Response): WaypostError<"unexpected_answer"> {
  const isRedirect = status >= 300 && status < 400;
  return new WaypostError({
    code: "unexpected_answer",
    message: isRedirect
      ? `The address answers with a redirect (${status}); set baseUrl to where the service really is.`
      : `Something that is not Waypost answered with status ${status}; check baseUrl and what stands before the service.`,
    status,
    retryable: [408, 429, 502, 503, 504].includes(status),
    retryAfterMs: retryAfterMs(headers.get("retry-after")),
  });
}

function timedOut(timeoutMs: number, cause: unknown): WaypostError<"request_timed_out"> {
  const message = `No answer within ${timeoutMs} ms; try again, or raise timeoutMs.`;
  return new WaypostError({ code: "request_timed_out", message, retryable: true, cause });
}

function disconnected(address: string, cause: unknown): WaypostError<"connection_failed"> {
  const { origin } = new URL(address);
  const message = `The service at ${origin} cannot be reached; check that it runs and that the address is right.`;
  return new WaypostError({ code: "connection_failed", message, retryable: true, cause });
}

function factsOf({ method, path }: Request, { status, headers }: Response) {
  const count = (name: string) => {
    const value = headers.get(name);
    return value === null ? undefined : Number(value);
  };
  return {
    method,
    path,
    status,
    requestId: headers.get("x-request-id") ?? undefined,
    unitsCharged: count("x-svc-units-charged"),
    unitsRemaining: count("x-svc-units-remaining"),
    queryReading: displayed(headers.get("x-svc-query-reading")),
    replayed: headers.get("idempotent-replayed") === "true",
  };
}

/** The text of a display string of RFC 9651, `%"Caf%c3%a9"`; undefined for anything else. */
function displayed(value: string | null): string | undefined {
  const [, escaped] = /^%"([^"]*)"$/.exec(value ?? "") ?? [];
  try {
    return escaped === undefined ? undefined : decodeURIComponent(escaped);
  } catch {
    return undefined;
  }
}
