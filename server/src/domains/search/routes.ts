import type { FastifyReply } from "fastify";
import { Type } from "../../platform/schema.ts";
import { IdempotencyInProgress, IdempotencyKeyReused } from "../../platform/errors.ts";
import { answerBuffer } from "../../platform/http/answer-buffers.ts";
import { envelope, envelopeEnds } from "../../platform/http/envelope.ts";
import { errorResponses } from "../../platform/http/error-body.ts";
import {
  type HttpServer,
  markReplay,
  OptionalIdempotencyKey,
  readIdempotencyKey,
  whenClientIsGone,
} from "../../platform/http/server.ts";
import { AllowanceExhausted, UnitHeaders, unitHeaders } from "../billing/index.ts";
import { businessBytes } from "../businesses/index.ts";
import { CapabilityUnavailable, SourceFailed, SourceTimeout, SourceUnavailable } from "./errors.ts";
import { SearchData, SearchRequest } from "./schema.ts";
import type { Search } from "./service.ts";

export function searchRoutes(app: HttpServer, search: Search) {
  app.post("/search", {
    schema: {
      operationId: "search",
      summary: "Search businesses, answered at once",
      description:
        "Up to 20 businesses of one page. One request unit, empty pages included; test keys are not charged.",
      tags: ["Search"],
      headers: OptionalIdempotencyKey,
      body: Type.Unsafe<SearchRequest>(Type.Ref("SearchRequest")),
      response: {
        200: Object.assign(envelope(SearchData), { headers: UnitHeaders }),
        ...errorResponses(
          AllowanceExhausted,
          CapabilityUnavailable,
          IdempotencyInProgress,
          IdempotencyKeyReused,
          SourceFailed,
          SourceUnavailable,
          SourceTimeout,
        ),
      },
    },
    async handler(request, reply) {
      const context = { idempotencyKey: readIdempotencyKey(request), whenGone: () => whenClientIsGone(reply) };
      const outcome = await search.find(request.principal, request.body, context);
      reply.headers(unitHeaders(outcome.balance));
      markReplay(reply, outcome);
      reply.type("application/json; charset=utf-8");
      // Fastify sends bytes as they are; its type only knows the data.
      return searchBytes(outcome.data, reply) as unknown as SearchData;
    },
  });
}

const comma = 0x2c;

/** Writes the envelope around the cached bytes of the businesses, so that nothing large is encoded twice. */
function searchBytes({ total, params, businesses, simulated }: SearchData, reply: FastifyReply): Buffer {
  const { head, tail } = envelopeEnds(reply.request.id);
  const start = `${head}{"total":${total},"params":${JSON.stringify(params)},"businesses":[`;
  const end = `],"simulated":${simulated}}${tail}`;
  const parts = businesses.map(businessBytes);
  const commas = Math.max(0, parts.length - 1);
  const size = parts.reduce(
    (sum, { length }) => sum + length,
    Buffer.byteLength(start) + commas + Buffer.byteLength(end),
  );
  const bytes = answerBuffer(reply, size);
  let at = bytes.write(start);
  for (const [index, part] of parts.entries()) {
    if (index > 0) at = bytes.writeUInt8(comma, at);
    bytes.set(part, at);
    at += part.length;
  }
  bytes.write(end, at);
  return bytes;
}

export const searchSchemas = [SearchRequest];
