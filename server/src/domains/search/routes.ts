import { Type } from "../../platform/schema.ts";
import { IdempotencyInProgress, IdempotencyKeyReused } from "../../platform/errors.ts";
import { displayString } from "../../platform/http/display-string.ts";
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

const ReadingHeader = {
  "X-SVC-Query-Reading": Type.Optional(
    Type.String({
      maxLength: 512,
      description:
        "How the question was read and what was not understood of it, as a display string of RFC 9651. Not with test keys, and not on a replay.",
    }),
  ),
};

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
        // Sent as bytes, so that a business is written once for all answers that have it.
        200: Object.assign(Type.Unsafe<Buffer>(envelope(SearchData)), {
          headers: { ...UnitHeaders, ...ReadingHeader },
        }),
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
      if (outcome.reading !== undefined) reply.header("X-SVC-Query-Reading", displayString(outcome.reading));
      markReplay(reply, outcome);
      reply.type("application/json; charset=utf-8");
      return searchBytes(outcome.data, request.id);
    },
  });
}

const comma = Buffer.from(",");

/** The envelope around the bytes of the businesses: to write twenty of them anew takes as long as the rest of a search. */
function searchBytes({ businesses, ...rest }: SearchData, requestId: string): Buffer {
  const { head, tail } = envelopeEnds(requestId);
  const listed = businesses.flatMap((business, index) => [...(index > 0 ? [comma] : []), businessBytes(business)]);
  return Buffer.concat([
    Buffer.from(`${head}${JSON.stringify(rest).slice(0, -1)},"businesses":[`),
    ...listed,
    Buffer.from(`]}${tail}`),
  ]);
}

export const searchSchemas = [SearchRequest];
