import { pathOf } from "./calls.ts";
import type { CallOptions } from "./options.ts";
import { type ListOptions, listOf, type Paged } from "./paging.ts";
import { deletion, resource, type Shape } from "./shape.ts";
import type { Call, Transport } from "./transport.ts";
import type {
  CreateWebhookEndpoint,
  DeletedWebhookEndpoint,
  ListPage,
  RotateWebhookSecret,
  UpdateWebhookEndpoint,
  WebhookDelivery,
  WebhookEndpoint,
  WebhookEndpointWithSecret,
} from "./types.ts";

const endpoints = "/webhook-endpoints";

/** Webhook endpoints and their deliveries; they need a live key. What takes no Idempotency-Key is never sent twice. */
export function createWebhooks({ send }: Transport) {
  const dataOf = async <Data>(call: Omit<Call, "answer">, answer: Shape = resource) =>
    (await send<{ data: Data }>({ ...call, answer })).data;

  /** Makes an endpoint. The answer shows its secret, this once. */
  async function create(body: CreateWebhookEndpoint, options?: CallOptions): Promise<WebhookEndpointWithSecret> {
    return dataOf({ method: "POST", path: endpoints, body, options });
  }

  async function get(endpointId: string, options?: CallOptions): Promise<WebhookEndpoint> {
    return dataOf({ method: "GET", path: pathOf(endpoints, endpointId), options });
  }

  function list(options: ListOptions = {}): Paged<WebhookEndpoint, ListPage<WebhookEndpoint>> {
    return listOf(send, endpoints, options);
  }

  async function update(
    endpointId: string,
    body: UpdateWebhookEndpoint,
    options?: CallOptions,
  ): Promise<WebhookEndpoint> {
    return dataOf({ method: "PATCH", path: pathOf(endpoints, endpointId), body, options });
  }

  /** Deletes an endpoint; its pending deliveries are terminated. */
  async function remove(endpointId: string, options?: CallOptions): Promise<DeletedWebhookEndpoint> {
    return dataOf({ method: "DELETE", path: pathOf(endpoints, endpointId), options }, deletion);
  }

  /** Makes a new secret and shows it once. `compromise` revokes the old one at once. */
  async function rotateSecret(
    endpointId: string,
    mode: RotateWebhookSecret["mode"] = "normal",
    options?: CallOptions,
  ): Promise<WebhookEndpointWithSecret> {
    return dataOf({ method: "POST", path: pathOf(endpoints, endpointId, "/rotate-secret"), body: { mode }, options });
  }

  /** Sends a `webhook.test` event to an active endpoint. */
  async function sendTest(endpointId: string, options?: CallOptions): Promise<WebhookDelivery> {
    return dataOf({ method: "POST", path: pathOf(endpoints, endpointId, "/test"), options });
  }

  /** The endpoint's deliveries with their attempts, newest first. */
  function deliveries(
    endpointId: string,
    options: ListOptions = {},
  ): Paged<WebhookDelivery, ListPage<WebhookDelivery>> {
    return listOf(send, pathOf(endpoints, endpointId, "/deliveries"), options);
  }

  /** Makes one more attempt, outside the seven. */
  async function resend(deliveryId: string, options?: CallOptions): Promise<WebhookDelivery> {
    return dataOf({ method: "POST", path: pathOf("/webhook-deliveries", deliveryId, "/resend"), options });
  }

  return { create, get, list, update, remove, rotateSecret, sendTest, deliveries, resend };
}

export type Webhooks = ReturnType<typeof createWebhooks>;
