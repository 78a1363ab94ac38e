import { type Static, Type } from "typebox";
import { idPattern } from "../../platform/ids.ts";
import { attemptsMax, responseBytesMax } from "./deliveries/delivery.ts";
import { eventTypes, testEventType } from "./events/event.ts";

const Timestamp = Type.String({ format: "date-time" });
const orNull = <Schema extends Parameters<typeof Type.Union>[0][number]>(schema: Schema) =>
  Type.Union([schema, Type.Null()]);

const EventTypes = Type.Array(Type.Enum([...eventTypes]), { minItems: 1, maxItems: 6, uniqueItems: true });

const Url = Type.String({
  minLength: 1,
  maxLength: 2048,
  description: "an HTTPS URL with a public target",
  examples: ["https://example.com/waypost-events"],
});

const Description = Type.String({ minLength: 1, maxLength: 200 });

// Any text in the path: one that is no id names nothing, and is answered as such.
export const EndpointParams = Type.Object({
  endpointId: Type.String({ examples: ["whe_01k5v7h2f4e8ka9s6c3d0b1x7m"] }),
});
export const DeliveryParams = Type.Object({
  deliveryId: Type.String({ examples: ["dlv_01k5v7h2f4e8ka9s6c3d0b1x7m"] }),
});

export const CreateEndpoint = Type.Object(
  { url: Url, event_types: EventTypes, description: Type.Optional(Description) },
  { $id: "CreateWebhookEndpoint", additionalProperties: false },
);
export type CreateEndpoint = Static<typeof CreateEndpoint>;

export const UpdateEndpoint = Type.Object(
  {
    url: Type.Optional(Url),
    event_types: Type.Optional(EventTypes),
    description: Type.Optional(Description),
    status: Type.Optional(Type.Enum(["active", "paused"])),
  },
  { $id: "UpdateWebhookEndpoint", additionalProperties: false, minProperties: 1 },
);
export type UpdateEndpoint = Static<typeof UpdateEndpoint>;

export const RotateSecret = Type.Object(
  {
    mode: Type.Enum(["normal", "compromise"], {
      description:
        "normal keeps the previous secret valid for at least 25 hours and until its deliveries have drained; compromise revokes it at once.",
    }),
  },
  { $id: "RotateWebhookSecret", additionalProperties: false },
);
export type RotateSecret = Static<typeof RotateSecret>;

const endpointFields = {
  id: Type.String({ pattern: idPattern("whe") }),
  url: Type.String(),
  event_types: Type.Array(Type.Enum([...eventTypes])),
  description: orNull(Type.String()),
  status: Type.Enum(["active", "paused", "disabled"]),
  status_reason: orNull(Type.Enum(["repeated_failures", "non_public_target", "gone"])),
  warned_at: orNull(Timestamp),
  secret_version: Type.Integer({ minimum: 1 }),
  created_at: Timestamp,
  updated_at: Timestamp,
};

export const EndpointRecord = Type.Object(endpointFields, { $id: "WebhookEndpoint", additionalProperties: false });
export type EndpointRecord = Static<typeof EndpointRecord>;

export const RevealedEndpoint = Type.Object(
  {
    ...endpointFields,
    secret: Type.String({ pattern: "^whsec_[A-Za-z0-9+/]{43}=$", description: "Shown this once." }),
  },
  { $id: "WebhookEndpointWithSecret", additionalProperties: false },
);
export type RevealedEndpoint = Static<typeof RevealedEndpoint>;

export const DeletedEndpoint = Type.Object(
  { id: Type.String({ pattern: idPattern("whe") }), deleted: Type.Literal(true) },
  { additionalProperties: false },
);
export type DeletedEndpoint = Static<typeof DeletedEndpoint>;

const Attempt = Type.Object(
  {
    number: Type.Integer({ minimum: 1, maximum: attemptsMax, description: "What X-SVC-Delivery-Attempt said." }),
    resend: Type.Boolean({ description: "True for an attempt that was asked for, outside the seven." }),
    secret_version: Type.Integer({ minimum: 1 }),
    started_at: Timestamp,
    latency_ms: Type.Integer({ minimum: 0 }),
    http_status: orNull(Type.Integer()),
    error: orNull(Type.String({ description: "Null when the attempt succeeded." })),
    response: orNull(
      Type.String({ description: `The beginning of the answer's body, at most ${responseBytesMax} bytes.` }),
    ),
  },
  { additionalProperties: false },
);

export const DeliveryRecord = Type.Object(
  {
    id: Type.String({ pattern: idPattern("dlv") }),
    endpoint_id: Type.String({ pattern: idPattern("whe") }),
    event_id: Type.String({ format: "uuid" }),
    event_type: Type.Enum([...eventTypes, testEventType]),
    resource: Type.Object(
      { type: Type.String(), id: Type.String({ format: "uuid" }), sequence: Type.String() },
      { additionalProperties: false },
    ),
    status: Type.Enum(["pending", "delivered", "failed", "terminated"]),
    attempt_count: Type.Integer({ minimum: 0, maximum: attemptsMax, description: "Attempts used up, of seven." }),
    next_attempt_at: orNull(Timestamp),
    secret_version: Type.Integer({ minimum: 1 }),
    created_at: Timestamp,
    finished_at: orNull(Timestamp),
    attempts: Type.Array(Attempt, { description: "The latest 20, oldest first." }),
  },
  { $id: "WebhookDelivery", additionalProperties: false },
);
export type DeliveryRecord = Static<typeof DeliveryRecord>;
