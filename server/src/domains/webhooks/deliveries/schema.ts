import type { Static } from "typebox";
import { Type } from "../../../platform/schema.ts";
import { idPattern } from "../../../platform/ids.ts";
import { eventNames } from "../events/event-types.ts";
import { resourceTypes } from "../events/schemas.ts";
import { attemptsShownMax, responseBytesMax } from "./delivery.ts";
import { attemptsMax } from "./schedule.ts";

const Timestamp = Type.String({ format: "date-time" });
const orNull = <Schema extends Parameters<typeof Type.Union>[0][number]>(schema: Schema) =>
  Type.Union([schema, Type.Null()]);

// Any text in the path: one that is no id names nothing, and gets the same 404 as an unknown id.
export const DeliveryParams = Type.Object({
  deliveryId: Type.String({ examples: ["dlv_01k5v7h2f4e8ka9s6c3d0b1x7m"] }),
});

const AttemptRecord = Type.Object(
  {
    number: Type.Integer({ minimum: 1, maximum: attemptsMax, description: "What X-SVC-Delivery-Attempt said." }),
    resend: Type.Boolean({ description: `True for a requested attempt, outside the schedule of ${attemptsMax}.` }),
    secret_version: Type.Integer({ minimum: 1 }),
    started_at: Timestamp,
    latency_ms: Type.Integer({ minimum: 0 }),
    http_status: orNull(Type.Integer()),
    error: orNull(Type.String({ description: "Null when the attempt succeeded." })),
    response: orNull(
      Type.String({ description: `The beginning of the response body, at most ${responseBytesMax} bytes.` }),
    ),
  },
  { additionalProperties: false },
);

export const DeliveryRecord = Type.Object(
  {
    id: Type.String({ pattern: idPattern("dlv") }),
    endpoint_id: Type.String({ pattern: idPattern("whe") }),
    event_id: Type.String({ format: "uuid" }),
    event_type: Type.Enum([...eventNames]),
    resource: Type.Object(
      { type: Type.Enum([...resourceTypes]), id: Type.String({ format: "uuid" }), sequence: Type.String() },
      { additionalProperties: false },
    ),
    status: Type.Enum(["pending", "delivered", "failed", "terminated"]),
    attempt_count: Type.Integer({
      minimum: 0,
      maximum: attemptsMax,
      description: `Attempts used up, of ${attemptsMax}.`,
    }),
    next_attempt_at: orNull(Timestamp),
    secret_version: Type.Integer({ minimum: 1 }),
    created_at: Timestamp,
    finished_at: orNull(Timestamp),
    attempts: Type.Array(AttemptRecord, { description: `The latest ${attemptsShownMax}, oldest first.` }),
  },
  { $id: "WebhookDelivery", additionalProperties: false },
);
export type DeliveryRecord = Static<typeof DeliveryRecord>;
