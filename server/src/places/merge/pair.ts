import { degreeM, distanceM } from "../../geography/points.ts";
import type { PlaceRecord } from "../record.ts";
import { compareKinds, isPractice } from "./kinds.ts";
import { compareNames } from "./names.ts";

/** What of a record tells whether another describes the same business. */
export type Described = {
  number: number;
  sourceId: string;
  latitude: number;
  longitude: number;
  nameWords: readonly string[];
  /** Best first; empty where nobody knows. */
  categories: readonly string[];
  contacts: readonly string[];
};

export const distanceMaxM = 150;
/** A little more than that distance in degrees: most records of a city are farther apart. */
const latitudeMax = (1.01 * distanceMaxM) / degreeM;
// A word that hundreds of neighbors share, such as that of a chain's cash machines, says nothing.
const sharedMax = 200;

/**
 * Pairs records of two kinds of data set that describe one business: each must be the other's best match.
 * Nothing but the records themselves decides, so the order in which they were imported cannot.
 * Returns the number of the first kind's record by that of the second's.
 */
export function pairUp(
  first: readonly Described[],
  second: readonly Described[],
  likenessOf = likeness,
): Map<number, number> {
  const byKey = new Map<string, Described[]>();
  for (const record of second) {
    for (const key of keysOf(record)) {
      const list = byKey.get(key);
      if (list) list.push(record);
      else byKey.set(key, [record]);
    }
  }
  const bestOfFirst = new Map<Described, Match>();
  const bestOfSecond = new Map<Described, Match>();
  for (const a of first) {
    const candidates = new Set<Described>();
    for (const key of keysOf(a)) {
      const sharing = byKey.get(key) ?? [];
      if (sharing.length > sharedMax) continue;
      for (const b of sharing) if (Math.abs(a.latitude - b.latitude) <= latitudeMax) candidates.add(b);
    }
    for (const b of candidates) {
      const score = likenessOf(a, b);
      if (score === 0) continue;
      keepBest(bestOfFirst, a, { other: b, score });
      keepBest(bestOfSecond, b, { other: a, score });
    }
  }
  const pairs = new Map<number, number>();
  for (const [b, { other: a }] of bestOfSecond) {
    if (bestOfFirst.get(a)?.other === b) pairs.set(b.number, a.number);
  }
  return pairs;
}

type Match = { other: Described; score: number };

function keepBest(best: Map<Described, Match>, record: Described, match: Match) {
  const known = best.get(record);
  const isBetter =
    !known || match.score > known.score || (match.score === known.score && match.other.sourceId < known.other.sourceId);
  if (isBetter) best.set(record, match);
}

function keysOf({ nameWords, contacts }: Described): string[] {
  if (nameWords.length === 0) return [...contacts];
  const words = [...nameWords.filter((word) => word.length >= 3), ...nameWords.slice(0, 1)];
  // "Wal-Mart" and "Walmart" share no word, nor does a single one with a typo.
  const joined = nameWords.join("");
  return [...new Set([...words, joined]), `begins ${joined.slice(0, 4)}`, `ends ${joined.slice(-4)}`, ...contacts];
}

/** 0 when they are not the same business; otherwise the more the surer. Name and kind decide together. */
function likeness(a: Described, b: Described): number {
  const distance = distanceM(a.latitude, a.longitude, b.latitude, b.longitude);
  if (distance > distanceMaxM) return 0;
  const phone = shares(a, b, "tel ");
  const web = shares(a, b, "web ");
  if (!isSame(a, b, { distance, phone, web })) return 0;
  const { share } = compareNames(a, b);
  return share + (phone ? 0.4 : 0) + (web ? 0.2 : 0) + 0.3 * (1 - distance / distanceMaxM);
}

type Evidence = { distance: number; phone: boolean; web: boolean };

function isSame(a: Described, b: Described, { distance, phone, web }: Evidence): boolean {
  const name = compareNames(a, b);
  if (!name.isTelling && name.share < 1) return false;
  if (name.isOtherKind) return false;
  const kinds = compareKinds(a.categories, b.categories);
  const isWhole = name.ownFirst === 0 && name.ownSecond === 0;
  // What is called alike and is something else is another business, unless it answers the same telephone.
  if (kinds === "different") return isWhole && (phone || (web && distance < nextDoorM));
  if (isWhole) return true;
  const isOneSided = name.ownFirst === 0 || name.ownSecond === 0;
  // "Grace United Church" is not the "United Church" next door; "Luigi's Pizza Oven" may be "Luigi's Pizza".
  if (isOneSided && !name.isHeadMissing) return phone || (web && name.share >= 0.5) || name.share >= 0.6;
  if (isOneSided) return phone || (web && name.share >= 0.6);
  return phone && name.share >= 0.5 && !isPractice(a.categories) && !isPractice(b.categories);
}

const nextDoorM = 50;

/** The same for a node and a building of one data set, which name and kind alone make one. */
export function likenessWithin(a: Described, b: Described): number {
  const distance = distanceM(a.latitude, a.longitude, b.latitude, b.longitude);
  if (distance > buildingMaxM || compareKinds(a.categories, b.categories) !== "same") return 0;
  const { share, ownFirst, ownSecond, isOtherKind, isTelling } = compareNames(a, b);
  const isWhole = ownFirst === 0 && ownSecond === 0 && (isTelling || share === 1) && !isOtherKind;
  return isWhole ? 1 + (1 - distance / buildingMaxM) : 0;
}

/** From the middle of a building to a node in it. */
const buildingMaxM = 75;

function shares(a: Described, b: Described, prefix: string): boolean {
  return a.contacts.some((contact) => contact.startsWith(prefix) && b.contacts.includes(contact));
}

/** What two records of one business have in common: telephone numbers by their last digits, web hosts. */
export function contactsOf(details: Pick<PlaceRecord["details"], "phones" | "website">): string[] {
  const contacts: string[] = [];
  for (const phone of details.phones ?? []) {
    const digits = phone.replaceAll(/\D/g, "").slice(-8);
    if (digits.length >= 6) contacts.push(`tel ${digits}`);
  }
  const host = details.website ? hostOf(details.website).replace(/^www\./, "") : "";
  if (host !== "") contacts.push(`web ${host}`);
  return contacts.length > contactsMax ? contacts.slice(0, contactsMax) : contacts;
}

const contactsMax = 10;

const plainHost = /^https?:\/\/((?:[a-z0-9-]+\.)+[a-z]{2,})\//;

/** The host that most addresses begin with is written as it is read; the others are left to the parser. */
function hostOf(website: string): string {
  const host = plainHost.exec(website)?.[1];
  return host === undefined || host.includes("xn--") ? (URL.parse(website)?.hostname ?? "") : host;
}
