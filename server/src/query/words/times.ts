import { foldedRuns } from "../../text/normalize.ts";
import { lexicon, type TimeOfWeek, timesOfWeek } from "../../languages/index.ts";

/** When a place is to be open: on some days, 0 for Monday, and in some hours of the day. None means any. */
export type OpenAt = { days: readonly number[]; hours: readonly number[] };

const daysOfWeek = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"] as const;

const meanings: Readonly<Record<TimeOfWeek, OpenAt>> = {
  monday: { days: [0], hours: [] },
  tuesday: { days: [1], hours: [] },
  wednesday: { days: [2], hours: [] },
  thursday: { days: [3], hours: [] },
  friday: { days: [4], hours: [] },
  saturday: { days: [5], hours: [] },
  sunday: { days: [6], hours: [] },
  weekend: { days: [5, 6], hours: [] },
  early: { days: [], hours: [5, 6] },
  morning: { days: [], hours: [8, 9, 10] },
  noon: { days: [], hours: [12] },
  afternoon: { days: [], hours: [14, 15, 16] },
  evening: { days: [], hours: [19, 20, 21] },
  late: { days: [], hours: [23, 0, 1, 2, 3] },
};

const firstMonday = Date.UTC(2024, 0, 1);
const dayMs = 86_400_000;

/** Days and times of day as all languages write them: the days as CLDR has them, and the words of the language. */
export function* timesByPhrase(): Iterable<[phrase: string, at: OpenAt]> {
  for (const [tag, { times = {} }] of lexicon) {
    const format = new Intl.DateTimeFormat(tag, { weekday: "long", timeZone: "UTC" });
    if (format.resolvedOptions().locale.split("-")[0] === tag.split("-")[0]) {
      for (const [day, name] of daysOfWeek.entries()) yield [format.format(firstMonday + day * dayMs), meanings[name]];
    }
    for (const time of timesOfWeek) for (const word of times[time] ?? []) yield [word, meanings[time]];
  }
}

/** Words behind an hour, in all languages. */
export const clockWords: ReadonlyMap<string, "hour" | "am" | "pm"> = new Map(
  [...lexicon.values()].flatMap(({ clock = {} }) =>
    (["hour", "am", "pm"] as const).flatMap((meaning) =>
      (clock[meaning] ?? []).map((word) => [foldedRuns(word).join(""), meaning] as const),
    ),
  ),
);

const hoursOfDay = 24;
/** A day begins when the night before it is over. */
const dayBeginsAt = 6;

/** The hours of the week that are meant, 0 for Monday's first. */
export function hoursOfWeek({ days, hours }: OpenAt): number[] {
  const ofDays = days.length > 0 ? days : daysOfWeek.map((_, day) => day);
  const ofDay =
    hours.length > 0 ? hours : Array.from({ length: hoursOfDay - dayBeginsAt }, (_, at) => at + dayBeginsAt);
  return ofDays.flatMap((day) => ofDay.map((hour) => day * hoursOfDay + hour));
}
