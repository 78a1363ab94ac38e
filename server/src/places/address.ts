import addressFormatter from "@fragaria/address-formatter";
import { countryName, parentOf } from "../geography/country.ts";
import { memoize } from "../platform/memoize.ts";

type Parts = {
  street: string | null;
  suburb?: string | null;
  city: string | null;
  region: string | null;
  postalCode: string | null;
};
const components = ["houseNumber", "road", "suburb", "city", "state", "postcode", "country"] as const;
type Component = (typeof components)[number];
type Values = Partial<Record<Component, string | null>>;
/** Parts by their names, and what stands between them. */
type Layout = readonly (Component | { text: string })[];
type Filled = { countryCode: string | null; values: Values };

// The formatter knows how each country writes its addresses, and is too slow to run for every
// listing of every answer. How it orders the parts depends only on the country and on which parts
// there are, so it runs once for each such case, with a mark in the place of each part.
const layoutFor = memoize(
  ({ countryCode, values }: Filled) =>
    askFormatter(
      countryCode,
      components.filter((component) => values[component]),
    ),
  50_000,
  ({ countryCode, values }) => `${countryCode} ${presenceOf(values)}`,
);
const marks: Readonly<Record<Component, string>> = {
  houseNumber: "Qa",
  road: "Qbqb",
  city: "Qcqc",
  state: "Qdqd",
  postcode: "Qeqe",
  country: "Qfqf",
  suburb: "Qgqg",
};

/** The whole address on one line, as it is written in its country; null when nothing of it is known. */
export function formatAddress(parts: Parts, countryCode: string | null, hl: string): string | null {
  if (!parts.street && !parts.city && !parts.postalCode && !parts.region) return null;
  const country = countryCode && countryName(countryCode, hl);
  if (isUnspaced(parts, countryCode)) return [country, widestFirst(parts, countryCode)].filter(Boolean).join(", ");
  const { street, suburb = null, city, region, postalCode } = withoutRepeated(parts);
  const values = { road: street, suburb, city, state: region, postcode: postalCode, country };
  const line = fill(countryCode, withoutTwins(values));
  return line === "" ? null : line;
}

/** Countries that write addresses in Chinese signs, or Japanese ones. */
const unspacedCountries = new Set(["CN", "HK", "JP", "MO", "TW"]);
const unspaced = /[\p{scx=Han}\p{scx=Kana}]/u;

function isUnspaced({ street, suburb, city, region }: Parts, countryCode: string | null): boolean {
  if (countryCode === null || !unspacedCountries.has(countryCode)) return false;
  const texts = [street, suburb, city, region].filter(Boolean);
  return texts.length > 0 && texts.every((text) => unspaced.test(text ?? ""));
}

/** 〒600-8001 京都府京都市下京区真町94: from the widest part to the number and without blanks; what a part says already is not repeated. */
function widestFirst({ street, suburb, city, region, postalCode }: Parts, countryCode: string | null): string {
  let line = street ?? "";
  for (const part of [suburb?.replaceAll(" ", ""), city, region]) if (part && !line.includes(part)) line = part + line;
  if (!postalCode || line.includes(postalCode)) return line;
  return `${countryCode === "JP" ? "〒" : ""}${postalCode} ${line}`;
}

/** Some write the whole address as its street: "12 Main Road, Ikeja, Lagos" is not in Lagos once more. */
function withoutRepeated(parts: Parts): Parts {
  if (!parts.street?.includes(",")) return parts;
  const told = new Set(parts.street.split(",").slice(1).map(plain));
  const keep = (part: string | null | undefined) => (part && told.has(plain(part)) ? null : (part ?? null));
  const isCoded = parts.postalCode !== null && parts.street.slice(parts.street.indexOf(",")).includes(parts.postalCode);
  return {
    street: parts.street,
    suburb: keep(parts.suburb),
    city: keep(parts.city),
    region: keep(parts.region),
    postalCode: isCoded ? null : parts.postalCode,
  };
}

/** Valletta is on the island of Malta, in Malta; the city-state of Monaco is both. Each is named once. */
function withoutTwins(values: Required<Omit<Values, "houseNumber">>): Values {
  const [road = "", city = "", country = ""] = [values.road, values.city, values.country].map(
    (part) => part?.toLowerCase() ?? "",
  );
  const isTwin = (part: string | null | undefined) => {
    const name = part?.toLowerCase();
    return name === city || name === country;
  };
  return {
    ...values,
    suburb: isTwin(values.suburb) ? null : values.suburb,
    state: isTwin(values.state) ? null : values.state,
    // Some write it behind the town or the street: "Arinsal, Andorra".
    country: [`, ${city}`, road].some((part) => part.endsWith(`, ${country}`)) ? null : values.country,
  };
}

/** A town without the postcode that stands beside it. */
function plain(text: string): string {
  return text
    .replaceAll(/[\d-]{4,}/g, "")
    .trim()
    .toLowerCase();
}

/** A street with its number, in the order the country has them. */
export function joinStreet(road: string | null, houseNumber: string | null, countryCode: string | null): string | null {
  if (!road || !houseNumber) return road || null;
  if (unspacedCountries.has(countryCode ?? "") && unspaced.test(road)) return road + houseNumber;
  return fill(countryCode, { road, houseNumber });
}

function fill(countryCode: string | null, values: Values): string {
  let line = "";
  for (const part of layoutFor({ countryCode, values })) line += typeof part === "string" ? values[part] : part.text;
  return line;
}

/** Which parts there are, a bit each. */
function presenceOf(values: Values): number {
  let present = 0;
  for (let bit = 0; bit < components.length; bit += 1) if (values[components[bit] ?? "road"]) present |= 1 << bit;
  return present;
}

function askFormatter(countryCode: string | null, present: readonly Component[]): Layout {
  const own = format(countryCode, present);
  const parent = countryCode !== null && hasWords(own) ? parentOf(countryCode) : null;
  const formatted = parent === null ? own : format(parent, present);
  // Some countries leave a part out, a region above all; what a source knows is not to be lost
  // unless the city stands for it.
  const isWhole = present.every((component) => mayBeLeftOut.has(component) || formatted.includes(marks[component]));
  const line = isWhole && !hasWords(formatted) ? formatted : present.map((component) => marks[component]).join(", ");
  return line
    .split(anyMark)
    .filter((text) => text !== "")
    .map((text) => present.find((component) => marks[component] === text) ?? { text });
}

const mayBeLeftOut: ReadonlySet<Component> = new Set(["state", "suburb"]);

function format(countryCode: string | null, present: readonly Component[]): string {
  const marked = Object.fromEntries(present.map((component) => [component, marks[component]]));
  const country = countryCode === null ? {} : { countryCode };
  const lines = addressFormatter.format({ ...marked, ...country }, { ...country, output: "array" });
  // A hyphen stands between two parts, of which one may be missing, and a dot behind a house number.
  const tidied = lines.map((line) => line.replaceAll(/^[\s-]+|(?:[\s-]+|(?:^|\s)\.)$/g, ""));
  return tidied.filter((line) => line !== "").join(", ");
}

const anyMark = /(Qa|Q[b-g]q[b-g])/;

/** The formatter writes the names of some territories and of their country by itself: `La Réunion, France`. */
function hasWords(line: string): boolean {
  return /\p{L}/u.test(line.replaceAll(new RegExp(anyMark, "g"), ""));
}
