import { Type } from "typebox";
import { envelope, envelopeText } from "../../platform/http/envelope.ts";
import { errorResponses } from "../../platform/http/error-body.ts";
import { IdempotencyInProgress, IdempotencyKeyReused } from "../../platform/http/errors.ts";
import { type HttpServer, OptionalIdempotencyKey, readIdempotencyKey, sendAnswer } from "../../platform/http/server.ts";
import { businessText } from "../businesses/index.ts";
import { CapabilityUnavailable } from "./errors.ts";
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
        200: envelope(SearchData),
        ...errorResponses(CapabilityUnavailable, IdempotencyInProgress, IdempotencyKeyReused),
      },
    },
    config: { scope: "scrapes:write" },
    serializerCompiler: () => searchText,
    async handler(request, reply) {
      return sendAnswer(reply, await search.find(request.principal, request.body, readIdempotencyKey(request)));
    },
  });
}

/** Writes the envelope around businesses whose text is known already. */
function searchText({ data, request_id: requestId }: { data: SearchData; request_id: string }): string {
  const { total, params, businesses, simulated } = data;
  const listed = businesses.map(businessText).join(",");
  return envelopeText(
    `{"total":${total},"params":${JSON.stringify(params)},"businesses":[${listed}],"simulated":${simulated}}`,
    requestId,
  );
}

export const searchSchemas = [SearchRequest];
