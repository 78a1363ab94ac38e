import { UsageProblem } from "../failures.ts";
import { type Credentials, serviceUrl } from "./credentials.ts";

// The service answers within 30 seconds; this ends what a dead connection would hold for ever.
const deadlineMs = 60_000;
const versionKey = "io.modelcontextprotocol/protocolVersion";
const pendingMax = 64;
const internalError = -32_603;
const invalidRequest = -32_600;
const parseError = -32_700;

type Message = {
  id?: string | number;
  method?: string;
  params?: { _meta?: Record<string, unknown>; name?: unknown; uri?: unknown; requestId?: unknown };
};

/** A message of the service, or the body of an HTTP error. */
type Answer = {
  jsonrpc?: string;
  method?: string;
  error?: { message?: string };
  result?: { protocolVersion?: string };
};

/** Carries JSON-RPC messages from a stdio client to the service's `/mcp`, and the answers back, a line each. */
export function createBridge({ url, apiKey }: Credentials, write: (line: string) => void, ended?: AbortSignal) {
  const endpoint = endpointOf(url);
  const running = new Map<unknown, AbortController>();
  let pending = 0;
  // What the handshake of 2025 agreed on; clients of 2026 say their version in every message.
  let agreedVersion: string | undefined;

  async function send(line: string): Promise<void> {
    const message = parse(line);
    if (!message) return answer(null, parseError, "The line is not a JSON-RPC message.");
    if (Array.isArray(message)) return answer(null, invalidRequest, "Batches are refused: send one message per line.");
    // Over HTTP a call is canceled by closing its connection; the service hears of it in no other way.
    if (message.method === "notifications/cancelled") return running.get(message.params?.requestId)?.abort();
    // Refused and not delayed: a line that waits would keep a cancellation behind it waiting too.
    if (pending >= pendingMax) return fail(message, `${pendingMax} calls are in progress; wait for some to end.`);
    pending += 1;
    const canceled = new AbortController();
    if (message.id !== undefined) running.set(message.id, canceled);
    try {
      const ends = [canceled.signal, AbortSignal.timeout(deadlineMs), ...(ended ? [ended] : [])];
      const signal = AbortSignal.any(ends);
      const headers = headersOf(message);
      await relay(message, await fetch(endpoint, { method: "POST", headers, body: line, redirect: "error", signal }));
    } catch (error) {
      if (canceled.signal.aborted || ended?.aborted) return;
      fail(message, `The service at ${endpoint.origin} does not answer: ${(error as Error).message}.`);
    } finally {
      pending -= 1;
      running.delete(message.id);
    }
  }

  function headersOf({ method, params }: Message): Record<string, string> {
    const version = params?._meta?.[versionKey] ?? agreedVersion;
    const name = params?.name ?? params?.uri;
    return {
      "API-KEY": apiKey,
      Accept: "application/json, text/event-stream",
      "Content-Type": "application/json",
      ...(typeof version === "string" ? { "MCP-Protocol-Version": version } : {}),
      ...(typeof method === "string" ? { "Mcp-Method": inHeader(method) } : {}),
      ...(typeof name === "string" ? { "Mcp-Name": inHeader(name) } : {}),
    };
  }

  async function relay(message: Message, response: Response): Promise<void> {
    let isAnswered = message.id === undefined || message.method === undefined;
    for await (const text of textsOf(response)) {
      const body: Answer | undefined = parse(text);
      if (body?.jsonrpc) {
        if (message.method === "initialize") agreedVersion = body.result?.protocolVersion;
        isAnswered ||= body.method === undefined;
        put(body);
      } else if (!response.ok) {
        isAnswered = true;
        fail(message, body?.error?.message ?? `The service answered ${response.status}.`, body?.error);
      }
    }
    if (!isAnswered) fail(message, `What answers at ${endpoint.origin} is not Waypost; check WAYPOST_URL.`);
  }

  /** Tells the client why its call failed; a notification has nobody to tell but the person at the terminal. */
  function fail({ id }: Message, reason: string, data?: object) {
    if (id === undefined) console.error(reason);
    else answer(id, internalError, reason, data);
  }

  function answer(id: string | number | null, code: number, message: string, data?: object) {
    put({ jsonrpc: "2.0", id, error: { code, message, ...(data ? { data } : {}) } });
  }

  /** Without the separators that JSON leaves as they are and many readers of lines break at. */
  function put(message: object) {
    write(JSON.stringify(message).replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029"));
  }

  return { send };
}

export type Bridge = ReturnType<typeof createBridge>;

/** Under the same path as the API, which the service may have behind a proxy. */
function endpointOf(url: string): URL {
  const endpoint = URL.canParse(url) ? new URL(`${serviceUrl(url)}/mcp`) : undefined;
  if (endpoint && /^https?:$/.test(endpoint.protocol)) return endpoint;
  throw new UsageProblem("WAYPOST_URL must be an http or https address such as http://127.0.0.1:8080.");
}

function parse(text: string): Message | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/** A header carries printable ASCII; other text is wrapped as the protocol says. */
function inHeader(text: string): string {
  return /^[\x21-\x7e]*$/.test(text) ? text : `=?base64?${Buffer.from(text).toString("base64")}?=`;
}

async function* textsOf(response: Response): AsyncGenerator<string> {
  const isStream = response.headers.get("content-type")?.startsWith("text/event-stream");
  if (isStream && response.body) yield* eventsOf(response.body);
  else yield await response.text();
}

/** The data of server-sent events, one message each. */
async function* eventsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  let buffered = "";
  for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
    buffered += chunk;
    const lines = buffered.split(/\r?\n/);
    buffered = lines.pop() ?? "";
    for (const line of lines) {
      if (line.startsWith("data:") && line.slice(5).trim() !== "") yield line.slice(5).trim();
    }
  }
}
