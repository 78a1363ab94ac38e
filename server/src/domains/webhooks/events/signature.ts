import { createHmac, createSecretKey, type KeyObject } from "node:crypto";

/** A secret ready to sign with: as the bytes of its text, and as those its base64 stands for. */
export type SigningSecret = { text: KeyObject; decoded: KeyObject };

export function signingSecret(secret: string): SigningSecret {
  return {
    text: createSecretKey(secret, "utf8"),
    decoded: createSecretKey(secret.slice("whsec_".length), "base64"),
  };
}

const signatureVersion = "v1";

type HeaderSchema = {
  type: "string";
  pattern?: string;
  format?: string;
  enum?: string[];
  description: string;
  example: string;
};

/** The headers that make a delivery verifiable; the OpenAPI document and the guide list these. */
export const deliveryHeaderSchemas = {
  "X-SVC-Timestamp": {
    type: "string",
    pattern: "^[0-9]+$",
    description: "Unix seconds, part of what is signed.",
    example: "1793610847",
  },
  "X-SVC-Signature": {
    type: "string",
    pattern: "^v1=[0-9a-f]{64}$",
    description: "`v1=` and the lower-case hex HMAC-SHA-256 of timestamp, dot and body, keyed with the whole secret.",
    example: "v1=5d0f1a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d5e6f708192a3b4c5d6e7",
  },
  "X-SVC-Signature-Version": {
    type: "string",
    enum: [signatureVersion],
    description: "The signature scheme.",
    example: signatureVersion,
  },
  "X-SVC-Key-Version": {
    type: "string",
    pattern: "^[1-9][0-9]*$",
    description: "The version of the endpoint's secret that signed it.",
    example: "1",
  },
  "X-SVC-Event-Id": {
    type: "string",
    format: "uuid",
    description: "The event's UUID: the same on every attempt.",
    example: "019a43b6-9a16-70c3-8d4e-3f1a2b5c6d7e",
  },
  "X-SVC-Sequence": {
    type: "string",
    pattern: "^[1-9][0-9]*$",
    description: "Rises by one with each state change of the resource.",
    example: "1",
  },
  "X-SVC-Delivery-Attempt": {
    type: "string",
    pattern: "^[1-7]$",
    description: "1 to 7; a resend repeats the last number.",
    example: "1",
  },
  "webhook-id": {
    type: "string",
    format: "uuid",
    description: "The event's UUID, for verifiers of Standard Webhooks.",
    example: "019a43b6-9a16-70c3-8d4e-3f1a2b5c6d7e",
  },
  "webhook-timestamp": {
    type: "string",
    pattern: "^[0-9]+$",
    description: "Unix seconds, for verifiers of Standard Webhooks.",
    example: "1793610847",
  },
  "webhook-signature": {
    type: "string",
    pattern: "^v1,[A-Za-z0-9+/]{43}=$",
    description: "The signature of Standard Webhooks.",
    example: "v1,XQ8aKzxNXm9wgZKjtMXW5/gJGis8TV5vcIGSo7TF1uc=",
  },
} satisfies Record<string, HeaderSchema>;

export type SignedContent = {
  eventId: string;
  sequence: number;
  attempt: number;
  body: string;
  secret: SigningSecret;
  secretVersion: number;
};

type DeliveryHeaders = Record<keyof typeof deliveryHeaderSchemas | "Content-Type" | "User-Agent", string>;

/**
 * The headers of one attempt. The body is signed twice: as our interface documents it, under the
 * bytes of the secret's text, and as Standard Webhooks does, under the bytes its base64 stands for.
 */
export function deliveryHeaders(content: SignedContent, now: Date): DeliveryHeaders {
  const { eventId, sequence, attempt, body, secret, secretVersion } = content;
  const timestamp = String(Math.floor(now.getTime() / 1_000));
  const documented = createHmac("sha256", secret.text).update(`${timestamp}.${body}`).digest("hex");
  const standard = createHmac("sha256", secret.decoded).update(`${eventId}.${timestamp}.${body}`).digest("base64");
  return {
    "Content-Type": "application/json",
    "User-Agent": "Waypost-Webhooks/1",
    "X-SVC-Timestamp": timestamp,
    "X-SVC-Signature": `${signatureVersion}=${documented}`,
    "X-SVC-Signature-Version": signatureVersion,
    "X-SVC-Key-Version": String(secretVersion),
    "X-SVC-Event-Id": eventId,
    "X-SVC-Sequence": String(sequence),
    "X-SVC-Delivery-Attempt": String(attempt),
    "webhook-id": eventId,
    "webhook-timestamp": timestamp,
    "webhook-signature": `${signatureVersion},${standard}`,
  };
}
