import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import type { TestContext } from "node:test";

export type Seen = { method: string; url: string; headers: IncomingHttpHeaders; body: string };
export type Answer = (response: ServerResponse, seen: Seen) => void;

/** A server that answers one call after the other as the script says, and the last way for ever. */
export async function startScripted(t: TestContext, ...script: readonly Answer[]) {
  const seen: Seen[] = [];
  const server = createServer((request, response) => {
    void (async () => {
      const body = (await buffer(request)).toString();
      const call = { method: request.method ?? "", url: request.url ?? "", headers: request.headers, body };
      seen.push(call);
      script[Math.min(seen.length, script.length) - 1]?.(response, call);
    })();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}

export const answer =
  (data: unknown, headers: Record<string, string> = {}): Answer =>
  (response) =>
    response.writeHead(200, headers).end(JSON.stringify({ data, request_id: "req_1", schema_version: "2026-09-22" }));

export const refuse =
  (status: number, code: string, retryable: boolean, headers: Record<string, string> = {}): Answer =>
  (response) => {
    const error = { code, message: `It is ${code}.`, details: ["/q: a rule"], retryable };
    response
      .writeHead(status, headers)
      .end(JSON.stringify({ error, request_id: "req_2", schema_version: "2026-09-22" }));
  };

export const disconnect: Answer = (response) => response.destroy();
