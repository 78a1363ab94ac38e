import { Type } from "../../platform/schema.ts";
import { IdempotencyInProgress, IdempotencyKeyReused } from "../../platform/errors.ts";
import { PageQuery, readPage } from "../../platform/http/page-query.ts";
import { envelope, listEnvelope, recordsText, textOf } from "../../platform/http/envelope.ts";
import { errorResponses } from "../../platform/http/error-body.ts";
import {
  type HttpServer,
  markReplay,
  RequiredIdempotencyKey,
  requiredIdempotencyKey,
} from "../../platform/http/server.ts";
import { LiveKeyRequired } from "../api-keys/index.ts";
import {
  AreaInvalid,
  CollectingUnavailable,
  CollectionEndpointUnknown,
  CollectionEnded,
  CollectionNotFound,
  PlaceLookupFailed,
} from "./errors.ts";
import {
  Collection,
  CollectionEstimate,
  CollectionParams,
  CollectionResults,
  collectionText,
  Coverage,
  CreateCollection,
  DeletedCollection,
  EstimateCollection,
  ReadCoverage,
  type ResultsPage,
} from "./schema.ts";
import type { Collections } from "./service.ts";

export const collectionSchemas = [CreateCollection, EstimateCollection, Collection, CollectionEstimate];

const CollectionRef = Type.Unsafe<Collection>(Type.Ref("Collection"));
const EstimateRef = Type.Unsafe<CollectionEstimate>(Type.Ref("CollectionEstimate"));
/** Writes collections with their areas as they are stored. */
const serializerCompiler = ({ httpStatus = "" }: { httpStatus?: string }) =>
  httpStatus.startsWith("2") ? textOf(collectionText) : JSON.stringify;
const tags = ["Collections"];
const statusOf = { accepted: 202, simulated: 200 } as const;
/** A polygon of 10,000 points with all their digits. */
export const areaBodyBytesMax = 1024 * 1024;

