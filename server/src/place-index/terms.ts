import type { PlaceRecord } from "../places/record.ts";
import { nationalDigitsOf } from "../places/contacts.ts";
import { phraseOf } from "../text/words.ts";
import type { PlaceRow, RecordRow } from "./rows.ts";
import type { KeyType, ListType, statuses } from "./schema.ts";
import { readStreet } from "./streets.ts";
import { oddHoursOf, weekOf } from "./weeks.ts";

/** What a place is found by: a term, and whether it meets it in the first way (a word of its name, its first kind). */
export type FoundBy = { type: ListType; text: string; isFirst: boolean };
export type FoundByKey = { type: KeyType; text: string };

/** What is true of a place for searching. */
export type Facts = {
  latitude: number;
  longitude: number;
  countryCode: string;
  /** How much is known of it, 0 to 255; 0 for a bench or a playground, which only its kind finds. */
  rank: number;
  nameWords: number;
  week: Uint8Array | null;
  status: (typeof statuses)[number];
  /** In percent. */
  confidence: number;
  areas: readonly string[];
  foundBy: readonly FoundBy[];
  keys: readonly FoundByKey[];
};

/** A place known from several records ranks higher, and is found by what any of them says. */
const sharedRank = 20;
/** Beginnings of words up to this length have lists of their own: longer ones begin few enough words. */
export const beginMax = 3;

export function factsOf({ records }: PlaceRow): Facts | undefined {
  const [lead, ...others] = records;
  if (!lead) return undefined;
  const nameWords = [...new Set(split(lead.nameWords))];
  const elsewhere = [lead.otherWords, ...others.flatMap((other) => [other.nameWords, other.otherWords])].flatMap(split);
  const kinds = withAncestors([...lead.categories, ...others.flatMap(({ categories }) => categories)]);
  const read = records.map((row) => ({ row, record: JSON.parse(row.text) as WrittenRecord }));
  const contents = read.map(({ row, record }) => contentsOf(row, record));
  // As a listing is made: what OpenStreetMap says comes first.
  const byTrust = read.map(({ record }) => record).sort((one, other) => Number(isOsm(other)) - Number(isOsm(one)));
  const week = firstOf(byTrust, ({ details }) => weekOf(details.openingHours));
  const shared = others.length > 0 ? sharedRank : 0;
  return {
    latitude: lead.latitude,
    longitude: lead.longitude,
    countryCode: lead.countryCode,
    rank: Math.min(255, Math.max(...records.map(({ rank }) => rank)) + shared),
    nameWords: nameWords.length,
    week,
    status: statusOf(firstOf(byTrust, ({ details }) => details.businessStatus)),
    confidence: Math.round(100 * Math.max(...byTrust.map(({ confidence }) => confidence ?? 1))),
    areas: lead.areas,
    foundBy: eachOnce([
      ...nameWords.flatMap((word) => byWord(word, true)),
      ...elsewhere.flatMap((word) => byWord(word, false)),
      ...Array.from(kinds, (text, at): FoundBy => ({ type: "kind", text, isFirst: at === 0 })),
      ...oddHoursOf(week).map((text): FoundBy => ({ type: "kind", text, isFirst: true })),
      ...contents.flatMap(({ foundBy }) => foundBy),
    ]),
    keys: [
      ...(nameWords.length === 0 ? [] : [{ type: "name" as const, text: nameKey(nameWords) }]),
      ...contents.flatMap(({ keys }) => keys),
    ],
  };
}

/** A record as an import wrote it. */
type WrittenRecord = PlaceRecord & { confidence?: number };

function isOsm({ sourceId }: Partial<WrittenRecord>): boolean {
  return sourceId?.startsWith("osm:") === true;
}

function firstOf<Value>(
  records: readonly WrittenRecord[],
  read: (record: WrittenRecord) => Value | null | undefined,
): Value | null {
  for (const record of records) {
    const value = read(record);
    if (value !== null && value !== undefined) return value;
  }
  return null;
}

