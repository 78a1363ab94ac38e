import type { Static } from "typebox";
import { Type } from "../../../platform/schema.ts";
import { type Deleted, deleted } from "../../../platform/http/deleted.ts";
import { idPattern } from "../../../platform/ids.ts";
import { eventTypes, eventTypesMax } from "../events/event-types.ts";

const Timestamp = Type.String({ format: "date-time" });
const orNull = <Schema extends Parameters<typeof Type.Union>[0][number]>(schema: Schema) =>
  Type.Union([schema, Type.Null()]);

// The explicit type makes the validator compare items by hash: without it, thousands of objects in
// one array would be compared pairwise.
const EventType = Type.Enum([...eventTypes], { type: "string" });

const EventTypes = Type.Array(EventType, { minItems: 1, maxItems: eventTypesMax, uniqueItems: true });

const plainText = "^[^\\u0000-\\u001f\\u007f-\\u009f\\uD800-\\uDFFF]*$";

// What parsers of URLs would take for something else, or leave out: the URL is stored as it is sent.
const Url = Type.String({
  maxLength: 2048,
  pattern: "^[Hh][Tt][Tt][Pp][Ss]://[^\\s\\u0000-\\u001f\\u007f-\\u009f\\uD800-\\uDFFF]+$",
  description:
    "an HTTPS URL with a public target, on a port that the operator allows (443 and 8443 by default), whose host does not end with a dot; without user name and password, white space, control characters or unpaired surrogates",
  examples: ["https://example.com/waypost-events"],
});

const description = {
  minLength: 1,
  maxLength: 200,
  pattern: plainText,
  description: "text without control characters or unpaired surrogates",
  examples: ["Orders service, production"],
};

// Any text in the path: one that is no id names nothing, and gets the same 404 as an unknown id.
export const EndpointParams = Type.Object({
  endpointId: Type.String({ examples: ["whe_01k5v7h2f4e8ka9s6c3d0b1x7m"] }),
});

export const CreateEndpoint = Type.Object(
  { url: Url, event_types: EventTypes, description: Type.Optional(Type.String(description)) },
  { $id: "CreateWebhookEndpoint", additionalProperties: false },
);
export type CreateEndpoint = Static<typeof CreateEndpoint>;

export const UpdateEndpoint = Type.Object(
  {
    url: Type.Optional(Url),
    event_types: Type.Optional(EventTypes),
    description: Type.Optional(
      Type.Unsafe<string | null>({
        ...description,
        type: ["string", "null"],
        description: "text without control characters or unpaired surrogates; null clears it",
      }),
    ),
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
  event_types: Type.Array(EventType),
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

export const DeletedEndpoint = deleted("whe");
export type DeletedEndpoint = Deleted;
