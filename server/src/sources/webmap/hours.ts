import { cutText } from "../../platform/text.ts";
import type { OpeningHours } from "../../places/opening-hours.ts";
import type { WebmapRecord } from "./records.ts";
import { at, isNoList, listAt, type Path, text } from "./values.ts";

type Weekly = NonNullable<OpeningHours["weekly"]>;
type Slot = NonNullable<Weekly["monday"]>[number];
/** `isSpecial`: something is told of this day besides its hours, such as the holiday that it is. */
type Day = { isoDay: number; label: string; slots: Slot[]; isSpecial: boolean };

/** `partial`: the answer tells of some days only, which is no week. Without a table: a holiday is among its days. */
export type ReadHours = OpeningHours | "missing" | "partial" | "unreadable";

const slotsMax = 24;
const labelOf = text(100);

/** Where the week is, newest layout first. */
const paths = { current: [203, 0], older: [34, 1] } as const;

/** For how many days of the week a record tells hours. */
export function daysTold(record: WebmapRecord): number {
  return Math.max(listAt(record, paths.current).length, listAt(record, paths.older).length);
}

export function readHours(record: WebmapRecord): ReadHours {
  const current = readWeek(record, paths.current, readDay);
  if (typeof current !== "string") return current;
  const older = readWeek(record, paths.older, readOlderDay);
  return typeof older === "string" && current !== "missing" ? current : older;
}

function readWeek(record: WebmapRecord, path: Path, read: (entry: unknown) => Day | undefined): ReadHours {
  const days = listAt(record, path);
  if (days.length === 0) return isNoList(record, path) ? "unreadable" : "missing";

  const byIsoDay: (Day | undefined)[] = Array.from({ length: daysOfWeek });
  let count = 0;
  for (let index = 0; index < days.length && index < entriesMax; index += 1) {
    const day = read(days[index]);
    if (!day) return "unreadable";
    const known = byIsoDay[day.isoDay - 1];
    if (known && (!known.isSpecial || day.isSpecial)) continue;
    byIsoDay[day.isoDay - 1] = day;
    if (!known) count += 1;
  }
  return count < daysOfWeek ? "partial" : weekOf(byIsoDay.filter((day) => day !== undefined));
}

const daysOfWeek = 7;
/** A week may be told twice, such as with the next one's holidays. */
const entriesMax = 14;

/**
 * The hours of a holiday are not those of its day of the week: the text has them, and the week has no table. What is
 * told of every day tells of no holiday.
 */
function weekOf(days: readonly Day[]): OpeningHours {
  const raw = cutText(days.map(({ label }) => label).join("; "), 2000);
  const specialCount = days.filter(({ isSpecial }) => isSpecial).length;
  if (specialCount > 0 && specialCount < daysOfWeek) return { weekly: null, raw };
  const [monday = [], tuesday = [], wednesday = [], thursday = [], friday = [], saturday = [], sunday = []] = days.map(
    ({ slots }) => slots,
  );
  return { weekly: { monday, tuesday, wednesday, thursday, friday, saturday, sunday }, raw };
}

/** `[name, isoDay, [y, m, d], [[label, [[h, m?], [h, m?]]], …], , state]`; a closed day has a label and no times. */
function readDay(entry: unknown): Day | undefined {
  if (!Array.isArray(entry) || !Array.isArray(entry[3])) return undefined;
  const parts = (entry[3] as unknown[]).slice(0, slotsMax);
  const slots: Slot[] = [];
  const untimed: unknown[] = [];
  for (const part of parts) {
    if (!Array.isArray(part)) return undefined;
    const times: unknown = part[1];
    if (!Array.isArray(times)) {
      untimed.push(part[0]);
      continue;
    }
    const slot = slotOf(timeOf(times[0]), timeOf(times[1]));
    if (!slot) return undefined;
    slots.push(slot);
  }
  const besides = [entry[4], ...(entry as unknown[]).slice(6)];
  const labels = parts.map((part) => at(part, [0]));
  return dayOf({ name: entry[0], isoDay: entry[1], labels, untimed, slots, state: entry[5], besides });
}

/** `[name, [label, …], , , "2026-09-22", state, [[h, m, h, m], …], 0]`. */
function readOlderDay(entry: unknown): Day | undefined {
  if (!Array.isArray(entry)) return undefined;
  const date: unknown = entry[4];
  const weekday = typeof date === "string" && /^\d{4}-\d\d-\d\d$/.test(date) ? new Date(date).getUTCDay() : Number.NaN;
  const slots: Slot[] = [];
  for (const times of listAt(entry, [6]).slice(0, slotsMax)) {
    if (!Array.isArray(times)) return undefined;
    const slot = slotOf(timeOf(times.slice(0, 2)), timeOf(times.slice(2, 4)));
    if (!slot) return undefined;
    slots.push(slot);
  }
  const labels = listAt(entry, [1]).slice(0, slotsMax);
  const besides = [entry[2], entry[3], ...(entry as unknown[]).slice(7)];
  const isoDay = weekday === 0 ? 7 : weekday;
  const untimed = labels.slice(slots.length);
  return dayOf({ name: entry[0], isoDay, labels, untimed, slots, state: entry[5], besides });
}

