import type { FastifyRequest } from "fastify";
import { Type } from "../../platform/schema.ts";
import { IdempotencyInProgress, IdempotencyKeyReused } from "../../platform/errors.ts";
import { baseUrlOf } from "../../platform/http/origin.ts";
import { PageQuery, readPage } from "../../platform/http/page-query.ts";
import { ListPage } from "../../platform/pages.ts";
import { envelope, listEnvelope } from "../../platform/http/envelope.ts";
import { errorResponses } from "../../platform/http/error-body.ts";
import {
  type HttpServer,
  requiredIdempotencyKey,
  RequiredIdempotencyKey,
  markReplay,
} from "../../platform/http/server.ts";
import { LiveKeyRequired } from "../api-keys/index.ts";
import {
  ExportColumnUnknown,
  ExportEndpointUnknown,
  ExportedNotFound,
  ExportNotFound,
  ExportTargetUnclear,
  NothingToExport,
  TooManyExports,
} from "./errors.ts";
import { type ShownExport, withDownloadUrl } from "./resource.ts";
import { CreateExport, DeletedExport, Export, ExportParams } from "./schema.ts";
import type { Exports } from "./service.ts";

export const exportSchemas = [CreateExport, Export];

const ExportRef = Type.Unsafe<Export>(Type.Ref("Export"));
const statusOf = { accepted: 202, simulated: 200 } as const;
const retryAfterSeconds = 1;
const headersOf = {
  accepted: ({ links }: Export) => ({ Location: links.self, "Retry-After": String(retryAfterSeconds) }),
  simulated: () => ({}),
};

export function exportRoutes(app: HttpServer, exports: Exports, publicUrl: string | undefined) {
  const render = (request: FastifyRequest, shown: ShownExport) =>
    withDownloadUrl(shown, publicUrl ?? baseUrlOf(request));

  app.post("/exports", {
    schema: {
      operationId: "createExport",
      summary: "Export stored results to a file",
      description:
        "Of one job, several jobs or a collection. Live keys get 202 and read the export until it is ready; test keys get 200 and a finished one, or one that still runs when it takes longer than ten seconds. It costs no request unit.",
      tags: ["Exports"],
      headers: RequiredIdempotencyKey,
      body: Type.Unsafe<CreateExport>(Type.Ref("CreateExport")),
      response: {
        200: envelope(ExportRef),
        202: Object.assign(envelope(ExportRef), {
          headers: { Location: Type.String(), "Retry-After": Type.Integer() },
        }),
        ...errorResponses(
          ExportTargetUnclear,
          ExportEndpointUnknown,
          ExportColumnUnknown,
          LiveKeyRequired,
          ExportedNotFound,
          NothingToExport,
          TooManyExports,
          IdempotencyInProgress,
          IdempotencyKeyReused,
        ),
      },
    },
    async handler(request, reply) {
      const created = await exports.create(request.principal, request.body, {
        idempotencyKey: requiredIdempotencyKey(request),
        requestId: request.id,
        traceparent: request.traceparent,
      });
      const data = render(request, created.export);
      reply.code(statusOf[created.outcome]).headers(headersOf[created.outcome](data));
      markReplay(reply, created);
      return data;
    },
  });

  app.get("/exports", {
    schema: {
      operationId: "listExports",
      summary: "List exports, newest first",
      tags: ["Exports"],
      querystring: PageQuery,
      response: { 200: listEnvelope(ExportRef) },
    },
    async handler(request) {
      const { items, nextCursor } = await exports.list(request.principal, readPage(request.query));
      return new ListPage(
        items.map((item) => render(request, item)),
        nextCursor,
      );
    },
  });

  app.get("/exports/:exportId", {
    schema: {
      operationId: "getExport",
      summary: "Read an export, and get a fresh download link when it is ready",
      tags: ["Exports"],
      params: ExportParams,
      response: { 200: envelope(ExportRef), ...errorResponses(ExportNotFound) },
    },
    handler: async (request) => render(request, await exports.get(request.principal, request.params.exportId)),
  });

  app.delete("/exports/:exportId", {
    schema: {
      operationId: "deleteExport",
      summary: "Delete an export with its file",
      description:
        "Without a body. Its download links stop working at once. One that is being written is stopped, and its export.ready, where it waits for delivery, ends.",
      tags: ["Exports"],
      params: ExportParams,
      response: { 200: envelope(DeletedExport), ...errorResponses(ExportNotFound) },
    },
    handler: (request) => exports.remove(request.principal, request.params.exportId),
  });
}
