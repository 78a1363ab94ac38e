import { formatPhone, readPhones } from "../../../places/contacts.ts";
import type { Place } from "../../../places/place.ts";

// A list in one cell, and a week on one line.

const separator = "; ";

export function emailsText(emails: readonly string[]): string | null {
  return emails.length === 0 ? null : emails.join(separator);
}

const hostsByNetwork = {
  facebook: /(?:^|\.)(?:facebook|fb)\.com$/,
  instagram: /(?:^|\.)instagram\.com$/,
  linkedin: /(?:^|\.)linkedin\.com$/,
  x: /(?:^|\.)(?:x|twitter)\.com$/,
  youtube: /(?:^|\.)youtube\.com$/,
  tiktok: /(?:^|\.)tiktok\.com$/,
} as const;
export type Network = keyof typeof hostsByNetwork;

/** The profiles on one network; `other` takes those on none of the networks above. */
export function profilesText(profiles: readonly string[], network: Network | "other"): string | null {
  const found = profiles.filter((profile) => networkOf(profile) === network);
  return found.length === 0 ? null : found.join(separator);
}

function networkOf(profile: string): string {
  const host = URL.parse(profile)?.hostname ?? "";
  return Object.entries(hostsByNetwork).find(([, hosts]) => hosts.test(host))?.[0] ?? "other";
}

const days = [
  ["monday", "Mon"],
  ["tuesday", "Tue"],
  ["wednesday", "Wed"],
  ["thursday", "Thu"],
  ["friday", "Fri"],
  ["saturday", "Sat"],
  ["sunday", "Sun"],
] as const;

/** `Mon-Fri 08:00-12:00, 13:30-18:00; Sat-Sun closed`, or the source's own text where it is no ordinary week. */
export function hoursText(hours: Place["openingHours"]): string | null {
  const weekly = hours?.weekly;
  if (!weekly) return hours?.raw ?? null;
  const runs: { first: string; last: string; text: string }[] = [];
  for (const [day, name] of days) {
    const slots = weekly[day];
    const text = slots ? slots.map(({ opens, closes }) => `${opens}-${closes}`).join(", ") || "closed" : "unknown";
    const run = runs.at(-1);
    if (run?.text === text) run.last = name;
    else runs.push({ first: name, last: name, text });
  }
  return runs.map(({ first, last, text }) => `${first === last ? first : `${first}-${last}`} ${text}`).join(separator);
}

/** In groups, with its country's number: a spreadsheet computes nothing of it and drops no plus or zero. */
const inGroups = /^\+\d{1,3} [\d ]+$/;
/** What a spreadsheet takes for a number or a sum. */
const dialed = /^[+0(][\d\s()./-]{3,}$/;

/** A phone number in international form, which always has a blank; text that is no number stays as it is. */
export function phoneText(phone: string | null, countryCode: string | null): string | null {
  if (phone === null || inGroups.test(phone)) return phone;
  const numbers = readPhones([phone], countryCode);
  if (numbers.length > 0) return numbers.map(formatPhone).join(separator);
  if (!dialed.test(phone)) return phone;
  const spaced = phone.replaceAll(/[\s()./-]+/g, " ").trim();
  return spaced.includes(" ") ? spaced : `${spaced.slice(0, 3)} ${spaced.slice(3)}`;
}
