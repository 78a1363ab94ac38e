import { distanceM } from "../geo.ts";
import type { PlaceRecord } from "../open-data/record.ts";
import { editDistance, typosAllowed } from "../query/typos.ts";

/** What of a record tells whether another describes the same business. */
export type Described = {
  number: number;
  sourceId: string;
  latitude: number;
  longitude: number;
  nameWords: readonly string[];
  contacts: readonly string[];
};

export const distanceMaxM = 150;
// A word that hundreds of neighbors share, such as that of a chain's cash machines, says nothing.
const sharedMax = 200;

/**
 * Pairs records of two kinds of data set that describe one business: each must be the other's best match.
 * Nothing but the records themselves decides, so the order in which they were imported cannot.
 * Returns the number of the first kind's record by that of the second's.
 */
export function pairUp(first: readonly Described[], second: readonly Described[]): Map<number, number> {
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
      if (sharing.length <= sharedMax) for (const b of sharing) candidates.add(b);
    }
    for (const b of candidates) {
      const score = likeness(a, b);
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
  return [...new Set([...nameWords.filter((word) => word.length >= 3), ...nameWords.slice(0, 1)]), ...contacts];
}

/** 0 when they are not the same business; otherwise the more the surer. */
function likeness(a: Described, b: Described): number {
  const distance = distanceM(a.latitude, a.longitude, b.latitude, b.longitude);
  if (distance > distanceMaxM) return 0;
  const name = nameLikeness(a.nameWords, b.nameWords);
  const phone = shares(a, b, "tel ");
  const web = shares(a, b, "web ");
  const isSame =
    name >= 0.8 || (name >= 0.5 && (phone || web || distance < 25)) || (phone && web) || (phone && name >= 0.3);
  if (!isSame) return 0;
  return name + (phone ? 0.4 : 0) + (web ? 0.2 : 0) + 0.3 * (1 - distance / distanceMaxM);
}

/** The share of words they have in common, near misses counted. */
export function nameLikeness(a: readonly string[], b: readonly string[]): number {
  if (a.length === 0 || b.length === 0) return 0;
  if (a.join("") === b.join("")) return 1;
  const free = [...b];
  let common = 0;
  for (const word of a) {
    const index = free.findIndex((other) => isSameWord(word, other));
    if (index < 0) continue;
    free.splice(index, 1);
    common += 1;
  }
  return (2 * common) / (a.length + b.length);
}

function isSameWord(a: string, b: string): boolean {
  if (a === b) return true;
  const allowed = Math.min(typosAllowed(a.length), typosAllowed(b.length));
  return allowed > 0 && editDistance(a, b, allowed) <= allowed;
}

function shares(a: Described, b: Described, prefix: string): boolean {
  return a.contacts.some((contact) => contact.startsWith(prefix) && b.contacts.includes(contact));
}

/** What two records of one business have in common: telephone numbers by their last digits, web hosts. */
export function contactsOf(details: Pick<PlaceRecord["details"], "phones" | "website">): string[] {
  const phones = (details.phones ?? []).map((phone) => phone.replaceAll(/\D/g, "").slice(-8));
  const website = details.website ?? "";
  const host = URL.canParse(website) ? new URL(website).hostname.replace(/^www\./, "") : "";
  return [
    ...phones.filter((phone) => phone.length >= 6).map((phone) => `tel ${phone}`),
    ...(host === "" ? [] : [`web ${host}`]),
  ].slice(0, 10);
}
