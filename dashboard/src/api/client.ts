import { type ErrorBody, Problem } from "./problem.ts";

export type Answer<Data> = { data: Data; headers: Headers; nextCursor: string | null };

type Call = {
  method?: string;
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal | undefined;
  /** True when it does not matter whom the pages show. */
  isForAnybody?: boolean;
};

const deadlineMs = 60_000;

/** Whom the pages show, `person/organization`; undefined until the session is read. */
let shown: string | undefined;

/** Calls a route of the console. The session's cookie goes along; a 401 tells that the session has ended. */
export async function call<Data>(
  path: string,
  { method, body, headers, signal, isForAnybody = false }: Call = {},
): Promise<Answer<Data>> {
  const deadline = AbortSignal.timeout(deadlineMs);
  const response = await fetch(`/console/api${path}`, {
    method: method ?? (body === undefined ? "GET" : "POST"),
    headers: {
      ...(body === undefined ? {} : { "Content-Type": "application/json" }),
      ...(shown === undefined || isForAnybody ? {} : { "X-SVC-Acting-As": shown }),
      ...headers,
    },
    signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }).catch((error: unknown) => {
    if (signal?.aborted) throw error;
    throw new Problem(0, undefined);
  });
  const parsed: unknown = await response.json().catch(() => undefined);
  if (!response.ok) {
    if (response.status === 401) for (const listener of signedOutListeners) listener();
    const problem = problemOf(response, parsed);
    if (problem.code === "session_changed") for (const listener of switchedListeners) listener();
    throw problem;
  }
  const { data, pagination } = parsed as { data: Data; pagination?: { next_cursor: string | null } };
  return { data, headers: response.headers, nextCursor: pagination?.next_cursor ?? null };
}

/** Reads the first byte of a file, since a browser that follows a link to none shows the error in place of the page. */
export async function requireFile(path: string): Promise<void> {
  const options = { headers: { Range: "bytes=0-0" }, signal: AbortSignal.timeout(deadlineMs) };
  const response = await fetch(path, options).catch(() => {
    throw new Problem(0, undefined);
  });
  if (!response.ok) throw problemOf(response, await response.json().catch(() => undefined));
}

/** The data alone, for most callers. */
export async function read<Data>(path: string, options: Call = {}): Promise<Data> {
  return (await call<Data>(path, options)).data;
}

/**
 * Creates something that costs units or work, or shows a secret once. Whoever tries again after no answer, or clicks twice, sends the same key,
 * so that the service does it once; an answer, also a refusal, makes the next call a new one.
 */
export async function create<Data>(path: string, body: unknown): Promise<Answer<Data>> {
  const intent = `${shown} ${path} ${JSON.stringify(body)}`;
  const key = unanswered.get(intent) ?? newIdempotencyKey();
  unanswered.set(intent, key);
  try {
    const answer = await call<Data>(path, { body, headers: { "Idempotency-Key": key } });
    unanswered.delete(intent);
    return answer;
  } catch (error) {
    if (error instanceof Problem && !error.retryable) unanswered.delete(intent);
    throw error;
  }
}

const unanswered = new Map<string, string>();

export function newIdempotencyKey(): string {
  return `console-${crypto.getRandomValues(new Uint32Array(6)).join("-")}`;
}

const signedOutListeners = new Set<() => void>();

export function onSignedOut(listener: () => void): () => void {
  signedOutListeners.add(listener);
  return () => signedOutListeners.delete(listener);
}

/** From now on every call says whom the pages show, and the service refuses it when the session is another's meanwhile. */
export function setShown(person: { id: string }, organization: { id: string }): void {
  shown = `${person.id}/${organization.id}`;
}

/** Until the session is read again, calls are for whomever it acts for. */
export function forgetShown(): void {
  shown = undefined;
}

const switchedListeners = new Set<() => void>();

/** Tells when another tab has switched the organization or the person. */
export function onSwitched(listener: () => void): () => void {
  switchedListeners.add(listener);
  return () => switchedListeners.delete(listener);
}

function problemOf({ status }: Response, body: unknown): Problem {
  return new Problem(status, isErrorBody(body) ? body : undefined);
}

function isErrorBody(value: unknown): value is ErrorBody {
  return typeof value === "object" && value !== null && "error" in value;
}
