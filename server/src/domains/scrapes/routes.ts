import { Type } from "../../platform/schema.ts";
import { readPage } from "../../platform/http/page-query.ts";
import { IdempotencyInProgress, IdempotencyKeyReused } from "../../platform/errors.ts";
import { envelope, listEnvelope, recordsText } from "../../platform/http/envelope.ts";
import { errorResponses } from "../../platform/http/error-body.ts";
import { checkWait, preferHeader, readWait } from "../../platform/http/prefer.ts";
import {
  type HttpServer,
  markReplay,
  RequiredIdempotencyKey,
  requiredIdempotencyKey,
  whenClientIsGone,
} from "../../platform/http/server.ts";
import { LiveKeyRequired } from "../api-keys/index.ts";
import { AllowanceExhausted, UnitHeaders, unitHeaders } from "../billing/index.ts";
import type { CreateOutcome } from "./create.ts";
import { EndpointUnknown, OperationUnavailable, ScrapeNotFound } from "./errors.ts";
import {
  CreateScrape,
  DeletedScrape,
  JobParams,
  ListScrapes,
  ReadResults,
  type ResultsPage,
  Scrape,
  ScrapeResults,
} from "./schema.ts";
import type { Scrapes } from "./service.ts";

export const scrapeSchemas = [CreateScrape, Scrape];

const JobRef = Type.Unsafe<Scrape>(Type.Ref("Scrape"));
const Job = envelope(JobRef);
const PreferenceApplied = {
  "Preference-Applied": Type.String({ description: "wait=<n>, when the request prefers that." }),
};
const retryAfterSeconds = 1;

export function scrapeRoutes(app: HttpServer, scrapes: Scrapes) {
  app.post("/scrapes", {
    schema: {
      operationId: "createScrape",
      summary: "Create a scrape job for one source page",
      description:
        "One request unit, whatever becomes of the job. Live keys get 202 and read the job until it has ended; test keys get 200 and a job that has ended already.",
      tags: ["Scrapes"],
      headers: Type.Object({ ...RequiredIdempotencyKey.properties, ...preferHeader }),
      body: Type.Unsafe<CreateScrape>(Type.Ref("CreateScrape")),
      response: {
        200: Object.assign(envelope(JobRef), { headers: { ...UnitHeaders, ...PreferenceApplied } }),
        202: Object.assign(envelope(JobRef), {
          headers: { ...UnitHeaders, ...PreferenceApplied, Location: Type.String(), "Retry-After": Type.Integer() },
        }),
        ...errorResponses(
          EndpointUnknown,
          LiveKeyRequired,
          OperationUnavailable,
          AllowanceExhausted,
          IdempotencyInProgress,
          IdempotencyKeyReused,
        ),
      },
    },
    preValidation: checkWait,
    async handler(request, reply) {
      const outcome = await scrapes.create(request.principal, request.body, {
        idempotencyKey: requiredIdempotencyKey(request),
        requestId: request.id,
        traceparent: request.traceparent,
        waitSeconds: readWait(request),
        signal: whenClientIsGone(reply),
      });
      reply.code(statusOf[outcome.outcome]).headers(createdHeaders(outcome));
      markReplay(reply, outcome);
      return outcome.job;
    },
  });

  app.get("/scrapes", {
    schema: {
      operationId: "listScrapes",
      summary: "List jobs, newest first",
      tags: ["Scrapes"],
      querystring: ListScrapes,
      response: { 200: listEnvelope(JobRef) },
    },
    handler: (request) => scrapes.list(request.principal, { ...readPage(request.query), status: request.query.status }),
  });

  app.get("/scrapes/:jobId", {
    schema: {
      operationId: "getScrape",
      summary: "Read the status and progress of a job",
      tags: ["Scrapes"],
      params: JobParams,
      response: { 200: Job, ...errorResponses(ScrapeNotFound) },
    },
    handler: (request) => scrapes.get(request.principal, request.params.jobId),
  });

  app.delete("/scrapes/:jobId", {
    schema: {
      operationId: "deleteScrape",
      summary: "Delete a job with its results",
      description:
        "Without a body. A job that runs is canceled first, with its event; what else of it waits for delivery ends. The exports that hold its records go too, with their files. What it was charged stays in the ledger.",
      tags: ["Scrapes"],
      params: JobParams,
      response: { 200: envelope(DeletedScrape), ...errorResponses(ScrapeNotFound) },
    },
    handler: (request) => scrapes.remove(request.principal, request.params.jobId),
  });

  app.get("/scrapes/:jobId/results", {
    schema: {
      operationId: "getScrapeResults",
      summary: "Read the stored results of a job",
      description: "Also while the job runs: what is stored stays as it is, and more is added behind it.",
      tags: ["Scrapes"],
      params: JobParams,
      querystring: ReadResults,
      response: {
        // Written by the serializer below, from records that are text already.
        200: Type.Unsafe<ResultsPage>(envelope(ScrapeResults)),
        ...errorResponses(ScrapeNotFound),
      },
    },
    serializerCompiler: ({ httpStatus }) => (httpStatus === "200" ? recordsText : JSON.stringify),
    handler: (request) => scrapes.results(request.principal, request.params.jobId, readPage(request.query)),
  });

  app.post("/scrapes/:jobId/cancel", {
    schema: {
      operationId: "cancelScrape",
      summary: "Stop a job for good",
      description: "Without a body. A job that has ended stays as it is; the unit of a canceled one stays charged.",
      tags: ["Scrapes"],
      params: JobParams,
      headers: RequiredIdempotencyKey,
      response: { 200: Job, ...errorResponses(ScrapeNotFound) },
    },
    async handler(request, reply) {
      const key = requiredIdempotencyKey(request);
      const outcome = await scrapes.cancel(request.principal, request.params.jobId, key);
      markReplay(reply, outcome);
      return outcome.job;
    },
  });
}

const statusOf = { accepted: 202, finished: 200, simulated: 200 } as const satisfies Record<
  CreateOutcome["outcome"],
  number
>;

function createdHeaders({ outcome, job, balance, waitedSeconds }: CreateOutcome): Record<string, string> {
  return {
    ...unitHeaders(balance),
    ...(outcome === "accepted" ? { Location: job.links.self, "Retry-After": String(retryAfterSeconds) } : {}),
    ...(waitedSeconds === undefined ? {} : { "Preference-Applied": `wait=${waitedSeconds}` }),
  };
}
