import { createHash } from "node:crypto";
import { joinStreet } from "../../../places/address.ts";
import { readEmail, readPhones, readWebsite, splitList } from "../../../places/contacts.ts";
import { countryOf } from "../../../geography/country.ts";
import { readOpeningHours } from "../../../places/opening-hours.ts";
import { kindOfOverture } from "../overture/overture-kinds.ts";
import { categoriesOfTags, tagsOfCategory, titleOf } from "../../../kinds/index.ts";
import { rankedLanguages, termsOf } from "../../../languages/index.ts";
import { normalize } from "../../../text/normalize.ts";
import type { PlaceRecord } from "../../../places/record.ts";
import type { Columns, Field, Values } from "./columns.ts";
import { degreesOf, readPoint } from "./degrees.ts";
import { isPoint } from "../reader.ts";
import { hoursIn, withAddressParts } from "./nested-cells.ts";
import { ratingsOf } from "./ratings.ts";

/** What the columns of a row say: of contacts all, of anything else the first that says something. */
export function valuesOf(columns: Columns, cell: (column: number) => string): Values {
  const values: Values = {};
  for (const [field, numbers] of Object.entries(columns) as [Field, number[]][]) {
    const text = numbers.length === 1 ? cell(numbers[0] ?? -1) : textAmong(numbers.map(cell), lists.has(field));
    if (text !== "") values[field] = text;
  }
  return values;
}

function textAmong(cells: readonly string[], isList: boolean): string {
  const texts = cells.filter((text) => readText(text) !== null);
  return isList ? texts.join(";") : (texts[0] ?? cells[0] ?? "");
}

const lists: ReadonlySet<Field> = new Set(["phone", "website", "email"]);

/** Where ids come from: `scope` tells those of one data set from those of another that numbers its places alike. */
export type IdSource = { kind: "geojson" | "csv"; scope: string };

export function idSourceOf(kind: IdSource["kind"], dataSet = ""): IdSource {
  return { kind, scope: createHash("sha256").update(dataSet).digest("hex").slice(0, scopeDigits) };
}

const scopeDigits = 12;
/** Ids are indexed, which the database does up to a length. */
const idCharactersMax = 250;

/** Why values tell of no place; undefined when they do. */
export function problemOfValues(values: Values): string | undefined {
  if (nameIn(values) === "") return "no name";
  if (!pointOf(values)) {
    const numbers = [degreesOf(values.latitude, "latitude"), degreesOf(values.longitude, "longitude")];
    return numbers.some(Number.isNaN)
      ? "no coordinates that can be read"
      : "coordinates that are no degrees of latitude and longitude";
  }
  return problemOfId(values.id ?? "");
}

export function problemOfId(id: string): string | undefined {
  return id.trim().length > idCharactersMax ? `an id of more than ${idCharactersMax} characters` : undefined;
}

/** The place that values tell of; undefined when they have a problem. */
export function recordOfValues(ids: IdSource, given: Values, columns: Columns = {}): PlaceRecord | undefined {
  const values = withAddressParts(given);
  const point = pointOf(values);
  const name = nameIn(values);
  if (!point || name === "" || problemOfId(values.id ?? "") !== undefined) return undefined;
  const [latitude, longitude] = point;

  const countryCode = countryOf(readText(values.country) ?? undefined, latitude, longitude);
  const dialed = readText(values.phone)?.replaceAll(/(?<=^|;)(\+?\d{6,15})\.0(?=$|;)/g, "$1") ?? "";
  const phones = readPhones(splitList(dialed), countryCode);
  const website = websiteIn(readText(values.website) ?? "");
  const emails = (values.email ?? "")
    .split(/[\s,;|]+/)
    .map(readEmail)
    .filter((email) => email !== null);
  const openingHours = readOpeningHours(hoursIn(readText(values.openingHours) ?? ""));
  const description = readText(values.description) === null ? "" : (values.description ?? "").trim();
  const businessStatus = statusOf(values);
  const brand = readText(values.brand);
  const image = readWebsite(readText(values.image) ?? "");
  return {
    sourceId: sourceIdOf(ids, values.id?.trim() ?? "", [values.name?.trim() ?? "", latitude, longitude]),
    name,
    namesByLanguage: {},
    otherNames: brand && brand !== name ? [brand] : [],
    ...readCategories(readText(values.category) ?? ""),
    latitude,
    longitude,
    address: {
      street: joinStreet(readText(values.street), wholeNumber(readText(values.houseNumber)), countryCode),
      city: readText(values.city),
      region: readText(values.region),
      postalCode: wholeNumber(readText(values.postalCode)),
      countryCode,
    },
    details: {
      ...(phones.length > 0 ? { phones } : {}),
      ...(phones.length === 0 && dialed !== "" ? { unreadable: ["phones" as const] } : {}),
      ...(website === undefined ? {} : { website }),
      ...(emails.length > 0 ? { emails: [...new Set(emails)] } : {}),
      ...(openingHours === null ? {} : { openingHours }),
      ...(description === "" ? {} : { descriptionsByLanguage: { "": description } }),
      ...(businessStatus === undefined ? {} : { businessStatus }),
      ...(image === null ? {} : { featuredImageUrl: image }),
      ...ratingsOf(values, columns),
    },
  };
}