const closedState = 2;

/** A day as either layout tells of it; `untimed`: labels without times; `besides`: what ordinary days leave empty. */
type ToldDay = {
  name: unknown;
  isoDay: unknown;
  labels: readonly unknown[];
  untimed: readonly unknown[];
  slots: Slot[];
  state: unknown;
  besides: readonly unknown[];
};

function dayOf({ name, isoDay, labels, untimed, slots, state, besides }: ToldDay): Day | undefined {
  if (typeof isoDay !== "number" || !Number.isInteger(isoDay) || isoDay < 1 || isoDay > 7) return undefined;
  const label = textsOf(labels).join(", ");
  if (slots.length === 0 && label === "") return undefined;
  // Beside hours, or behind the word for closed, a text without digits is a remark: "Hours might differ".
  const remarks = textsOf(slots.length === 0 ? untimed.slice(1) : untimed).filter((told) => !tellsTimes(told));
  if (untimed.length > remarks.length && lacksTimes(slots, label, state)) return undefined;
  const dayName = labelOf(name) ?? `${isoDay}`;
  const isSpecial = remarks.length > 0 || besides.some((told) => isSomething(told)) || /[(（]/.test(dayName);
  const holiday = besides.map((told) => textIn(told)).find((told) => told !== undefined);
  return { isoDay, label: `${dayName}${holiday === undefined ? "" : ` (${holiday})`}: ${label}`, slots, isSpecial };
}

function textsOf(labels: readonly unknown[]): string[] {
  return labels.flatMap((label) => labelOf(label) ?? []);
}

/** Deeper than this are no remarks, and each level takes some of the stack. */
const remarkDepthMax = 8;

function isSomething(value: unknown, depth = 0): boolean {
  if (Array.isArray(value)) return depth === remarkDepthMax || value.some((item) => isSomething(item, depth + 1));
  return value !== undefined && value !== null && value !== 0 && value !== false && value !== "";
}

function textIn(value: unknown, depth = 0): string | undefined {
  if (!Array.isArray(value)) return labelOf(value);
  if (depth === remarkDepthMax) return undefined;
  return value
    .slice(0, slotsMax)
    .map((item) => textIn(item, depth + 1))
    .find((told) => told !== undefined);
}

/** Without their times an open day would pass for a closed one, and a split shift for half of it. */
function lacksTimes(slots: readonly Slot[], label: string, state: unknown): boolean {
  if (slots.length > 0) return true;
  // Another state than closed is open, or none that is known here, such as that of a day by appointment.
  return typeof state === "number" ? state !== closedState : tellsTimes(label);
}

/** In whatever language, times have digits and a word for closed has none: "8–18 Uhr", "24 時間営業". */
function tellsTimes(label: string): boolean {
  return /\p{Nd}/u.test(label) || roundTheClock.test(label);
}

/** Languages that write "24 hours" without digits. */
const roundTheClock = new RegExp(
  `non-?stop|нон-?стоп|круглосуточн|цілодоб|кругласутач|денонощ|деноноќ|cał[ąa] dob|całodob|nepřetržit|nepretržit
  |éjjel-nappal|døgn|dygnet|vuorokau|rund um die uhr|durchgehend geöffnet|visą parą|diennakt|ööpäev|neprekidno|тәулік|շուրջօր|სადღეღამ
  |gecə-gündüz|على مدار|شبانه|מסביב לשעון|終日営業|全天营业|全天營業|全天開放
  |二十四|종일 영업|เปิดตลอดวัน|mở cửa cả ngày|buka sepanjang hari|around the clock`
    .split(/\s*\|/)
    .join("|"),
  "iu",
);

type Minutes = number | undefined;

/** Minutes since midnight, which itself is an empty tuple. */
function timeOf(value: unknown): Minutes {
  if (!Array.isArray(value)) return undefined;
  const hours: unknown = value[0] ?? 0;
  const minutes: unknown = value[1] ?? 0;
  if (typeof hours !== "number" || typeof minutes !== "number") return undefined;
  if (!Number.isInteger(hours) || !Number.isInteger(minutes)) return undefined;
  return hours >= 0 && hours <= 47 && minutes >= 0 && minutes <= 59 ? hours * 60 + minutes : undefined;
}

const dayMinutes = 24 * 60;

function slotOf(opens: Minutes, closes: Minutes): Slot | undefined {
  if (opens === undefined || closes === undefined || opens >= dayMinutes) return undefined;
  if (closes - opens > dayMinutes) return undefined; // a slot ends on the next day at the latest
  // From midnight to midnight is the whole day; a closing time past it is on the next.
  const end = closes === 0 ? dayMinutes : closes > dayMinutes ? closes - dayMinutes : closes;
  return { opens: clock(opens), closes: clock(end) };
}

/** Every minute of a day as it is written, made when it is first needed. */
const clockTexts: string[] = [];

function clock(minutes: number): string {
  return (clockTexts[minutes] ??=
    `${String(Math.floor(minutes / 60)).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`);
}