function statusOf(businessStatus: string | null): Facts["status"] {
  if (businessStatus === "CLOSED_PERMANENTLY") return "closed";
  return businessStatus === "CLOSED_TEMPORARILY" ? "closed for now" : "open";
}

/** What meets a term in the first way needs no second. */
function eachOnce(all: readonly FoundBy[]): FoundBy[] {
  const known = new Map<string, FoundBy>();
  for (const each of all) {
    const key = `${each.type} ${each.text}`;
    if (each.text !== "" && !known.has(key)) known.set(key, each);
  }
  return [...known.values()];
}

/** An Italian restaurant is a restaurant too: `amenity/restaurant/italian` is found by `amenity/restaurant`. */
function withAncestors(kinds: readonly string[]): Set<string> {
  const all = new Set(kinds);
  for (const kind of kinds) {
    for (let slash = kind.lastIndexOf("/"); slash > 0; slash = kind.lastIndexOf("/", slash - 1))
      all.add(kind.slice(0, slash));
  }
  return all;
}

/** A whole name, whatever the order of its words. */
export function nameKey(words: readonly string[]): string {
  return [...new Set(words)].sort().join(" ");
}

function byWord(word: string, isFirst: boolean): FoundBy[] {
  const foundBy: FoundBy[] = [{ type: "word", text: word, isFirst }];
  for (let length = 1; length <= Math.min(beginMax, word.length); length += 1)
    foundBy.push({ type: "begin", text: word.slice(0, length), isFirst });
  return foundBy;
}

const postcodeMark = "@postcode_";
const brandsMax = 10;

/** What is in the record alone: streets, contacts, brands. */
function contentsOf(
  { countryCode, categories }: RecordRow,
  { address, details, otherNames }: WrittenRecord,
): { foundBy: FoundBy[]; keys: FoundByKey[] } {
  const { street, houses } = readStreet(address.street);
  const listed = (type: ListType, texts: readonly string[]) =>
    texts.map((each): FoundBy => ({ type, text: each, isFirst: true }));
  const keyed = (type: KeyType, texts: readonly string[]) => texts.map((each): FoundByKey => ({ type, text: each }));
  const postcodes = categories
    .filter((id) => id.startsWith(postcodeMark))
    .map((id) => `${id.slice(postcodeMark.length)} ${countryCode}`);
  const sites = [details.website ?? "", ...(details.emails ?? []), ...(details.socialProfiles ?? [])];
  return {
    foundBy: [
      ...listed("street", [street]),
      ...listed("postcode", postcodes),
      ...listed("brand", otherNames.slice(0, brandsMax).map(phraseOf)),
    ],
    keys: [
      ...keyed(
        "address",
        houses.map((house) => `${street} ${house}`),
      ),
      ...keyed("phone", (details.phones ?? []).flatMap(phoneKeys)),
      ...keyed("site", sites.flatMap(siteKeys)),
    ],
  };
}

/** A number in E.164, and as people at home write it, without what they dial before it. */
export function phoneKeys(phone: string): string[] {
  const [number = ""] = phone.split(";");
  const digits = number.replaceAll(/\D/g, "");
  if (digits === "") return [];
  const national = nationalDigitsOf(`+${digits}`);
  return national === undefined ? [`+${digits}`] : [`+${digits}`, national];
}

/** The domain of a website, an e-mail address with its domain, the handle of a profile. */
export function siteKeys(site: string): string[] {
  if (site.includes("@") && !site.includes("/")) return [site.toLowerCase()];
  const url = URL.parse(site);
  if (!url) return [];
  const host = url.hostname.replace(/^www\./, "");
  const handle = url.pathname.split("/").find((part) => part !== "");
  return handle === undefined ? [host] : [host, `${host}/${handle.toLowerCase()}`];
}

function split(words: string): string[] {
  return words.split(" ").filter((word) => word !== "");
}
