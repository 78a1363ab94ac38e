import type { McpHttpHandler } from "@modelcontextprotocol/server";
import type { FastifyRequest } from "fastify";
import type { TSchema } from "typebox";
import { Type } from "../platform/schema.ts";
import { agentKeyHeaders, type Authorize, type CostLimit, presentedKey } from "../domains/api-keys/index.ts";
import { areaBodyBytesMax } from "../domains/collections/index.ts";
import type { ServiceError } from "../platform/errors.ts";
import { baseUrlOf } from "../platform/http/origin.ts";
import { requireOwnHost, requireOwnOrigin } from "../platform/http/own-host.ts";
import { type HttpServer, whenClientIsGone } from "../platform/http/server.ts";
import { toServiceError } from "../platform/http/service-errors.ts";
import { violations } from "../platform/http/violations.ts";
import type { Log } from "../platform/log.ts";
import { threadMs } from "../platform/thread-time.ts";
import type { Exchange } from "./server.ts";

type Handler = Pick<McpHttpHandler, "fetch" | "close">;

type RouteDeps = {
  handler: () => Promise<Handler>;
  authorize: Authorize;
  costs: CostLimit;
  publicUrl: string | undefined;
  log: Log;
};

const passedHeader = /^(?:accept|content-type|last-event-id|mcp-[a-z0-9-]+)$/;

/** One endpoint for every generation of clients: a message comes in, its answer goes out, nothing stays. */
export function mcpRoutes(app: HttpServer, { handler, authorize, costs, publicUrl, log }: RouteDeps) {
  app.addHook("onRequest", async (request) => {
    const { host, headers } = request;
    requireOwnHost(host, publicUrl);
    if (headers.origin !== undefined) requireOwnOrigin(headers.origin, host, publicUrl);
    const key = presentedKey(request.raw, agentKeyHeaders);
    const { principal, refusal } = await authorize({ key, address: request.ip });
    if (principal) request.principal = principal;
    if (refusal) throw refusal;
  });
  let used: Handler | undefined;
  app.addHook("preClose", async () => used?.close());

  app.post("/mcp", {
    // The key is checked before the body is read.
    bodyLimit: areaBodyBytesMax,
    // One message: a batch would be many calls for the price of one in the rate limit.
    schema: { hide: true, body: Type.Object({}) },
    async handler(request, reply) {
      const message = new Request(`${baseUrlOf(request)}/mcp`, {
        method: "POST",
        headers: passedHeaders(request),
        signal: whenClientIsGone(reply),
      });
      const exchange = exchangeOf(request, { publicUrl, log });
      const { keyId, scopes } = request.principal;
      const authInfo = { token: "", clientId: keyId, scopes: [...scopes], extra: { exchange } };
      used = await handler();
      const began = threadMs();
      const answer = await used.fetch(message, { authInfo, parsedBody: request.body });
      if (!waitsFor(request.body)) costs.spend(request.principal.organizationId, threadMs() - began);
      answer.headers.delete("connection"); // whether it stays open is between the client and the server
      return reply.send(answer);
    },
  });
}

/** Whether the message waits for a verb, which pays for itself. Lists and greetings only keep this thread busy. */
function waitsFor({ method }: { method?: unknown }): boolean {
  return method === "tools/call" || method === "resources/list" || method === "resources/read";
}

function exchangeOf(request: FastifyRequest, { publicUrl, log }: Pick<RouteDeps, "publicUrl" | "log">): Exchange {
  return {
    principal: request.principal,
    requestId: request.id,
    traceparent: request.traceparent,
    input: (request.body as { params?: { arguments?: unknown } }).params?.arguments,
    origin: publicUrl ?? baseUrlOf(request),
    violationsOf(schema: TSchema, input: unknown) {
      const validate = request.compileValidationSchema(schema);
      return validate(input) ? [] : violations(validate.errors ?? [], "body");
    },
    explain(thrown: unknown): ServiceError {
      const error = toServiceError(thrown instanceof Error ? thrown : new Error(String(thrown)));
      const isForeseen = error === thrown; // as when a test key rehearses it
      if (error.kind === "internal" && !isForeseen)
        log.error({ request_id: request.id, err: thrown }, "request.failed");
      request.failure = error;
      return error;
    },
  };
}

/** The protocol's own headers; credentials stay out of the protocol's hands. */
function passedHeaders({ headers }: FastifyRequest): Headers {
  const passed = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined && passedHeader.test(name)) passed.set(name, [value].flat().join(", "));
  }
  return passed;
}
