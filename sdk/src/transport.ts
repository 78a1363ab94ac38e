import { WaypostError, type WaypostErrorCode } from "./errors.ts";
import type { CallOptions, Settings } from "./options.ts";
import { createIdleWatch, type IdleWatch } from "./idle-watch.ts";
import { backoffMs, retryAfterMs, retryAfterMsMax } from "./retry.ts";

export type Call = {
  method: "GET" | "POST" | "PATCH" | "DELETE";
  path: string;
  query?: Record<string, string | number | undefined>;
  body?: unknown;
  idempotencyKey?: string | undefined;
  headers?: Record<string, string>;
  options?: CallOptions | undefined;
};

export type Transport = {
  /** Sends a call, again where that is safe, and resolves to the answer's body. */
  send<Body>(call: Call): Promise<Body>;
  /** Opens an answer that is read as it comes. `timeoutMs` holds until its headers are there, `idleMs` for each piece. */
  stream(target: StreamTarget, options: StreamOptions): Promise<OpenStream>;
  sleep: Settings["sleep"];
};

/** A call of the API, or a link that carries its own permission and gets no key. */
export type StreamTarget = Call | { link: string };
export type StreamOptions = CallOptions & { idleMs?: number };
export type OpenStream = { headers: Headers; chunks: AsyncIterable<Uint8Array> };

const idleMsDefault = 60_000;

export function createTransport(settings: Settings): Transport {
  const { apiKey, baseUrl, sleep } = settings;
  const fetch = settings.fetch ?? globalThis.fetch;

  async function send<Body>(call: Call): Promise<Body> {
    const { signal, maxRetries = settings.maxRetries } = call.options ?? {};
    const retriesMax = isRepeatable(call) ? maxRetries : 0;
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await sendOnce<Body>(call);
      } catch (error) {
        const delay = attempt < retriesMax ? retryDelayMs(error, attempt) : undefined;
        if (delay === undefined) throw error;
        await sleep(delay, signal);
      }
    }
  }

  async function sendOnce<Body>(call: Call): Promise<Body> {
    const { signal, timeoutMs = settings.timeoutMs } = call.options ?? {};
    const deadline = AbortSignal.timeout(timeoutMs);
    try {
      const response = await open(call, signal ? AbortSignal.any([signal, deadline]) : deadline);
      return readJson(await response.text(), response) as Body;
    } catch (error) {
      throw translate(error, signal, deadline.aborted ? timeoutMs : undefined);
    }
  }

  async function stream(target: StreamTarget, options: StreamOptions): Promise<OpenStream> {
    const { signal, timeoutMs = settings.timeoutMs, idleMs = idleMsDefault } = options;
    const watch = createIdleWatch(signal);
    try {
      watch.allow(timeoutMs);
      const response = await ("link" in target ? follow(target.link, watch.signal) : open(target, watch.signal));
      return { headers: response.headers, chunks: pieces(response, watch, signal, idleMs) };
    } catch (error) {
      watch.stop();
      throw translate(error, signal, watch.exceededMs());
    }
  }

  async function* pieces(response: Response, watch: IdleWatch, signal: AbortSignal | undefined, idleMs: number) {
    const reader = response.body?.getReader();
    try {
      for (;;) {
        watch.allow(idleMs);
        const piece = await reader?.read();
        if (!piece?.value) return;
        yield piece.value;
      }
    } catch (error) {
      throw translate(error, signal, watch.exceededMs());
    } finally {
      watch.stop();
      await reader?.cancel().catch(() => undefined);
    }
  }

  async function follow(link: string, signal: AbortSignal): Promise<Response> {
    const response = await fetch(link, { signal });
    if (!response.ok) throw failure(await response.text(), response);
    return response;
  }

  /** What a failed attempt means to the caller. */
  function translate(error: unknown, signal: AbortSignal | undefined, exceededMs: number | undefined): unknown {
    if (error instanceof WaypostError) return error;
    if (signal?.aborted) return signal.reason;
    return exceededMs === undefined ? disconnected(baseUrl, error) : timedOut(exceededMs, error);
  }

  async function open(call: Call, signal: AbortSignal): Promise<Response> {
    const { method, path, query = {}, body, idempotencyKey } = call;
    const url = new URL(`${baseUrl}${path}`);
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) url.searchParams.set(name, String(value));
    }
    const response = await fetch(url, {
      method,
      headers: {
        Accept: "application/json",
        Authorization: `Bearer ${apiKey}`,
        ...(body === undefined ? {} : { "Content-Type": "application/json" }),
        ...(idempotencyKey === undefined ? {} : { "Idempotency-Key": idempotencyKey }),
        ...call.headers,
      },
      // A followed redirect could carry the key to another host.
      redirect: "manual",
      signal,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    settings.onResponse?.(factsOf(call, response));
    if (!response.ok) throw failure(await response.text(), response);
    return response;
  }

  return { send, stream, sleep };
}

/** A POST without an Idempotency-Key, and a PATCH, may have worked although the answer was lost. */
function isRepeatable({ method, idempotencyKey }: Call): boolean {
  return method === "GET" || method === "DELETE" || idempotencyKey !== undefined;
}

function retryDelayMs(error: unknown, attempt: number): number | undefined {
  if (!(error instanceof WaypostError) || !error.retryable) return undefined;
  if (error.retryAfterMs === undefined) return backoffMs(attempt);
  if (error.retryAfterMs > retryAfterMsMax) return undefined;
  // Jitter on top: clients that are told the same time must not come back together.
  return error.retryAfterMs + Math.random() * 250;
}

function readJson(text: string, response: Response): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw unexpected(response);
  }
}

type ErrorEnvelope = {
  error: { code: WaypostErrorCode; message: string; details: string[]; retryable: boolean };
  request_id: string;
};

function failure(text: string, response: Response): WaypostError {
  const envelope = parseEnvelope(text);
  if (!envelope) return unexpected(response);
  return new WaypostError({
    ...envelope.error,
    status: response.status,
    requestId: envelope.request_id,
    retryAfterMs: retryAfterMs(response.headers.get("retry-after")),
  });
}

function parseEnvelope(text: string): ErrorEnvelope | undefined {
  try {
    const envelope = JSON.parse(text) as ErrorEnvelope;
    return typeof envelope.error.code === "string" ? envelope : undefined;
  } catch {
    return undefined;
  }
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

function disconnected(baseUrl: string, cause: unknown): WaypostError<"connection_failed"> {
  const { origin } = new URL(baseUrl);
  const message = `The service at ${origin} cannot be reached; check that it runs and that the address is right.`;
  return new WaypostError({ code: "connection_failed", message, retryable: true, cause });
}

function factsOf({ method, path }: Call, { status, headers }: Response) {
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
    replayed: headers.get("idempotent-replayed") === "true",
  };
}
