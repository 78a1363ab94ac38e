import type { WebhookEvent } from "./webhook-event.ts";

/** The web's Headers, Node's `request.headers`, or anything else with names and values. */
export type WebhookHeaders =
  | { get(name: string): string | null | undefined }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

export type VerifyOptions = {
  /** How far the timestamp may be from now, in seconds; 300 when absent. */
  toleranceSeconds?: number | undefined;
  /** The time; that of the clock when absent. */
  now?: Date | number | undefined;
};

export type VerificationFailure =
  | "missing_header"
  | "unsupported_version"
  | "stale_timestamp"
  | "wrong_signature"
  | "not_an_event";

/** A delivery that must not be trusted. Answer it with 400. */
export class WebhookVerificationError extends Error {
  override readonly name = "WebhookVerificationError";
  readonly reason: VerificationFailure;

  constructor(reason: VerificationFailure, message: string) {
    super(message);
    this.reason = reason;
  }
}

const toleranceDefaultSeconds = 300;

/**
 * Proves that a delivery comes from Waypost, and resolves to its event. `rawBody` is what came over the wire, before
 * any parsing. While a secret is being rotated, pass the new one and the old one.
 */
export async function verifyWebhook(
  rawBody: string | Uint8Array | ArrayBuffer,
  headers: WebhookHeaders,
  secrets: string | readonly string[],
  { toleranceSeconds = toleranceDefaultSeconds, now = Date.now() }: VerifyOptions = {},
): Promise<WebhookEvent> {
  const timestamp = requireHeader(headers, "X-SVC-Timestamp");
  const signatures = signaturesIn(requireHeader(headers, "X-SVC-Signature"));
  const age = Math.abs(Number(now) / 1_000 - Number(timestamp));
  // Written so that a timestamp that is no number, or a tolerance that is none, refuses.
  if (!/^\d{1,12}$/.test(timestamp) || !(age <= toleranceSeconds)) {
    throw new WebhookVerificationError(
      "stale_timestamp",
      `The timestamp is more than ${toleranceSeconds} s away from now: a replay, or a clock that is wrong.`,
    );
  }

  const body = bytesOf(rawBody);
  const signed = concatenate(new TextEncoder().encode(`${timestamp}.`), body);
  if (!(await isSignedWithOne(signed, signatures, secretsOf(secrets)))) {
    throw new WebhookVerificationError(
      "wrong_signature",
      "No secret fits the signature: check the secret, and that the body is the exact bytes received.",
    );
  }
  return parseEvent(body);
}

/** Tries every secret on every signature and stops at none, so that the time taken says nothing of which one fits. */
async function isSignedWithOne(
  signed: Uint8Array<ArrayBuffer>,
  signatures: readonly Uint8Array<ArrayBuffer>[],
  secrets: readonly string[],
): Promise<boolean> {
  const keys = await Promise.all(
    secrets.map((secret) =>
      crypto.subtle.importKey("raw", new TextEncoder().encode(secret), { name: "HMAC", hash: "SHA-256" }, false, [
        "verify",
      ]),
    ),
  );
  // verify compares in constant time, by its specification's own advice and in every runtime's library.
  const fits = await Promise.all(
    keys.flatMap((key) => signatures.map((signature) => crypto.subtle.verify("HMAC", key, signature, signed))),
  );
  return fits.includes(true);
}

/** The header may one day hold several versions, separated by commas; this reads those it knows. */
function signaturesIn(header: string): Uint8Array<ArrayBuffer>[] {
  const known = header.split(",").flatMap((part) => /^\s*v1=([0-9a-f]{64})\s*$/.exec(part)?.[1] ?? []);
  if (known.length === 0) {
    throw new WebhookVerificationError("unsupported_version", "X-SVC-Signature has no signature of version v1.");
  }
  return known.map((hex) => Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16)));
}

function secretsOf(secrets: string | readonly string[]): readonly string[] {
  // An empty key would let anybody sign; an unset variable comes as undefined, whatever the type says.
  const given = [secrets].flat();
  if (given.length === 0 || given.some((secret) => !secret)) {
    throw new TypeError("verifyWebhook needs the endpoint's secret, whsec_…; the one given is empty.");
  }
  return given;
}

function requireHeader(headers: WebhookHeaders, name: string): string {
  const value = readHeader(headers, name);
  if (!value) throw new WebhookVerificationError("missing_header", `The header ${name} is missing.`);
  return value;
}

function readHeader(headers: WebhookHeaders, name: string): string | undefined {
  const wanted = name.toLowerCase();
  // A Map knows names as they were put into it, which is in lower case where they come from Node.
  if (typeof headers.get === "function") return headers.get(name) ?? headers.get(wanted) ?? undefined;
  const [, value] = Object.entries(headers).find(([each]) => each.toLowerCase() === wanted) ?? [];
  return typeof value === "string" ? value : (value as readonly string[] | undefined)?.[0];
}

function bytesOf(rawBody: string | Uint8Array | ArrayBuffer): Uint8Array {
  if (typeof rawBody === "string") return new TextEncoder().encode(rawBody);
  if (rawBody instanceof Uint8Array) return rawBody;
  if (rawBody instanceof ArrayBuffer) return new Uint8Array(rawBody);
  throw new TypeError("verifyWebhook needs the body as it was received: a string or bytes, not a parsed object.");
}

function concatenate(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(first.length + second.length);
  whole.set(first);
  whole.set(second, first.length);
  return whole;
}

function parseEvent(body: Uint8Array): WebhookEvent {
  try {
    const event = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body)) as WebhookEvent;
    if (typeof event.id === "string" && typeof event.type === "string") return event;
  } catch {
    // Falls through: what cannot be read is no event.
  }
  throw new WebhookVerificationError("not_an_event", "The body is signed, but is not an event of Waypost.");
}
