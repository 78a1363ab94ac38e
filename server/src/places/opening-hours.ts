import { cutText } from "../platform/text.ts";
import type { Place } from "./place.ts";

export type OpeningHours = NonNullable<Place["openingHours"]>;
type Weekly = NonNullable<OpeningHours["weekly"]>;
type Slot = Weekly["monday"][number];

const rawMax = 2000;
const slotsMax = 24;
const days = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"] as const;

/**
 * Reads hours as OpenStreetMap writes them: `Mo-Fr 08:00-12:00,13:30-18:00; Sa 09:00-16:00; PH off`.
 * What holds in some months, weeks or weather only is no weekly plan: then the text alone is kept.
 * Public and school holidays are left to the text. Never throws.
 */
export function readOpeningHours(text: string): OpeningHours | null {
  const raw = text.trim();
  return raw === "" ? null : { weekly: readWeekly(raw), raw: cutText(raw, rawMax) };
}

/** True when the text says of every day that it stays closed. */
export function isAlwaysClosed(hours: OpeningHours | null): boolean {
  const weekly = hours?.weekly ?? null;
  return weekly !== null && days.every((day) => weekly[day].length === 0);
}

const longest = 4000;

function readWeekly(raw: string): Weekly | null {
  if (raw.length > longest) return null;
  const week: Slot[][] = days.map(() => []);
  const told = new Set<number>();
  for (const rule of rulesOf(tidy(raw))) {
    const read = readRule(rule.text);
    if (read === "unreadable") return null;
    if (read === "holidays") continue;
    for (const day of read.days) {
      told.add(day);
      // A rule after a semicolon replaces the day; one after a comma adds to it.
      week[day] = rule.isAdded && read.slots.length > 0 ? [...(week[day] ?? []), ...read.slots] : [...read.slots];
    }
  }
  // `Su off` says when it is closed, and nothing of when it is open.
  if (week.every((slots) => slots.length === 0) && told.size < days.length) return null;
  if (week.some((slots) => slots.length > slotsMax)) return null;
  const [monday = [], tuesday = [], wednesday = [], thursday = [], friday = [], saturday = [], sunday = []] = week;
  return { monday, tuesday, wednesday, thursday, friday, saturday, sunday };
}

const dayNames: Readonly<Record<string, number>> = { mo: 0, tu: 1, we: 2, th: 3, fr: 4, sa: 5, su: 6 };
const everyDay = [0, 1, 2, 3, 4, 5, 6];

/** Spellings people use, brought to the one the grammar knows. */
function tidy(raw: string): string {
  return raw
    .toLowerCase()
    .replaceAll(/[\u2010-\u2015\u2212]/g, "-")
    .replaceAll(
      /\b(mo|tu|we|th|fr|sa|su)(n|e|es|d|nes|u|ur|urs|i|t|tur|s|rs|nday|esday|dnesday|ursday|iday|turday)?\b\.?/g,
      "$1",
    )
    .replaceAll(/(\d)h(\d\d)\b/g, "$1:$2")
    .replaceAll(/(?<![:.\d])(\d{1,2})\.(\d\d)(?![.\d])/g, "$1:$2")
    .replaceAll(/\s*-\s*/g, "-")
    .replaceAll(/\s*,\s*/g, ",")
    .replaceAll(/\s+/g, " ")
    .trim();
}

/** Splits at semicolons, and at commas that begin a new rule: `mo 8:00-12:00,tu 9:00-12:00`. */
function rulesOf(text: string): { text: string; isAdded: boolean }[] {
  return text
    .split(";")
    .map((part) => part.trim())
    .filter((part) => part !== "")
    .flatMap((part) =>
      part
        .split(/(?<=\d|off|closed|"),(?=(?:mo|tu|we|th|fr|sa|su|ph|sh)\b)/)
        .map((rule, index) => ({ text: rule.trim(), isAdded: index > 0 })),
    );
}

type Rule = { days: readonly number[]; slots: readonly Slot[] } | "holidays" | "unreadable";

const dayList = "(?:mo|tu|we|th|fr|sa|su|ph|sh)(?:[-,](?:mo|tu|we|th|fr|sa|su|ph|sh))*";
const rulePattern = new RegExp(`^(?:(${dayList})(?![a-z[]):?(?: |$))?(.*)$`);

function readRule(text: string): Rule {
  if (text === "24/7") return { days: everyDay, slots: [{ opens: "00:00", closes: "24:00" }] };
  const [, selector, rest = ""] = rulePattern.exec(text) ?? [];
  const when = selector === undefined ? everyDay : readDays(selector);
  if (when === "unreadable") return when;

  const slots = readTimes(rest.replace(/ ?"[^"]*"$/, "").trim());
  if (slots === "unreadable") return when.length === 0 && selector !== undefined ? "holidays" : slots;
  return when.length === 0 ? "holidays" : { days: when, slots };
}

/** The days a selector names; none when it names holidays only. */
function readDays(selector: string): number[] | "unreadable" {
  const found = new Set<number>();
  for (const part of selector.split(",")) {
    if (part === "ph" || part === "sh") continue;
    const [first = "", last = first, ...more] = part.split("-");
    const [from, to] = [dayNames[first], dayNames[last]];
    if (from === undefined || to === undefined || more.length > 0) return "unreadable";
    for (let day = from; ; day = (day + 1) % 7) {
      found.add(day);
      if (day === to) break;
    }
  }
  return [...found];
}

const timePattern = /^(\d{1,2}):(\d\d)-(\d{1,2}):(\d\d)$/;

function readTimes(text: string): Slot[] | "unreadable" {
  if (text === "off" || text === "closed") return [];
  const times = text.replace(/ (open)$/, "");
  if (times === "24/7" || times === "open") return [{ opens: "00:00", closes: "24:00" }];
  const slots: Slot[] = [];
  for (const span of times.split(",")) {
    const [, ...parts] = timePattern.exec(span) ?? [];
    if (parts.length === 0) return "unreadable";
    const [fromHour = 0, fromMinute = 0, toHour = 0, toMinute = 0] = parts.map(Number);
    const [from, to] = [fromHour * 60 + fromMinute, toHour * 60 + toMinute];
    // A slot ends on the next day at the latest.
    if (fromHour > 23 || fromMinute > 59 || toMinute > 59 || to - from > 24 * 60) return "unreadable";
    const closes = to > 24 * 60 ? clock(toHour - 24, toMinute) : clock(toHour, toMinute);
    slots.push({ opens: clock(fromHour, fromMinute), closes });
  }
  return slots;
}

function clock(hour: number, minute: number): string {
  return `${String(hour).padStart(2, "0")}:${String(minute).padStart(2, "0")}`;
}
