import addressFormatter from "@fragaria/address-formatter";
import { countryName } from "./country.ts";

type Parts = { street: string | null; city: string | null; region: string | null; postalCode: string | null };
type Component = "houseNumber" | "road" | "city" | "state" | "postcode" | "country";

// The formatter knows how each country writes its addresses, and is too slow to be asked for every
// listing of every answer. How it orders the parts depends only on the country and on which parts there are, so it is
// asked once for each such case, with a mark in the place of each part, and the marks are filled in.
const layouts = new Map<string, string>();
const layoutsMax = 10_000;
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

function fill(countryCode: string | null, values: Partial<Record<Component, string | null>>): string {
  const present = Object.entries(values).filter((entry): entry is [Component, string] => Boolean(entry[1]));
  const layout = layoutFor(
    countryCode,
    present.map(([component]) => component),
  );
  return layout.replaceAll(
    /Q([a-f])(?:q\1)?/g,
    (mark) => present.find(([component]) => marks[component] === mark)?.[1] ?? "",
  );
}

function layoutFor(countryCode: string | null, components: readonly Component[]): string {
  const key = `${countryCode ?? ""} ${components.join(" ")}`;
  const known = layouts.get(key);
  if (known !== undefined) return known;

  const marked = Object.fromEntries(components.map((component) => [component, marks[component]]));
  const code = countryCode ?? undefined;
  const lines = addressFormatter.format(code === undefined ? marked : { ...marked, countryCode: code }, {
    ...(code === undefined ? {} : { countryCode: code }),
    output: "array",
  });
  const formatted = lines.filter((line) => /[^\s-]/.test(line)).join(", ");
  // Some countries leave a part out, a region above all; what a source knows is not to be lost
  // unless the city stands for it.
  const layout = components.every((component) => component === "state" || formatted.includes(marks[component]))
    ? formatted
    : components.map((component) => marks[component]).join(", ");
  if (layouts.size >= layoutsMax) layouts.clear();
  layouts.set(key, layout);
  return layout;
}
