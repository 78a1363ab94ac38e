import { Type } from "../../platform/schema.ts";
import { IdempotencyInProgress, IdempotencyKeyReused, TemporarilyUnavailable } from "../../platform/errors.ts";
import { envelope, listEnvelope } from "../../platform/http/envelope.ts";
import { errorResponses } from "../../platform/http/error-body.ts";
import { PageQuery, readPage } from "../../platform/http/page-query.ts";
import { type HttpServer, markReplay, OptionalIdempotencyKey, readIdempotencyKey } from "../../platform/http/server.ts";
import { LiveKeyRequired } from "../api-keys/index.ts";
import type { Deliveries } from "./deliveries/service.ts";
import type { Endpoints } from "./endpoints/service.ts";
import { AttemptRunning, DeliveryNotFound } from "./deliveries/errors.ts";
import { DeliveryParams, DeliveryRecord } from "./deliveries/schema.ts";
import {
  EndpointLimitReached,
  EndpointNotActive,
  EndpointNotFound,
  EndpointTargetRefused,
  SecretNotShownAgain,
} from "./endpoints/errors.ts";
import { eventSchemas } from "./events/body-schemas.ts";
import {
  CreateEndpoint,
  DeletedEndpoint,
  EndpointParams,
  EndpointRecord,
  RevealedEndpoint,
  RotateSecret,
  UpdateEndpoint,
} from "./endpoints/schema.ts";

export const webhookSchemas = [
  CreateEndpoint,
  UpdateEndpoint,
  RotateSecret,
  EndpointRecord,
  RevealedEndpoint,
  DeliveryRecord,
  ...eventSchemas,
];

const tags = ["Webhooks"];
const Shown = Type.Unsafe<EndpointRecord>(Type.Ref("WebhookEndpoint"));
const Revealed = Type.Unsafe<RevealedEndpoint>(Type.Ref("WebhookEndpointWithSecret"));
const Sent = Type.Unsafe<DeliveryRecord>(Type.Ref("WebhookDelivery"));

export function webhookRoutes(app: HttpServer, endpoints: Endpoints, deliveries: Deliveries) {
  app.post("/webhook-endpoints", {
    schema: {
      operationId: "createWebhookEndpoint",
      summary: "Create a webhook endpoint; its secret is shown this once",
      tags,
      headers: OptionalIdempotencyKey,
      body: Type.Unsafe<CreateEndpoint>(Type.Ref("CreateWebhookEndpoint")),
      response: {
        201: envelope(Revealed),
        ...errorResponses(
          LiveKeyRequired,
          EndpointNotFound,
          EndpointLimitReached,
          SecretNotShownAgain,
          IdempotencyInProgress,
          IdempotencyKeyReused,
          TemporarilyUnavailable,
        ),
      },
    },
    async handler(request, reply) {
      const created = await endpoints.create(request.principal, request.body, readIdempotencyKey(request));
      reply.code(201);
      markReplay(reply, created);
      return created.endpoint;
    },
  });

  app.get("/webhook-endpoints", {
    schema: {
      operationId: "listWebhookEndpoints",
      summary: "List webhook endpoints, newest first",
      tags,
      querystring: PageQuery,
      response: { 200: listEnvelope(Shown), ...errorResponses(LiveKeyRequired) },
    },
    handler: async (request) => endpoints.list(request.principal, readPage(request.query)),
  });

  app.get("/webhook-endpoints/:endpointId", {
    schema: {
      operationId: "getWebhookEndpoint",
      summary: "Read a webhook endpoint",
      tags,
      params: EndpointParams,
      response: { 200: envelope(Shown), ...errorResponses(LiveKeyRequired, EndpointNotFound) },
    },
    handler: async (request) => endpoints.get(request.principal, request.params.endpointId),
  });

  app.patch("/webhook-endpoints/:endpointId", {
    schema: {
      operationId: "updateWebhookEndpoint",
      summary: "Change, pause or activate a webhook endpoint",
      tags,
      params: EndpointParams,
      body: Type.Unsafe<UpdateEndpoint>(Type.Ref("UpdateWebhookEndpoint")),
      response: {
        200: envelope(Shown),
        ...errorResponses(LiveKeyRequired, EndpointNotFound, EndpointTargetRefused, TemporarilyUnavailable),
      },
    },
    handler: async (request) => endpoints.update(request.principal, request.params.endpointId, request.body),
  });

  app.delete("/webhook-endpoints/:endpointId", {
    schema: {
      operationId: "deleteWebhookEndpoint",
      summary: "Delete a webhook endpoint and terminate its pending deliveries",
      tags,
      params: EndpointParams,
      response: { 200: envelope(DeletedEndpoint), ...errorResponses(LiveKeyRequired, EndpointNotFound) },
    },
    handler: async (request) => endpoints.remove(request.principal, request.params.endpointId),
  });

  app.post("/webhook-endpoints/:endpointId/rotate-secret", {
    schema: {
      operationId: "rotateWebhookSecret",
      summary: "Make a new secret version; it is shown this once",
      tags,
      params: EndpointParams,
      body: Type.Unsafe<RotateSecret>(Type.Ref("RotateWebhookSecret")),
      response: { 200: envelope(Revealed), ...errorResponses(LiveKeyRequired, EndpointNotFound) },
    },
    handler: async (request) => endpoints.rotateSecret(request.principal, request.params.endpointId, request.body),
  });

  app.post("/webhook-endpoints/:endpointId/test", {
    schema: {
      operationId: "sendTestEvent",
      summary: "Send a webhook.test event to an active endpoint",
      tags,
      params: EndpointParams,
      response: {
        202: envelope(Sent),
        ...errorResponses(
          LiveKeyRequired,
          EndpointNotFound,
          EndpointNotActive,
          EndpointTargetRefused,
          TemporarilyUnavailable,
        ),
      },
    },
    async handler(request, reply) {
      reply.code(202);
      const { principal, params, id: requestId, traceparent } = request;
      return deliveries.sendTest(principal, params.endpointId, { requestId, traceparent });
    },
  });

  app.get("/webhook-endpoints/:endpointId/deliveries", {
    schema: {
      operationId: "listWebhookDeliveries",
      summary: "List an endpoint's deliveries with their attempts, newest first",
      tags,
      params: EndpointParams,
      querystring: PageQuery,
      response: { 200: listEnvelope(Sent), ...errorResponses(LiveKeyRequired, EndpointNotFound) },
    },
    async handler({ principal, params: { endpointId }, query }) {
      return deliveries.list(principal, endpointId, readPage(query));
    },
  });

  app.post("/webhook-deliveries/:deliveryId/resend", {
    schema: {
      operationId: "resendWebhookDelivery",
      summary: "Make one more attempt now, outside the schedule",
      tags,
      params: DeliveryParams,
      response: {
        202: envelope(Sent),
        ...errorResponses(LiveKeyRequired, DeliveryNotFound, EndpointNotActive, AttemptRunning),
      },
    },
    async handler(request, reply) {
      reply.code(202);
      return deliveries.resend(request.principal, request.params.deliveryId);
    },
  });
}