export function collectionRoutes(app: HttpServer, collections: Collections) {
  app.post("/collections/estimate", {
    bodyLimit: areaBodyBytesMax,
    schema: {
      operationId: "estimateCollection",
      summary: "Count what a collection would take",
      description:
        "Free, and creates nothing. The body is that of a creation without max_units. The catalog is counted in up to 4 seconds; other sources cannot count for free. Test keys pay nothing for a collection, so theirs is 0 units.",
      tags,
      body: Type.Unsafe<EstimateCollection>(Type.Ref("EstimateCollection")),
      response: {
        200: envelope(EstimateRef),
        ...errorResponses(AreaInvalid, CollectingUnavailable, PlaceLookupFailed),
      },
    },
    handler: (request) => collections.estimate(request.principal, request.body),
  });

  app.post("/collections", {
    bodyLimit: areaBodyBytesMax,
    schema: {
      operationId: "createCollection",
      summary: "Collect everything for a query in an area",
      description:
        "One request unit per page, charged as pages are stored and never more than max_units; creating costs none. Live keys get 202 and read the collection until it has ended; test keys get 200 and a simulated one that has ended already.",
      tags,
      headers: RequiredIdempotencyKey,
      body: Type.Unsafe<CreateCollection>(Type.Ref("CreateCollection")),
      response: {
        200: envelope(CollectionRef),
        202: Object.assign(envelope(CollectionRef), {
          headers: { Location: Type.String(), "Retry-After": Type.Integer() },
        }),
        ...errorResponses(
          AreaInvalid,
          CollectionEndpointUnknown,
          LiveKeyRequired,
          CollectingUnavailable,
          PlaceLookupFailed,
          IdempotencyInProgress,
          IdempotencyKeyReused,
        ),
      },
    },
    serializerCompiler,
    async handler(request, reply) {
      const outcome = await collections.create(request.principal, request.body, {
        idempotencyKey: requiredIdempotencyKey(request),
        requestId: request.id,
        traceparent: request.traceparent,
      });
      const { self } = outcome.collection.links;
      reply.code(statusOf[outcome.outcome]);
      if (outcome.outcome === "accepted") reply.headers({ Location: self, "Retry-After": "1" });
      markReplay(reply, outcome);
      return outcome.collection;
    },
  });

  app.get("/collections", {
    schema: {
      operationId: "listCollections",
      summary: "List collections, newest first",
      description: "A page of large areas ends before its limit; next_cursor goes on.",
      tags,
      querystring: PageQuery,
      response: { 200: listEnvelope(CollectionRef) },
    },
    serializerCompiler,
    handler: (request) => collections.list(request.principal, readPage(request.query)),
  });

  app.get("/collections/:collectionId", {
    schema: {
      operationId: "getCollection",
      summary: "Read the status and progress of a collection",
      tags,
      params: CollectionParams,
      response: { 200: envelope(CollectionRef), ...errorResponses(CollectionNotFound) },
    },
    serializerCompiler,
    handler: (request) => collections.get(request.principal, request.params.collectionId),
  });

  app.get("/collections/:collectionId/results", {
    schema: {
      operationId: "getCollectionResults",
      summary: "Read the stored results of a collection",
      description: "Also while it runs: what is stored stays as it is, and more is added behind it.",
      tags,
      params: CollectionParams,
      querystring: PageQuery,
      response: {
        // Written by the serializer below, from records that are text already.
        200: Type.Unsafe<ResultsPage>(envelope(CollectionResults)),
        ...errorResponses(CollectionNotFound),
      },
    },
    serializerCompiler: ({ httpStatus }) => (httpStatus === "200" ? recordsText : JSON.stringify),
    handler: (request) => collections.results(request.principal, request.params.collectionId, readPage(request.query)),
  });

  app.get("/collections/:collectionId/coverage", {
    schema: {
      operationId: "getCollectionCoverage",
      summary: "Read which parts of the area were covered",
      description: "A GeoJSON FeatureCollection of the cells, in the order they were made.",
      tags,
      params: CollectionParams,
      querystring: ReadCoverage,
      response: { 200: envelope(Coverage), ...errorResponses(CollectionNotFound) },
    },
    handler: (request) => collections.coverage(request.principal, request.params.collectionId, request.query),
  });

  app.post("/collections/:collectionId/pause", {
    schema: {
      operationId: "pauseCollection",
      summary: "Pause a collection",
      description: "Without a body. Nothing is charged while it is paused; a paused one stays as it is.",
      tags,
      params: CollectionParams,
      response: { 200: envelope(CollectionRef), ...errorResponses(CollectionNotFound, CollectionEnded) },
    },
    serializerCompiler,
    handler: (request) => collections.pause(request.principal, request.params.collectionId),
  });

  app.post("/collections/:collectionId/resume", {
    schema: {
      operationId: "resumeCollection",
      summary: "Resume a paused collection",
      description: "Without a body. One that is not paused stays as it is.",
      tags,
      params: CollectionParams,
      response: { 200: envelope(CollectionRef), ...errorResponses(CollectionNotFound, CollectionEnded) },
    },
    serializerCompiler,
    handler: (request) => collections.resume(request.principal, request.params.collectionId),
  });

  app.post("/collections/:collectionId/cancel", {
    schema: {
      operationId: "cancelCollection",
      summary: "Stop a collection for good",
      description: "Without a body. What is stored can still be read; one that has ended stays as it is.",
      tags,
      params: CollectionParams,
      response: { 200: envelope(CollectionRef), ...errorResponses(CollectionNotFound) },
    },
    serializerCompiler,
    handler: (request) => collections.cancel(request.principal, request.params.collectionId),
  });

  app.delete("/collections/:collectionId", {
    schema: {
      operationId: "deleteCollection",
      summary: "Delete a collection with its records",
      description:
        "Without a body. One that has not ended is canceled first, with its event; what else of it waits for delivery ends. The exports that hold its records go too, with their files. What it was charged stays in the ledger.",
      tags,
      params: CollectionParams,
      response: { 200: envelope(DeletedCollection), ...errorResponses(CollectionNotFound) },
    },
    handler: (request) => collections.remove(request.principal, request.params.collectionId),
  });
}
