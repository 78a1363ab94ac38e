import { memoize } from "../../../platform/memoize.ts";
import { readEmail, readPhones, readWebsite } from "../../../places/contacts.ts";
import { countryOf } from "../../../geography/country.ts";
import { kindOfOverture } from "./overture-kinds.ts";
import { categoriesOfTags, isNoBusinessOfOverture, tagsOfCategory, titleOf } from "../../../kinds/index.ts";
import type { PlaceRecord } from "../../../places/record.ts";
import { pointOf } from "../parquet/wkb.ts";
import { isPoint } from "../reader.ts";
import { provenanceOf } from "./provenance.ts";
import { listOf, type Row, rowOf, textOf, textsOf } from "./row.ts";

/** The place that a row tells of; undefined when it lacks an id, a name or a point. */
export function overtureRecord(row: Row): PlaceRecord | undefined {
  const id = textOf(row["id"]);
  const names = rowOf(row["names"]);
  const name = textOf(names["primary"]);
  const point = pointOf(row["geometry"]) ?? middleOf(row["bbox"]);
  if (!id || !name || !point) return undefined;

  const [latitude, longitude] = point;
  const address = addressOf(listOf(row["addresses"])[0], latitude, longitude);
  const brand = rowOf(row["brand"]);
  const brandName = textOf(rowOf(brand["names"])["primary"]);
  const website = textsOf(row["websites"])
    .map(readWebsite)
    .find((url) => url !== null);
  const dialed = textsOf(row["phones"]);
  const phones = readPhones(dialed, address.countryCode);
  const emails = textsOf(row["emails"])
    .map(readEmail)
    .filter((email) => email !== null);
  const profiles = textsOf(row["socials"])
    .map(readWebsite)
    .filter((url) => url !== null);
  return {
    sourceId: `overture:${id}`,
    name,
    namesByLanguage: namesOf(names["common"]),
    otherNames: brandName && brandName !== name ? [brandName] : [],
    ...categoriesAndLabels(row),
    latitude,
    longitude,
    ...provenanceOf(row),
    address,
    details: {
      businessStatus: states[textOf(row["operating_status"])?.toLowerCase() ?? ""] ?? null,
      ...(phones.length > 0 ? { phones } : {}),
      ...(phones.length === 0 && dialed.length > 0 ? { unreadable: ["phones" as const] } : {}),
      ...(website === undefined ? {} : { website }),
      ...(emails.length > 0 ? { emails } : {}),
      ...(profiles.length > 0 ? { socialProfiles: profiles } : {}),
    },
  };
}

/** Overture's own kinds of a place, best first: of the newer taxonomy where there is one, else of the older categories. */
function kindsOf(row: Row): string[] {
  const taxonomy = rowOf(row["taxonomy"]);
  const categories = rowOf(row["categories"]);
  const kinds = [
    textOf(taxonomy["primary"]),
    textOf(row["basic_category"]),
    ...textsOf(taxonomy["alternates"] ?? taxonomy["alternate"]),
    textOf(categories["primary"]),
    ...textsOf(categories["alternate"]),
  ];
  return [...new Set(kinds)].filter((kind) => kind !== undefined);
}

/** Whether a row tells of a lake, a mountain or the like. */
export function isNoBusiness(row: Row): boolean {
  const [primary = ""] = kindsOf(row);
  return isNoBusinessOfOverture(primary);
}

/** The primary leads, by its own label where none of our categories says the same. */
function categoriesAndLabels(row: Row): Pick<PlaceRecord, "categories" | "categoryLabels" | "isLabelFirst"> {
  const meanings = kindsOf(row).map(meaningOf);
  // A kind that nobody knows is a sort of what stands above it.
  const above = textsOf(rowOf(row["taxonomy"])["hierarchy"]).toReversed().map(meaningOf);
  const [first] = meanings;
  const leading =
    first?.categories.length === 0 ? (above.find(({ categories }) => categories.length > 0) ?? first) : first;
  const categories = new Set([leading, ...meanings].flatMap((meaning) => meaning?.categories ?? []));
  const categoryLabels = meanings.flatMap(({ label }) => label ?? []);
  const isLabelFirst = first?.label !== undefined;
  return { categories: [...categories], categoryLabels, ...(isLabelFirst ? { isLabelFirst } : {}) };
}

/** Our categories for a kind, and its own label where none of them says the same. */
type Meaning = { categories: readonly string[]; label: string | undefined };

const meaningsMax = 20_000;

const meaningOf = memoize((id: string): Meaning => {
  const kind = kindOfOverture(id);
  if (!kind) return { categories: [], label: titleOf(id) };
  // A pizzeria is a restaurant too: what its tags would mean is what it is found by.
  const categories = [kind.category, ...categoriesOfTags(tagsOfCategory(kind.category) ?? {})];
  return { categories, label: kind.isExact ? undefined : titleOf(id) };
}, meaningsMax);

/** A state that is not listed is unknown, and so is none at all. */
const states: Readonly<Record<string, string>> = {
  open: "OPERATIONAL",
  closed: "CLOSED_PERMANENTLY",
  permanently_closed: "CLOSED_PERMANENTLY",
  temporarily_closed: "CLOSED_TEMPORARILY",
};

function addressOf(value: unknown, latitude: number, longitude: number): PlaceRecord["address"] {
  const address = rowOf(value);
  return {
    street: textOf(address["freeform"]) ?? null,
    city: textOf(address["locality"]) ?? null,
    region: regionOf(textOf(address["region"])),
    postalCode: textOf(address["postcode"]) ?? null,
    countryCode: countryOf(textOf(address["country"]), latitude, longitude),
  };
}

/** `US-CA` is California as people write it; `JP-13` says nothing to them. */
function regionOf(text: string | undefined): string | null {
  const region = text?.replace(/^[A-Z]{2}-/, "") ?? "";
  return region === "" || /^\d+$/.test(region) ? null : region;
}

/** A map column comes as an object, as a map, or as a list of keys and values. */
function namesOf(common: unknown): Record<string, string> {
  const entries: [unknown, unknown][] = Array.isArray(common)
    ? common.map((entry) => [rowOf(entry)["key"], rowOf(entry)["value"]])
    : common instanceof Map
      ? [...common]
      : Object.entries(rowOf(common));
  return Object.fromEntries(
    entries.flatMap(([language, name]) => {
      const [tag, text] = [textOf(language), textOf(name)];
      return tag && text ? [[tag.toLowerCase(), text]] : [];
    }),
  );
}

function middleOf(box: unknown): [number, number] | undefined {
  const { xmin, xmax, ymin, ymax } = rowOf(box);
  const [west, east, south, north] = [xmin, xmax, ymin, ymax].map((value) =>
    typeof value === "number" ? value : Number.NaN,
  );
  const [latitude, longitude] = [((south ?? 0) + (north ?? 0)) / 2, ((west ?? 0) + (east ?? 0)) / 2];
  return isPoint(latitude, longitude) ? [latitude, longitude] : undefined;
}
