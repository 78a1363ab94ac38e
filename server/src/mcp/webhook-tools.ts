import { Type } from "../platform/schema.ts";
import {
  CreateEndpoint,
  type Deliveries,
  type Endpoints,
  RotateSecret,
  UpdateEndpoint,
} from "../domains/webhooks/index.ts";
import { pageInput, pageRequest } from "./schemas.ts";
import { creates, createsAgain, defineTool, destroys, reads, type Tool } from "./tool.ts";
import { cutLongTexts } from "./untrusted-text.ts";

export type WebhookToolDeps = { webhookEndpoints: Endpoints; webhookDeliveries: Deliveries };

const endpointId = { endpoint_id: Type.String() };

export function webhookTools({ webhookEndpoints: endpoints, webhookDeliveries: deliveries }: WebhookToolDeps): Tool[] {
  return [
    defineTool({
      name: "create_webhook_endpoint",
      title: "Create a webhook endpoint",
      about:
        "Registers an HTTPS address that gets signed events of jobs and exports. The answer shows its secret this once: hand it to the person who runs the receiver, and nobody else.",
      operation: "createWebhookEndpoint",
      hints: createsAgain,
      input: CreateEndpoint,
      async run({ principal }, { idempotency_key: idempotencyKey, ...request }) {
        const { endpoint, replayed } = await endpoints.create(principal, request, idempotencyKey);
        return { endpoint, replayed };
      },
    }),
    defineTool({
      name: "list_webhook_endpoints",
      title: "List webhook endpoints",
      about: "Lists the organization's webhook endpoints, newest first. Use it to find an endpoint's id or state.",
      operation: "listWebhookEndpoints",
      hints: reads,
      input: Type.Object(pageInput),
      async run({ principal }, page) {
        const { items, nextCursor } = await endpoints.list(principal, pageRequest(page));
        return { endpoints: items, next_cursor: nextCursor };
      },
    }),
    defineTool({
      name: "get_webhook_endpoint",
      title: "Read a webhook endpoint",
      about: "Reads one webhook endpoint: its address, event types, status and why it was disabled.",
      operation: "getWebhookEndpoint",
      hints: reads,
      input: Type.Object(endpointId),
      run: async ({ principal }, { endpoint_id: id }) => ({ endpoint: await endpoints.get(principal, id) }),
    }),
    defineTool({
      name: "update_webhook_endpoint",
      title: "Change a webhook endpoint",
      about: "Changes the address, event types or description of an endpoint, pauses it or activates it again.",
      operation: "updateWebhookEndpoint",
      hints: destroys,
      // The id and at least one change.
      input: Type.Object({ ...endpointId, ...UpdateEndpoint.properties }, { minProperties: 2 }),
      async run({ principal }, { endpoint_id: id, ...changes }) {
        return { endpoint: await endpoints.update(principal, id, changes) };
      },
    }),
    defineTool({
      name: "delete_webhook_endpoint",
      title: "Delete a webhook endpoint",
      about: "Deletes an endpoint for good and terminates its pending deliveries. To stop it for a while, pause it.",
      operation: "deleteWebhookEndpoint",
      hints: destroys,
      input: Type.Object(endpointId),
      run: async ({ principal }, { endpoint_id: id }) => endpoints.remove(principal, id),
    }),
    defineTool({
      name: "rotate_webhook_secret",
      title: "Rotate a webhook secret",
      about:
        "Makes a new secret for an endpoint and shows it this once. Use mode compromise only when the old one has leaked: receivers that still have it refuse deliveries from then on.",
      operation: "rotateWebhookSecret",
      hints: { ...destroys, idempotentHint: false },
      input: Type.Object({ ...endpointId, ...RotateSecret.properties }),
      async run({ principal }, { endpoint_id: id, ...request }) {
        return { endpoint: await endpoints.rotateSecret(principal, id, request) };
      },
    }),
    defineTool({
      name: "send_test_event",
      title: "Send a test event",
      about: "Sends a webhook.test event to an active endpoint. Read its outcome with list_webhook_deliveries.",
      operation: "sendTestEvent",
      hints: { ...createsAgain, openWorldHint: true },
      input: Type.Object(endpointId),
      async run({ principal, requestId, traceparent }, { endpoint_id: id }) {
        return { delivery: await deliveries.sendTest(principal, id, { requestId, traceparent }) };
      },
    }),
    defineTool({
      name: "list_webhook_deliveries",
      title: "List webhook deliveries",
      about:
        "Lists the deliveries of an endpoint with their attempts, newest first. Use it to see why a receiver got nothing.",
      operation: "listWebhookDeliveries",
      hints: reads,
      input: Type.Object({ ...endpointId, ...pageInput }),
      async run({ principal }, { endpoint_id: id, ...page }) {
        const { items, nextCursor } = await deliveries.list(principal, id, pageRequest(page));
        return { deliveries: items.map(cutLongTexts), next_cursor: nextCursor };
      },
    }),
    defineTool({
      name: "resend_webhook_delivery",
      title: "Resend a webhook delivery",
      about: "Makes one more attempt to deliver an event now, outside the schedule.",
      operation: "resendWebhookDelivery",
      hints: { ...creates, idempotentHint: false, openWorldHint: true },
      input: Type.Object({ delivery_id: Type.String() }),
      run: async ({ principal }, { delivery_id: id }) => ({
        delivery: cutLongTexts(await deliveries.resend(principal, id)),
      }),
    }),
  ];
}
