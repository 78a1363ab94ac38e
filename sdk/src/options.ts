import type { Sleep } from "./retry.ts";

export type WaypostOptions = {
  /** The API key; WAYPOST_API_KEY when absent. Keep it on servers, never in a browser. */
  apiKey?: string | undefined;
  /** Where the service is, with or without /api/v1; WAYPOST_URL or http://127.0.0.1:8080 when absent. */
  baseUrl?: string | undefined;
  /** The fetch to use instead of the global one. */
  fetch?: typeof globalThis.fetch | undefined;
  /**
   * How long one attempt may take, its body included, and how long to wait for an earlier call under the same
   * Idempotency-Key; 60,000 when absent, Infinity for no limit.
   */
  timeoutMs?: number | undefined;
  /** How often a failed attempt is repeated where that is safe; 3 when absent. */
  maxRetries?: number | undefined;
  /** Hears of every answer, also of those that are retried. */
  onResponse?: ((response: ResponseFacts) => void) | undefined;
  /** How to wait between attempts and polls; tests pass one that does not. */
  sleep?: Sleep | undefined;
};

export type ResponseFacts = {
  method: string;
  path: string;
  status: number;
  requestId: string | undefined;
  /** The request units that the call took and left, for calls that may take some. */
  unitsCharged: number | undefined;
  unitsRemaining: number | undefined;
  /** How a live search was read, and what was not understood of it. */
  queryReading: string | undefined;
  /** True when the answer is that of an earlier call with the same Idempotency-Key. */
  replayed: boolean;
};

export type CallOptions = {
  /** Ends the call, its retries and its waits; they reject with the signal's reason. */
  signal?: AbortSignal | undefined;
  timeoutMs?: number | undefined;
  maxRetries?: number | undefined;
};

export type CreateOptions = CallOptions & {
  /** 16 to 128 printable ASCII characters without space; a random UUID when absent. Every retry sends the same one. */
  idempotencyKey?: string | undefined;
};

/** A timer takes NaN for no time at all, and a comparison for never: neither may reach them. */
export function checkBounds({
  timeoutMs = 1,
  maxRetries = 0,
}: Pick<CallOptions, "timeoutMs" | "maxRetries"> = {}): void {
  if (!(timeoutMs > 0)) throw new TypeError("timeoutMs must be a number above 0; Infinity for no limit.");
  if (!(maxRetries >= 0)) throw new TypeError("maxRetries must be 0 or a number above it.");
}

const defaultUrl = "http://127.0.0.1:8080";

/** What is fixed once the client has been made. */
export type Settings = Pick<WaypostOptions, "fetch" | "onResponse"> & {
  apiKey: string;
  baseUrl: string;
  timeoutMs: number;
  maxRetries: number;
  sleep: Sleep;
};

function readEnvironment(name: string): string | undefined {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
  return process?.env?.[name] || undefined;
}

/** The address of the API itself, ending in /api/v1 without a slash. */
export function apiUrl(baseUrl = readEnvironment("WAYPOST_URL") ?? defaultUrl): string {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new TypeError(`baseUrl must be an http or https address such as ${defaultUrl}.`);
  }
  if (url.username || url.password || url.search || url.hash) {
    throw new TypeError("baseUrl must be an address alone: no user, password, query or fragment.");
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, "").replace(/\/api\/v1$/, "")}/api/v1`;
}

export function requireApiKey(apiKey = readEnvironment("WAYPOST_API_KEY")): string {
  if (!apiKey) throw new TypeError("An API key is needed: pass apiKey, or set WAYPOST_API_KEY.");
  // The value stays out of the sentence: errors end up in logs.
  if (!/^[\u0021-\u007e]+$/.test(apiKey)) throw new TypeError("The API key has characters that no key has.");
  return apiKey;
}
