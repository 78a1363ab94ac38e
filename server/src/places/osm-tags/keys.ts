import { networkNames } from "../contacts.ts";
import type { Tags } from "./element.ts";
import { isFeature } from "./features.ts";
import { addressKeys } from "./read-address.ts";

export const otherNameKeys = ["official_name", "alt_name", "short_name", "old_name", "int_name", "loc_name", "brand"];
export const phoneKeys = ["phone", "contact:phone", "mobile", "contact:mobile"];
export const siteKeys = ["website", "contact:website", "url"];
export const emailKeys = ["email", "contact:email"];
export const profileKeys = networkNames.flatMap((network) => [
  { network, key: `contact:${network}` },
  { network, key: network },
]);

export const goneKeys: readonly string[] = ["disused", "abandoned", "demolished", "removed"];

/** The sections of a record that many elements have no tags for. */
const tests = {
  names: startsWith("name:"),
  otherNames: (key: string) => otherNameKeys.includes(withoutLanguage(key)),
  address: isOneOf(addressKeys),
  phones: isOneOf(phoneKeys),
  sites: isOneOf(siteKeys),
  emails: isOneOf(emailKeys),
  profiles: isOneOf(profileKeys.map(({ key }) => key)),
  links: isOneOf(["wikipedia", "wikidata", "brand:wikidata", "image", "wikimedia_commons"]),
  status: isOneOf([...goneKeys, "end_date", "operational_status"]),
  descriptions: startsWith("description"),
  features: isFeature,
};

type Section = keyof typeof tests;
const sections = Object.keys(tests) as Section[];
export const bits = Object.fromEntries(sections.map((section, index) => [section, 1 << index])) as Record<
  Section,
  number
>;

const knownKeys = new Map<string, number>();
const knownKeysMax = 20_000;

/** The sections that an element has tags for, as bits: an absent one need not be looked for key by key. */
export function sectionsOf(tags: Tags): number {
  let found = 0;
  for (const key of Object.keys(tags)) found |= knownKeys.get(key) ?? remember(key);
  return found;
}

function remember(key: string): number {
  let found = 0;
  for (const section of sections) if (tests[section](key)) found |= bits[section];
  if (knownKeys.size >= knownKeysMax) knownKeys.clear();
  knownKeys.set(key, found);
  return found;
}

/** `brand` of `brand:en`; `brand:wikidata` is no name in a language. */
function withoutLanguage(key: string): string {
  return key.replace(/:[a-z]{2,3}(?:-[a-z0-9]{2,8})*$/i, "");
}

function startsWith(prefix: string): (key: string) => boolean {
  return (key) => key.startsWith(prefix);
}

function isOneOf(keys: readonly string[]): (key: string) => boolean {
  const set = new Set(keys);
  return (key) => set.has(key);
}
