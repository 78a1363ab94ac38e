import type { DatabaseSync } from "node:sqlite";
import type { OpeningHours } from "../places/opening-hours.ts";

const [hoursOfDay, hoursOfWeek] = [24, 168];
const days = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"] as const;
/** Weeks whose numbers, or whose hours, are kept in memory. */
const weeksKept = 10_000;

/** Hours of the week, 0 for Monday's first to 167: open at some time in one of them, or in each. */
export type OpenHours = { hours: readonly number[]; every: boolean };

/** A bit for each hour of a week: whether a place is open at some time in it. Null where its hours are not known. */
export function weekOf(hours: OpeningHours | null | undefined): Uint8Array | null {
  const weekly = hours?.weekly;
  if (!weekly) return null;
  const week = new Uint8Array(hoursOfWeek / 8);
  for (const [day, name] of days.entries()) {
    for (const { opens, closes } of weekly[name] ?? []) {
      const from = minuteOf(opens);
      // A slot that closes at or before the time it opens ends on the next day.
      const until = minuteOf(closes) + (minuteOf(closes) <= from ? hoursOfDay * 60 : 0);
      for (let hour = Math.floor(from / 60); hour * 60 < until; hour += 1) {
        const at = (day * hoursOfDay + hour) % hoursOfWeek;
        week[at >> 3] = (week[at >> 3] ?? 0) | (1 << (at & 7));
      }
    }
  }
  return week;
}

export function isOpenIn(week: Uint8Array, { hours, every }: OpenHours): boolean {
  const isOpen = (hour: number) => ((week[hour >> 3] ?? 0) & (1 << (hour & 7))) !== 0;
  return every ? hours.every(isOpen) : hours.some(isOpen);
}

/** Hours of each of some days, 0 for Monday. */
function each(ofDays: readonly number[], hours: readonly number[]): number[] {
  return ofDays.flatMap((day) => hours.map((hour) => day * hoursOfDay + hour));
}

const allHours = Array.from({ length: hoursOfWeek }, (_, hour) => hour);
const everyDay = days.map((_, day) => day);

/** Kinds of hours that can lead to places. Sunday begins when Saturday's night is over. */
export const oddHours: ReadonlyMap<string, OpenHours> = new Map([
  ["@open_sunday", { hours: each([6], allHours.slice(6, hoursOfDay)), every: false }],
  ["@open_late", { hours: each(everyDay, [23, 0, 1, 2, 3]), every: false }],
  ["@open_early", { hours: each(everyDay, [5, 6]), every: false }],
  ["@always_open", { hours: allHours, every: true }],
]);

export function oddHoursOf(week: Uint8Array | null): string[] {
  if (!week) return [];
  return [...oddHours].flatMap(([id, hours]) => (isOpenIn(week, hours) ? [id] : []));
}

/** The weeks of the file. One gets a number when it is first met, which stays its own. */
export function createWeeks(db: DatabaseSync) {
  const find = db.prepare("select week from weeks where hours = ?");
  const insert = db.prepare("insert into weeks (hours) values (?)");
  const known = new Map<string, number>();

  function numberOf(week: Uint8Array): number {
    const text = week.join();
    let number = known.get(text);
    if (number === undefined) {
      const found = find.get(week)?.["week"];
      number = typeof found === "number" ? found : Number(insert.run(week).lastInsertRowid);
      if (known.size >= weeksKept) known.clear();
      known.set(text, number);
    }
    return number;
  }

  return { numberOf, forget: () => known.clear() };
}

/** Reads the hours of a week by its number, which never changes. */
export function createHoursReader(read: (week: number) => Uint8Array | undefined) {
  const known = new Map<number, Uint8Array>();

  return (week: number): Uint8Array => {
    let hours = known.get(week);
    if (hours === undefined) {
      if (known.size >= weeksKept) known.clear();
      known.set(week, (hours = read(week) ?? new Uint8Array()));
    }
    return hours;
  };
}

function minuteOf(time: string): number {
  const [hour = 0, minute = 0] = time.split(":").map(Number);
  return hour * 60 + minute;
}
