import { degreeM, distanceM } from "../../geography/points.ts";
import type { PlaceRecord } from "../record.ts";
import { compareKinds, isPractice, isUnitKind, isUnitOfOther } from "./kinds.ts";
import { partsOf } from "./name-words.ts";
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

function keysOf(record: Described): string[] {
  const { nameWords, contacts } = record;
  if (nameWords.length === 0) return [...contacts];
  const { telling } = partsOf(record);
  const words = [...nameWords.filter((word) => word.length >= 3), ...telling.slice(0, 1)];
  // "Wal-Mart" and "Walmart" share no word, nor does a single one with a typo.
  const joined = (telling.length > 0 ? telling : nameWords).join("");
  return [...new Set([...words, joined]), `begins ${joined.slice(0, 4)}`, `ends ${joined.slice(-4)}`, ...contacts];
}

/** How much each thing that two records have in common, or not, says for one business; above 0 in all, they are one. */
const weights = {
  /** Every pair begins with a doubt. */
  always: -1.7,
  shareOfName: 3,
  isWholeName: 0.2,
  isContinued: 0.6,
  ownWord: -0.3,
  ownWordsOnBothSides: -1.8,
  isHeadMissing: -0.7,
  isOtherKindByName: -2.6,
  isDepartment: -6,
  isOtherNumber: -4,
  isNumbered: -1.5,
  hasNoName: -4,
  isSameKind: 0.6,
  isKinKind: 0.4,
  isDifferentKind: -1.8,
  isUnitOfOther: -3,
  hasPhone: 1.6,
  hasSite: 0.8,
  hasOtherPhone: -0.3,
  hasOtherPhoneAsUnit: -3,
  hasOtherSite: -0.3,
  isNextDoor: 0.3,
  /** For each 150 m. */
  distance: -1,
} as const;

type Evidence = { [Feature in keyof typeof weights]: number | boolean };

/** Within a house. */
const nextDoorM = 25;

/** 0 when they are not the same business; otherwise the more the surer. Name and kind decide together. */
function likeness(a: Described, b: Described): number {
  const distance = distanceM(a.latitude, a.longitude, b.latitude, b.longitude);
  if (distance > distanceMaxM) return 0;
  const evidence = evidenceOf(a, b, distance);
  let sum = 0;
  for (const [feature, value] of Object.entries(evidence)) sum += weights[feature as keyof Evidence] * Number(value);
  return Math.max(0, sum);
}

function evidenceOf(a: Described, b: Described, distance: number): Evidence {
  const name = compareNames(a, b);
  const kinds = compareKinds(a.categories, b.categories);
  const [phone, site] = [compareContacts(a, b, "tel "), compareContacts(a, b, "web ")];
  const areBoth = name.ownFirst > 0 && name.ownSecond > 0;
  // Who share a practice share its telephone and its site, too.
  const arePractices = areBoth && (isPractice(a.categories) || isPractice(b.categories));
  const isWholeName = name.share === 1;
  return {
    always: true,
    shareOfName: name.share,
    isWholeName,
    isContinued: name.isContinued && !isWholeName,
    ownWord: name.ownFirst + name.ownSecond,
    ownWordsOnBothSides: areBoth,
    isHeadMissing: name.isHeadMissing,
    isOtherKindByName: name.isOtherKind,
    isDepartment: name.isDepartment,
    isOtherNumber: name.isOtherNumber,
    isNumbered: name.isNumbered,
    hasNoName: name.share === 0,
    isSameKind: kinds === "same",
    isKinKind: kinds === "kin",
    isDifferentKind: kinds === "different",
    isUnitOfOther: isUnitOfOther(a.categories, b.categories),
    hasPhone: phone === "same" && !arePractices,
    hasSite: site === "same" && !arePractices,
    hasOtherPhone: phone === "different",
    hasOtherPhoneAsUnit: phone === "different" && isUnitKind(a.categories) && isUnitKind(b.categories),
    hasOtherSite: site === "different",
    isNextDoor: distance <= nextDoorM,
    distance: distance / distanceMaxM,
  };
}

/** The same for a node and a building of one data set, which name and kind alone make one. */
export function likenessWithin(a: Described, b: Described): number {
  const distance = distanceM(a.latitude, a.longitude, b.latitude, b.longitude);
  if (distance > buildingMaxM || !["same", "kin"].includes(compareKinds(a.categories, b.categories))) return 0;
  const { share, isOtherKind, isDepartment, isOtherNumber } = compareNames(a, b);
  return share === 1 && !isOtherKind && !isDepartment && !isOtherNumber ? 1 + (1 - distance / buildingMaxM) : 0;
}

/** From the middle of a building to a node in it. */
const buildingMaxM = 75;

function compareContacts(a: Described, b: Described, prefix: string): "same" | "different" | "unknown" {
  const ofA = a.contacts.filter((contact) => contact.startsWith(prefix));
  const ofB = b.contacts.filter((contact) => contact.startsWith(prefix));
  if (ofA.length === 0 || ofB.length === 0) return "unknown";
  return ofA.some((contact) => ofB.includes(contact)) ? "same" : "different";
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
