import addressFormatter from "@fragaria/address-formatter";
import { countryName, parentOf } from "./country.ts";

type Parts = { street: string | null; city: string | null; region: string | null; postalCode: string | null };
const components = ["houseNumber", "road", "city", "state", "postcode", "country"] as const;
type Component = (typeof components)[number];
type Values = Partial<Record<Component, string | null>>;
/** Parts by their names, and what stands between them. */
type Layout = readonly (Component | { text: string })[];

// The formatter knows how each country writes its addresses, and is too slow to run for every
// listing of every answer. How it orders the parts depends only on the country and on which parts
// there are, so it runs once for each such case, with a mark in the place of each part.
const layouts = new Map<string, Layout[]>();
const countriesMax = 1_000;
const marks: Readonly<Record<Component, string>> = {
  houseNumber: "Qa",
  road: "Qbqb",
  city: "Qcqc",
  state: "Qdqd",
  postcode: "Qeqe",
  country: "Qfqf",
};

/** The whole address on one line, as it is written in its country; null when nothing of it is known. */
export function formatAddress(parts: Parts, countryCode: string | null, hl: string): string | null {
  if (!parts.street && !parts.city && !parts.postalCode && !parts.region) return null;
  const line = fill(countryCode, {
    road: parts.street,
    city: parts.city,
    state: parts.region,
    postcode: parts.postalCode,
    country: countryCode && countryName(countryCode, hl),
  });
  return line === "" ? null : line;
}

/** A street with its number, in the order the country has them. */
export function joinStreet(road: string | null, houseNumber: string | null, countryCode: string | null): string | null {
  if (!road || !houseNumber) return road || null;
  return fill(countryCode, { road, houseNumber });
}

function fill(countryCode: string | null, values: Values): string {
  let line = "";
  for (const part of layoutFor(countryCode, values)) line += typeof part === "string" ? values[part] : part.text;
  return line;
}

function layoutFor(countryCode: string | null, values: Values): Layout {
  let known = layouts.get(countryCode ?? "");
  if (!known) {
    if (layouts.size >= countriesMax) layouts.clear();
    layouts.set(countryCode ?? "", (known = []));
  }
  const key = presenceOf(values);
  return (known[key] ??= askFormatter(
    countryCode,
    components.filter((component) => values[component]),
  ));
}

/** Which parts there are, a bit each. */
function presenceOf({ houseNumber, road, city, state, postcode, country }: Values): number {
  return (
    (houseNumber ? 1 : 0) | (road ? 2 : 0) | (city ? 4 : 0) | (state ? 8 : 0) | (postcode ? 16 : 0) | (country ? 32 : 0)
  );
}

function askFormatter(countryCode: string | null, present: readonly Component[]): Layout {
  const own = format(countryCode, present);
  const parent = countryCode !== null && hasWords(own) ? parentOf(countryCode) : null;
  const formatted = parent === null ? own : format(parent, present);
  // Some countries leave a part out, a region above all; what a source knows is not to be lost
  // unless the city stands for it.
  const isWhole = present.every((component) => component === "state" || formatted.includes(marks[component]));
  const line = isWhole && !hasWords(formatted) ? formatted : present.map((component) => marks[component]).join(", ");
  return line
    .split(anyMark)
    .filter((text) => text !== "")
    .map((text) => present.find((component) => marks[component] === text) ?? { text });
}

function format(countryCode: string | null, present: readonly Component[]): string {
  const marked = Object.fromEntries(present.map((component) => [component, marks[component]]));
  const country = countryCode === null ? {} : { countryCode };
  const lines = addressFormatter.format({ ...marked, ...country }, { ...country, output: "array" });
  // A hyphen stands between two parts, of which one may be missing, and a dot behind a house number.
  const tidied = lines.map((line) => line.replaceAll(/^[\s-]+|(?:[\s-]+|(?:^|\s)\.)$/g, ""));
  return tidied.filter((line) => line !== "").join(", ");
}

const anyMark = /(Qa|Q[b-f]q[b-f])/;

/** The formatter writes the names of some territories and of their country by itself: `La Réunion, France`. */
function hasWords(line: string): boolean {
  return /\p{L}/u.test(line.replaceAll(new RegExp(anyMark, "g"), ""));
}
