import type { PlaceRecord } from "./record.ts";

/** What a place has besides its kind, as ids that queries are matched against: `@vegan`, `@stars_5`. */
export function attributesOf({ details, categoryLabels, categories }: PlaceRecord): string[] {
  const attributes = details.features ? attributesOfFeatures(details.features) : [];
  for (const kind of diets) {
    const isLabeled = categoryLabels.some((label) => isSame(label, kind));
    if (isLabeled || categories.some((id) => isSame(id, kind, id.lastIndexOf("/") + 1))) attributes.push(`@${kind}`);
  }
  const stars = Math.floor(details.hotelClass ?? 0);
  if (stars >= 1 && stars <= 5) attributes.push(`@stars_${stars}`);
  const weekly = details.openingHours?.weekly;
  if (weekly && Object.values(weekly).every((slots) => slots?.some(isWholeDay))) attributes.push("@open_24h");
  // A vegan kitchen is a vegetarian one too.
  if (attributes.includes("@vegan")) attributes.push("@vegetarian");
  return attributes.length < 2 ? attributes : [...new Set(attributes)];
}

const diets = ["vegan", "vegetarian", "halal", "kosher"];

function attributesOfFeatures(features: NonNullable<PlaceRecord["details"]["features"]>): string[] {
  const attributes: string[] = [];
  for (const [key, id] of byFeature) if (isYes(features[key])) attributes.push(id);
  if (/^(wlan|wifi|yes|terminal)/.test(features["internet_access"] ?? "")) attributes.push("@wifi");
  if (/^(yes|leashed|outside)/.test(features["dog"] ?? "")) attributes.push("@dogs");
  if (/^(yes|designated|limited)/.test(features["wheelchair"] ?? "")) attributes.push("@wheelchair");
  if (features["smoking"] === "no") attributes.push("@non_smoking");
  for (const [key, value] of Object.entries(features)) {
    if (!key.startsWith("payment:") || !isYes(value)) continue;
    if (cards.test(key)) attributes.push("@cards");
    if (bitcoin.test(key)) attributes.push("@bitcoin");
  }
  return attributes;
}

const byFeature: readonly [feature: string, attribute: string][] = Object.entries({
  "diet:vegan": "@vegan",
  "diet:vegetarian": "@vegetarian",
  "diet:halal": "@halal",
  "diet:kosher": "@kosher",
  "diet:gluten_free": "@gluten_free",
  outdoor_seating: "@outdoor_seating",
  takeaway: "@takeaway",
  delivery: "@delivery",
  "diet:lactose_free": "@lactose_free",
  drive_through: "@drive_through",
  atm: "@atm",
  air_conditioning: "@air_conditioning",
  highchair: "@highchair",
  changing_table: "@changing_table",
  indoor_seating: "@indoor_seating",
  organic: "@organic",
  reservation: "@reservation",
  self_service: "@self_service",
  smoking: "@smoking",
  "payment:cash": "@cash",
  "payment:contactless": "@contactless",
});

const cards =
  /^payment:(?:cards|credit_cards|debit_cards|visa|visa_debit|mastercard|maestro|american_express|girocard)$/;
const bitcoin = /^payment:(?:bitcoin|cryptocurrencies|lightning|lightning_contactless|onchain)$/;

/** `only`, `limited` and places such as `terrace` are a yes too. */
function isYes(value: string | undefined): boolean {
  return value !== undefined && value !== "no" && value !== "none";
}

function isWholeDay({ opens, closes }: { opens: string; closes: string }): boolean {
  return opens === "00:00" && (closes === "24:00" || closes === "00:00");
}

/** Most labels differ in length. */
function isSame(label: string, kind: string, from = 0): boolean {
  return label.length - from === kind.length && label.slice(from).toLowerCase() === kind;
}
