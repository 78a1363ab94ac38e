import { memoize } from "../../platform/memoize.ts";
import { timeZoneAt } from "../../geography/time-zone.ts";
import type { PlaceRecord } from "../record.ts";

const days = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"] as const;
const formatsMax = 600;

const formatIn = memoize((timeZone: string) => {
  const parts = { weekday: "long", hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const;
  return new Intl.DateTimeFormat("en", { ...parts, timeZone });
}, formatsMax);

/** Whether a place is open at a moment, by its own clock; undefined when its hours are not known. */
export function isOpenAt({ details, latitude, longitude, address }: PlaceRecord, moment: Date): boolean | undefined {
  const weekly = details.openingHours?.weekly;
  const timeZone = weekly && timeZoneAt(latitude, longitude, address.countryCode);
  if (!weekly || !timeZone) return undefined;
  const { day, time } = localTime(moment, timeZone);
  const today = days[day] ?? "sunday";
  const yesterday = days[(day + 6) % 7] ?? "sunday";
  const [slots, slotsBefore] = [weekly[today], weekly[yesterday]];
  const isOpen =
    slots?.some(({ opens, closes }) => opens <= time && (time < closes || closes <= opens)) ||
    // A slot that closes at or before the time it opens ends on the next day.
    slotsBefore?.some(({ opens, closes }) => closes <= opens && time < closes);
  if (isOpen) return true;
  return slots === null || slotsBefore === null ? undefined : false;
}

function localTime(moment: Date, timeZone: string): { day: number; time: string } {
  const parts = new Map(
    formatIn(timeZone)
      .formatToParts(moment)
      .map(({ type, value }) => [type, value]),
  );
  const name = (parts.get("weekday") ?? "").toLowerCase();
  const day = days.findIndex((each) => each === name);
  return { day, time: `${parts.get("hour") ?? "00"}:${parts.get("minute") ?? "00"}` };
}
