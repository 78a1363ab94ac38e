import { queryOptions } from "@tanstack/react-query";
import type { WebhookDelivery, WebhookEndpoint, WebhookEndpointWithSecret } from "@waypost/sdk";
import { create, read } from "./client.ts";

/** Webhooks exist in the live environment only. */
const base = "/live/webhook-endpoints";

/** Endpoints made in the dashboard subscribe to every type. */
const eventTypes = [
  "scrape.started",
  "scrape.progress",
  "scrape.completed",
  "scrape.failed",
  "scrape.canceled",
  "export.ready",
] as const;

export const endpointsQuery = queryOptions({
  queryKey: ["webhook-endpoints"],
  queryFn: ({ signal }) => read<WebhookEndpoint[]>(`${base}?limit=100`, { signal }),
});

export const deliveriesQuery = (endpointId: string) =>
  queryOptions({
    queryKey: ["webhook-deliveries", endpointId],
    queryFn: ({ signal }) => read<WebhookDelivery[]>(`${base}/${endpointId}/deliveries?limit=25`, { signal }),
    refetchInterval: 5_000,
  });

export const createEndpoint = async ({ url, description }: { url: string; description: string }) => {
  const body = { url, event_types: eventTypes, ...(description === "" ? {} : { description }) };
  return (await create<WebhookEndpointWithSecret>(base, body)).data;
};

export const setEndpointStatus = (endpointId: string, status: "active" | "paused") =>
  read<WebhookEndpoint>(`${base}/${endpointId}`, { method: "PATCH", body: { status } });

export const deleteEndpoint = (endpointId: string) => read(`${base}/${endpointId}`, { method: "DELETE" });

export const rotateSecret = (endpointId: string, mode: "normal" | "compromise") =>
  read<WebhookEndpointWithSecret>(`${base}/${endpointId}/rotate-secret`, { body: { mode } });

export const sendTestEvent = (endpointId: string) =>
  read<WebhookDelivery>(`${base}/${endpointId}/test`, { method: "POST" });

export const resendDelivery = (deliveryId: string) =>
  read<WebhookDelivery>(`/live/webhook-deliveries/${deliveryId}/resend`, { method: "POST" });