/** Some tables have both coordinates in one column. */
function pointOf({ latitude, longitude, point = "" }: Values): [latitude: number, longitude: number] | undefined {
  const degrees: [number, number] = [degreesOf(latitude, "latitude"), degreesOf(longitude, "longitude")];
  return isPoint(...degrees) ? degrees : readPoint(point);
}

/** What programs write where there is nothing; people call their business None, not `\N`. */
const nothing = /^(?:\\N|NULL|null|\(null\)|None|#?N\/A|NaN|nan|undefined|-+|\u2013|\u2014)$/;
const noName = /^(?:\\N|NULL|\(null\)|#N\/A|nan|undefined|-+)$/;
/** Of what is longer only dashes are nothing: most values need no further look. */
const nothingCharactersMax = "undefined".length;

/** Null for a value that says nothing. */
function readText(text: string | undefined): string | null {
  const value = onOneLine(text);
  if (value.length > nothingCharactersMax && !value.startsWith("-")) return value;
  return value === "" || nothing.test(value) ? null : value;
}

function nameIn({ name }: Values): string {
  const value = onOneLine(name);
  return noName.test(value) ? "" : value;
}

function onOneLine(text = ""): string {
  const trimmed = text.trim();
  return /[^\S ]| {2}/.test(trimmed) ? trimmed.replaceAll(/\s+/g, " ") : trimmed;
}

/** Programs that take a column for decimals write `9490.0`. */
function wholeNumber(text: string | null): string | null {
  return text?.replace(/^(\d{1,9})\.0$/, "$1") ?? null;
}

/** The first of several that can be read. An address may hold a comma or a blank itself. A map's page is nobody's website. */
function websiteIn(text: string): string | undefined {
  return websitesIn(text).find((website) => !mapPage.test(website));
}

const mapPage = /^https?:\/\/(?:www\.)?(?:google\.[a-z.]{2,6}\/maps|maps\.google\.|maps\.app\.goo\.gl|goo\.gl\/maps)/i;

function websitesIn(text: string): string[] {
  const listed = splitList(text.slice(0, websitesCharactersMax));
  if (!/[\s,|]/.test(text)) return listed.flatMap(readable);
  const addresses = listed.flatMap((part) => part.split(/(?<=[\s,|])(?=https?:|www\.)/i));
  const words = listed.flatMap((part) => part.split(/[\s,|]/));
  return [...addresses.map((each) => each.replace(/[\s,|]{1,3}$/, "")), ...words].flatMap(readable);
}

function readable(address: string): string[] {
  const website = readWebsite(address);
  return website === null ? [] : [website];
}

const websitesCharactersMax = 4_096;

const states: Readonly<Record<string, string>> = {
  "permanently closed": "CLOSED_PERMANENTLY",
  "closed permanently": "CLOSED_PERMANENTLY",
  "out of business": "CLOSED_PERMANENTLY",
  "temporarily closed": "CLOSED_TEMPORARILY",
  "closed temporarily": "CLOSED_TEMPORARILY",
  operational: "OPERATIONAL",
};

/** `closed` alone may mean the hour of the export. */
function statusOf({ businessStatus = "", permanentlyClosed = "", category = "" }: Values): string | undefined {
  if (goneKinds.has(category.trim()) || /^(?:true|yes|y|t|1)$/i.test(permanentlyClosed.trim()))
    return "CLOSED_PERMANENTLY";
  if (businessStatus === "" || businessStatus.length > 100) return undefined;
  return states[normalize(businessStatus).join(" ")];
}

/** A category may be an id of ours, one of Overture's, a value of a tag, or a word in any of seven languages. */
export function readCategories(text: string): Pick<PlaceRecord, "categories" | "categoryLabels"> {
  const categories: string[] = [];
  const labels: string[] = [];
  for (const part of text.split(/[;|,]/).map((word) => word.trim())) {
    if (part === "" || noKinds.has(part)) continue;
    const category = categoryOfWord(part);
    if (category === undefined) labels.push(titleOf(part));
    else categories.push(category, ...categoriesOfTags(tagsOfCategory(category) ?? {}));
  }
  return { categories: [...new Set(categories)], categoryLabels: [...new Set(labels)] };
}

const goneKinds: ReadonlySet<string> = new Set(["vacant", "disused", "abandoned", "closed"]);
const noKinds: ReadonlySet<string> = new Set(["yes", "no", ...goneKinds]);

/** Our category for a word of a table; undefined where nobody knows it. */
export function categoryOfWord(word: string): string | undefined {
  const id = word.replace("=", "/");
  if (tagsOfCategory(id) !== undefined) return id;
  const term = normalize(word).join(" ");
  for (const language of rankedLanguages) {
    const [category] = termsOf(language).get(term) ?? [];
    if (category !== undefined) return category;
  }
  return kindOfOverture(normalize(word).join("_"))?.category;
}

/** A place without an id is recognized by its name and point, whatever data set tells of it. */
function sourceIdOf({ kind, scope }: IdSource, id: string, nameAndPoint: readonly (string | number)[]): string {
  if (id !== "") return `${kind}:${scope}/${id}`;
  return `${kind}:${createHash("sha256").update(JSON.stringify(nameAndPoint)).digest("hex").slice(0, 32)}`;
}
