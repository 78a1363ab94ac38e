import { getDomain } from "tldts";
import { formatPhone, readEmail, readPhones, readWebsite } from "../../places/contacts.ts";
import { otherIds, type Place } from "../../places/place.ts";
import { defineError } from "../../platform/errors.ts";

/** What a business is not to be shown by. */
export type Suppression = { kind: "id" | "phone" | "email" | "domain"; value: string };
export type Correction = { sourceId: string; field: CorrectedField; value: string | null };

/** What businesses asked for. */
export type OwnersRequests = {
  suppressed: ReadonlySet<string>;
  corrections: ReadonlyMap<string, readonly Correction[]>;
};

const addressParts = ["street", "city", "region", "postalCode"] as const;
const correctedFields = [
  "name",
  "description",
  "phone",
  "website",
  "email",
  "businessStatus",
  ...addressParts,
] as const;
export type CorrectedField = (typeof correctedFields)[number];
type AddressPart = (typeof addressParts)[number];

function isAddressPart(field: CorrectedField): field is AddressPart {
  return addressParts.some((part) => part === field);
}

const CorrectionInvalid = defineError(
  "invalid_request",
  "invalid",
  ({ given, problem }: { given: string; problem: string }) =>
    `${given} cannot be set: ${problem}. Fields: ${correctedFields.join(", ")}; an empty value removes what is there.`,
);

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** An e-mail address, a phone number with its country code, the domain of a website; anything else is an id. */
export function readSuppression(asked: string): Suppression {
  const text = asked.trim();
  if (uuid.test(text)) return { kind: "id", value: text.toLowerCase() };
  if (/^[^\s/:]+@[^\s/:]+$/.test(text)) return { kind: "email", value: text.toLowerCase() };
  if (/^\+[\d\s()./-]{6,}$/.test(text)) return { kind: "phone", value: digitsOf(text) };
  const site = /^(?:https?:\/\/)?(?:www\.)?((?:[\p{L}\d-]+\.)+\p{L}{2,})\/?$/iu.exec(text)?.[1];
  if (site !== undefined) {
    return { kind: "domain", value: getDomain(site) ?? site.toLowerCase() };
  }
  return { kind: "id", value: text };
}

export function keyOf({ kind, value }: Suppression): string {
  return `${kind} ${value}`;
}

/** Everything that a listing could be suppressed by. */
export function suppressionKeysOf(place: Place, businessId?: string): string[] {
  const contacts = place.contacts.flatMap(({ type, value }) => (type === "email" ? [value] : []));
  const emails = [...place.emails, ...contacts].map((email) => email.toLowerCase());
  return [
    ...(businessId === undefined ? [] : [keyOf({ kind: "id", value: businessId })]),
    ...idsOf(place).map((value) => keyOf({ kind: "id", value })),
    ...[...place.phones, ...(place.phone === null ? [] : [place.phone])].map((phone) =>
      keyOf({ kind: "phone", value: digitsOf(phone) }),
    ),
    ...emails.map((value) => keyOf({ kind: "email", value })),
    ...(place.domain === null ? [] : [keyOf({ kind: "domain", value: place.domain })]),
  ];
}

export function idsOf(place: Place): string[] {
  return [place.placeId, ...(place[otherIds] ?? []), place.dataId, place.cid].filter((id) => id !== null);
}

function digitsOf(phone: string): string {
  return phone.replaceAll(/\D/g, "");
}

/** A listing as it may be shown: undefined where the business asked not to be. */
export function asRequested(place: Place, { suppressed, corrections }: OwnersRequests): Place | undefined {
  if (suppressed.size > 0 && suppressionKeysOf(place).some((key) => suppressed.has(key))) return undefined;
  const asked = corrections.size === 0 ? [] : idsOf(place).flatMap((id) => corrections.get(id) ?? []);
  return asked.reduce(correct, place);
}

function correct(place: Place, { field, value }: Correction): Place {
  const changes = changesOf(place, field, value);
  const fieldStates: Record<string, unknown> = { ...place.fieldStates };
  for (const changed of isAddressPart(field) ? [`address.${field}`, "address.formatted"] : Object.keys(changes)) {
    delete fieldStates[changed];
    if (value === null) fieldStates[changed] = "not_supplied";
  }
  return { ...place, ...changes, fieldStates };
}

function changesOf(place: Place, field: CorrectedField, value: string | null): Partial<Place> {
  if (isAddressPart(field)) return { address: withPart(place.address, field, value) };
  switch (field) {
    case "phone":
      return { phone: value, phones: value === null ? [] : [value] };
    case "email":
      return { emails: value === null ? [] : [value], contacts: place.contacts.filter(({ type }) => type !== "email") };
    case "website":
      return { website: value, domain: value === null ? null : getDomain(value) };
    case "name":
    case "description":
    case "businessStatus":
      return { [field]: value };
  }
}

/** In the one line too, where the old value stands. */
function withPart(address: Place["address"], field: AddressPart, value: string | null) {
  const before = address[field];
  const line = before === null || value === null ? null : (address.formatted?.replace(before, () => value) ?? null);
  return { ...address, [field]: value, formatted: line };
}

/** The value as listings have it. */
export function readCorrection(text: string): { field: CorrectedField; value: string | null } {
  const [name = "", ...rest] = text.split("=");
  const field = correctedFields.find((known) => known === name.trim());
  if (!field || rest.length === 0) throw CorrectionInvalid({ given: text, problem: "it is no field=value" });
  const value = rest.join("=").trim();
  if (value === "") return { field, value: null };
  const read = valueOf(field, value);
  if (read === null) throw CorrectionInvalid({ given: text, problem: `this is no ${field}` });
  return { field, value: read };
}

const charactersMax = 512;

function valueOf(field: CorrectedField, value: string): string | null {
  if (field === "phone") return value.startsWith("+") ? (readPhones([value], null).map(formatPhone)[0] ?? null) : null;
  if (field === "website") return readWebsite(value);
  if (field === "email") return readEmail(value);
  if (field === "businessStatus") {
    return ["OPERATIONAL", "CLOSED_TEMPORARILY", "CLOSED_PERMANENTLY"].find((known) => known === value) ?? null;
  }
  return value.length <= charactersMax && !value.includes("\0") ? value : null;
}
