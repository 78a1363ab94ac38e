import { type Clock, systemClock } from "../../platform/clock.ts";
import type { PlaceRecord } from "../record.ts";
import { readEmail, readPhones, readProfile, readWebsite, splitList } from "../contacts.ts";
import { isAlwaysClosed, type OpeningHours, readOpeningHours } from "../opening-hours.ts";
import {
  businessKeys,
  categoriesOfTags,
  isBusiness,
  isUnnamed,
  nameOf,
  splitValues,
  titleOf,
} from "../../kinds/index.ts";
import { byLanguage, type OsmElement, sourceIdOf, type Tags } from "./element.ts";
import { featuresOf } from "./features.ts";
import { imageUrl, knowledgeUrl } from "./links.ts";
import { addressOf } from "./read-address.ts";
import { emailKeys, goneKeys, otherNameKeys, phoneKeys, profileKeys, siteKeys } from "./keys.ts";

/** The place that an element of OpenStreetMap tells of, as it is now; undefined when it is no business. */
export function recordOf(element: OsmElement, clock: Clock = systemClock): PlaceRecord | undefined {
  const { tags, latitude, longitude } = element;
  if (!isBusiness(tags) && !isUnnamed(tags)) return undefined;
  const name = nameOf(tags) ?? "";

  const address = addressOf(tags, latitude, longitude);
  const categories = categoriesOfTags(tags);
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
    details: detailsOf(element, address.countryCode, clock),
  };
}

type Details = PlaceRecord["details"];

/** What the tags say besides; what they do not say is left out. */
function detailsOf({ type, id, tags }: OsmElement, countryCode: string | null, clock: Clock): Details {
  const details: Details = {};
  const stars = starsOf(tags["stars"]);
  if (stars !== undefined) details.hotelClass = stars;
  const dialed = valuesOf(tags, phoneKeys);
  const phones = readPhones(dialed, countryCode);
  if (phones.length > 0) details.phones = phones;
  const operator = tags["operator"]?.trim();
  if (operator) details.owner = { id: null, name: operator, profileUrl: null };
  const knowledge = knowledgeUrl(tags);
  const image = imageUrl(tags);
  if (knowledge !== null) details.knowledgeUrl = knowledge;
  if (image !== null) details.featuredImageUrl = image;
  const openingHours = readOpeningHours(tags["opening_hours"] ?? "");
  details.businessStatus = statusOf(tags, openingHours, clock);
  const sites = valuesOf(tags, siteKeys);
  const website = firstOf(sites.map(readWebsite));
  if (website !== undefined) details.website = website;
  const unreadable: Details["unreadable"] = [];
  if (dialed.length > 0 && phones.length === 0) unreadable.push("phones");
  if (sites.length > 0 && website === undefined) unreadable.push("website");
  if (unreadable.length > 0) details.unreadable = unreadable;
  const emails = unique(valuesOf(tags, emailKeys).flatMap(readEmails));
  if (emails.length > 0) details.emails = emails;
  const profiles = unique(profilesOf(tags));
  if (profiles.length > 0) details.socialProfiles = profiles;
  if (openingHours) details.openingHours = openingHours;
  // An editor numbers what it has not uploaded below zero: no page shows that.
  if (id > 0) details.mapsUrl = `https://www.openstreetmap.org/${type}/${id}`;
  const descriptions = descriptionsOf(tags);
  if (!isEmpty(descriptions)) details.descriptionsByLanguage = descriptions;
  const features = featuresOf(tags);
  if (!isEmpty(features)) details.features = features;
  return details;
}

function isEmpty(record: Readonly<Record<string, string>>): boolean {
  return Object.keys(record).length === 0;
}

/** In every language: a chain is called `全家便利商店` on its sign and `FamilyMart` in its `brand:en`. */
function otherNamesOf(tags: Tags, name: string): string[] {
  const translated = otherNameKeys.flatMap((key) => Object.values(byLanguage(tags, key)).flatMap(splitList));
  return unique([...valuesOf(tags, otherNameKeys), ...translated]).filter((other) => other !== name);
}

/** `shop=no` beside `amenity=cafe` says that it is no shop as well. */
const noKinds: ReadonlySet<string> = new Set(["", "yes", "no", "none"]);
const finerKeys = ["cuisine", "sport", ...businessKeys];

/** What the vocabulary has no word for: a kind nobody listed, and what is cooked. */
function labelsOf(tags: Tags, categories: readonly string[]): string[] {
  const known = new Set(categories.map((id) => id.slice(id.lastIndexOf("/") + 1)));
  const labels: string[] = [];
  for (const key of finerKeys) {
    const value = tags[key];
    if (value === undefined || known.has(value)) continue;
    for (const part of splitValues(value)) if (!noKinds.has(part) && !known.has(part)) labels.push(titleOf(part));
  }
  return [...new Set(labels)];
}

/** `3S` is a superior three, and `2.5` is what it says; anything past five is none. */
function starsOf(stars: string | undefined): number | undefined {
  const value = Number.parseFloat(stars ?? "");
  return value >= 0 && value <= 5 ? value : undefined;
}

function profilesOf(tags: Tags): (string | null)[] {
  const profiles: (string | null)[] = [];
  for (const { network, key } of profileKeys) {
    const value = tags[key];
    if (value !== undefined) profiles.push(...splitList(value).map((one) => readProfile(network, one)));
  }
  return profiles;
}

/** Null where hours are `closed "renovation"`: a comment may say for how long, in any language. */
function statusOf(tags: Tags, hours: OpeningHours | null, clock: Clock): string | null {
  const isGone = goneKeys.some((key) => tags[key] === "yes") || isPast(tags["end_date"], clock);
  if (isGone) return "CLOSED_PERMANENTLY";
  const state = operationalStates[tags["operational_status"] ?? ""];
  if (state !== undefined) return state;
  if (!isAlwaysClosed(hours)) return "OPERATIONAL";
  return hours?.raw?.includes('"') ? null : "CLOSED_PERMANENTLY";
}

const operationalStates: Readonly<Record<string, string>> = {
  closed: "CLOSED_PERMANENTLY",
  closed_down: "CLOSED_PERMANENTLY",
  closed_permanently: "CLOSED_PERMANENTLY",
  permanently_closed: "CLOSED_PERMANENTLY",
  closed_temporarily: "CLOSED_TEMPORARILY",
  temporarily_closed: "CLOSED_TEMPORARILY",
};

const roughDate = /^(?:~ ?|(?:before|early|mid|late) )?(\d{4})(?:-(\d\d))?(?:-(\d\d))?$/i;

/** Whether the last day of a date is over: `2019`, `2019-05`, `~2019` and `before 2019` have one, `after 2019` has none. */
function isPast(date: string | undefined, clock: Clock): boolean {
  const [, year, month = "12", day = "31"] = roughDate.exec(date?.trim() ?? "") ?? [];
  return year !== undefined && `${year}-${month}-${day}` < clock.now().toISOString().slice(0, 10);
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

/** No address holds a comma or a blank, which some write between two. */
function readEmails(value: string): (string | null)[] {
  return value.split(/[\s,]+/).map(readEmail);
}

function firstOf(values: readonly (string | null)[]): string | undefined {
  return values.find((value) => value !== null) ?? undefined;
}

function unique(values: readonly (string | null)[]): string[] {
  return [...new Set(values)].filter((value): value is string => Boolean(value));
}
