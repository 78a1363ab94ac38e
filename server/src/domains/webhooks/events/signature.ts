import { createHmac, createSecretKey, type KeyObject } from "node:crypto";

/** A secret ready to sign with: as the bytes of its text, and as those its base64 stands for. */
export type SigningSecret = { text: KeyObject; decoded: KeyObject };

export function signingSecret(secret: string): SigningSecret {
  return {
    text: createSecretKey(secret, "utf8"),
    decoded: createSecretKey(secret.slice("whsec_".length), "base64"),
  };
}

export type SignedContent = {
  eventId: string;
  sequence: number;
  attempt: number;
  body: string;
  secret: SigningSecret;
  secretVersion: number;
};

const signatureVersion = "v1";

/**
 * The headers of one attempt. The body is signed twice: as our interface documents it, under the
 * bytes of the secret's text, and as Standard Webhooks does, under the bytes its base64 stands for.
 */
export function deliveryHeaders(content: SignedContent, now: Date): Record<string, string> {
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
