import { joinStreet } from "../../address.ts";
import type { PlaceRecord } from "../record.ts";
import { networkNames, readEmail, readPhones, readProfile, readWebsite, splitList } from "../../contacts.ts";
import { countryAt } from "../../country.ts";
import { isAlwaysClosed, type OpeningHours, readOpeningHours } from "../../opening-hours.ts";
import { businessKeys, categoriesOfTags, isBusiness, nameOf, splitValues, titleOf } from "../../vocabulary/index.ts";
import { byLanguage, type OsmElement, sourceIdOf, type Tags } from "./element.ts";
import { featuresOf } from "./features.ts";
import { imageUrl, knowledgeUrl } from "./links.ts";

/** The place that an element of OpenStreetMap tells of; undefined when it is no business. */
export function recordOf(element: OsmElement): PlaceRecord | undefined {
  const { tags, latitude, longitude } = element;
  const name = nameOf(tags);
  if (name === undefined || !isBusiness(tags)) return undefined;

  const address = addressOf(tags, latitude, longitude);
  const categories = categoriesOfTags(tags);
  const openingHours = readOpeningHours(tags["opening_hours"] ?? "");
  const dialed = valuesOf(tags, ["phone", "contact:phone", "mobile", "contact:mobile"]);
  const phones = readPhones(dialed, address.countryCode);
  const sites = valuesOf(tags, ["website", "contact:website", "url"]);
  const website = firstOf(sites.map(readWebsite));
  return {
    sourceId: sourceIdOf(element),
    name,
    namesByLanguage: byLanguage(tags, "name"),
    otherNames: otherNamesOf(tags, name),
    categories,
    categoryLabels: labelsOf(tags, categories),
    latitude,
    longitude,
    address,
    details: withoutEmpty({
      hotelClass: starsOf(tags["stars"]),
      phones,
      owner: tags["operator"] ? { id: null, name: tags["operator"], profileUrl: null } : undefined,
      knowledgeUrl: knowledgeUrl(tags),
      featuredImageUrl: imageUrl(tags),
      businessStatus: statusOf(tags, openingHours),
      website,
      unreadable: [
        ...(dialed.length > 0 && phones.length === 0 ? (["phones"] as const) : []),
        ...(sites.length > 0 && website === undefined ? (["website"] as const) : []),
      ],
      emails: unique(valuesOf(tags, ["email", "contact:email"]).map(readEmail)),
      socialProfiles: unique(profilesOf(tags)),
      openingHours,
      mapsUrl: `https://www.openstreetmap.org/${element.type}/${element.id}`,
      descriptionsByLanguage: descriptionsOf(tags),
      features: featuresOf(tags),
    }),
  };
}

type Details = PlaceRecord["details"];
type Loose = { [Key in keyof Details]: Details[Key] | null | undefined };

function withoutEmpty(details: Loose): Details {
  const filled: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(details)) if (!isEmpty(value)) filled[key] = value;
  return filled; // what is empty was left out
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || (typeof value === "object" && Object.keys(value).length === 0);
}

function addressOf(tags: Tags, latitude: number, longitude: number): PlaceRecord["address"] {
  const tagged = tags["addr:country"]?.toUpperCase();
  const countryCode = tagged && /^[A-Z]{2}$/.test(tagged) ? tagged : countryAt(latitude, longitude);
  const road = tags["addr:street"] ?? tags["addr:place"] ?? null;
  return {
    street: joinStreet(road, tags["addr:housenumber"] ?? null, countryCode) ?? tags["addr:full"] ?? null,
    city: tags["addr:city"] ?? tags["addr:town"] ?? tags["addr:village"] ?? null,
    region: tags["addr:state"] ?? tags["addr:province"] ?? null,
    postalCode: tags["addr:postcode"] ?? null,
    countryCode,
  };
}

const otherNameKeys = ["official_name", "alt_name", "short_name", "old_name", "int_name", "loc_name", "brand"];

function otherNamesOf(tags: Tags, name: string): string[] {
  return unique(valuesOf(tags, otherNameKeys)).filter((other) => other !== name);
}

const finerKeys = ["cuisine", "sport", ...businessKeys];

/** What the vocabulary has no word for: a kind nobody listed, and what is cooked. */
function labelsOf(tags: Tags, categories: readonly string[]): string[] {
  const known = new Set(categories.map((id) => id.slice(id.lastIndexOf("/") + 1)));
  const labels: string[] = [];
  for (const key of finerKeys) {
    const value = tags[key];
    if (value === undefined || value === "yes" || known.has(value)) continue;
    for (const part of splitValues(value))
      if (part !== "" && part !== "yes" && !known.has(part)) labels.push(titleOf(part));
  }
  return [...new Set(labels)];
}

/** `3S` is a superior three, and `2.5` is what it says; anything past five is none. */
function starsOf(stars: string | undefined): number | undefined {
  const value = Number.parseFloat(stars ?? "");
  return value >= 0 && value <= 5 ? value : undefined;
}

const profileKeys = networkNames.flatMap((network) => [
  { network, key: `contact:${network}` },
  { network, key: network },
]);

function profilesOf(tags: Tags): (string | null)[] {
  const profiles: (string | null)[] = [];
  for (const { network, key } of profileKeys) {
    const value = tags[key];
    if (value !== undefined) profiles.push(...splitList(value).map((one) => readProfile(network, one)));
  }
  return profiles;
}

function statusOf(tags: Tags, hours: OpeningHours | null): string {
  const isGone =
    tags["disused"] === "yes" ||
    tags["abandoned"] === "yes" ||
    /^\d{4}(-\d\d){0,2}$/.test(tags["end_date"] ?? "") ||
    isAlwaysClosed(hours);
  return isGone ? "CLOSED_PERMANENTLY" : "OPERATIONAL";
}

/** The empty tag is the language nobody named. */
function descriptionsOf(tags: Tags): Record<string, string> {
  const own = tags["description"];
  return { ...byLanguage(tags, "description"), ...(own ? { "": own } : {}) };
}

function valuesOf(tags: Tags, keys: readonly string[]): string[] {
  const values: string[] = [];
  for (const key of keys) {
    const value = tags[key];
    if (value !== undefined) values.push(...splitList(value));
  }
  return values;
}

function firstOf(values: readonly (string | null)[]): string | undefined {
  return values.find((value) => value !== null) ?? undefined;
}

function unique(values: readonly (string | null)[]): string[] {
  return [...new Set(values)].filter((value): value is string => Boolean(value));
}
