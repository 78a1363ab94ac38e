import { cutText } from "../platform/text.ts";
import type { Place } from "./place.ts";

export type OpeningHours = NonNullable<Place["openingHours"]>;
type Weekly = NonNullable<OpeningHours["weekly"]>;
type Slot = NonNullable<Weekly["monday"]>[number];

const rawMax = 2000;
const slotsMax = 24;
const days = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"] as const;

/**
 * Reads hours as OpenStreetMap writes them: `Mo-Fr 08:00-12:00,13:30-18:00; Sa 09:00-16:00; PH off`.
 * A day of which something cannot be read, or holds in some months or weeks only, has no slots that anybody knows: it is
 * null, and the other days stay. Holidays and single dates are left to the text. Never throws.
 */
export function readOpeningHours(text: string): OpeningHours | null {
  const raw = text.trim();
  return raw === "" ? null : { weekly: readWeekly(raw), raw: cutText(raw, rawMax) };
}

/** True when the text says of every day that it stays closed. */
export function isAlwaysClosed(hours: OpeningHours | null): boolean {
  const weekly = hours?.weekly ?? null;
  return weekly !== null && days.every((day) => weekly[day]?.length === 0);
}

const longest = 4000;

function readWeekly(raw: string): Weekly | null {
  if (raw.length > longest) return null;
  const week: (Slot[] | null)[] = days.map(() => []);
  const told = new Set<number>();
  for (const rule of rulesOf(tidy(raw))) {
    const read = readRule(rule.text);
    if (read === "exception") continue;
    for (const day of read.days) {
      told.add(day);
      week[day] = slotsAfter(week[day] ?? null, read.slots, rule.isAdded);
    }
  }
  if (week.some((slots) => slots !== null && slots.length > slotsMax)) return null;
  const isClosed = week.every((slots) => slots?.length === 0);
  // `Su off` says when it is closed, and nothing of when it is open.
  if (week.every((slots) => slots === null || slots.length === 0) && !(isClosed && told.size === days.length))
    return null;
  const [monday, tuesday, wednesday, thursday, friday, saturday, sunday] = week as Day7;
  return { monday, tuesday, wednesday, thursday, friday, saturday, sunday };
}

type DaySlots = Slot[] | null;
type Day7 = [DaySlots, DaySlots, DaySlots, DaySlots, DaySlots, DaySlots, DaySlots];

/** A rule after a semicolon replaces the day; one after a comma adds to it. What adds to an unknown day tells no more of it. */
function slotsAfter(before: DaySlots, slots: readonly Slot[] | null, isAdded: boolean): DaySlots {
  if (slots === null) return null;
  if (!isAdded || slots.length === 0) return [...slots];
  return before && [...before, ...slots];
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

/** `slots` is null where they cannot be read. An exception tells nothing of an ordinary week. */
type Rule = { days: readonly number[]; slots: readonly Slot[] | null } | "exception";

const dayList = "(?:mo|tu|we|th|fr|sa|su|ph|sh)(?:[-,](?:mo|tu|we|th|fr|sa|su|ph|sh))*";
const rulePattern = new RegExp(`^(?:(${dayList})(\\[[-\\d,]+\\])?(?![a-z[]):?(?: |$))?(.*)$`);
const month = "(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)";
/** `dec 25`, `dec 24-26`, `2026 dec 24-2027 jan 2`: some days of a year, at most to the next month's. */
const datesPattern = new RegExp(`^(?:\\d{4} )?${month} \\d{1,2}(?:-(?:(?:\\d{4} )?${month} )?\\d{1,2})?(?![\\d:]):? `);
/** Some months or weeks, or a season: what follows holds in a part of the year. */
const partPattern = new RegExp(`^(?:(?:\\d{4}(?:-\\d{4})? ?)?${month}(?:[-,]${month})*|week [-\\d,/]+|easter[^ ]*):? `);

function readRule(text: string): Rule {
  if (text === "24/7") return { days: everyDay, slots: [{ opens: "00:00", closes: "24:00" }] };
  if (datesPattern.test(text)) return "exception";
  const [part = ""] = partPattern.exec(text) ?? [];
  const [, selector, nth, rest = ""] = rulePattern.exec(text.slice(part.length)) ?? [];
  const when = selector === undefined ? everyDay : readDays(selector);
  if (when === "unreadable") return { days: everyDay, slots: null };
  if (when.length === 0) return "exception"; // holidays alone
  if (part !== "" || nth !== undefined) return { days: when, slots: null };
  const slots = readTimes(rest.replace(/ ?"[^"]*"$/, "").trim());
  return { days: when, slots: slots === "unreadable" ? null : slots };
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
    // Behind a time of closing a plus says that it may stay open longer.
    const [, ...parts] = timePattern.exec(span.replace(/\+$/, "")) ?? [];
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
