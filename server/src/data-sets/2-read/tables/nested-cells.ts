import type { Values } from "./columns.ts";

// What other programs write into one cell: an address or a week as JSON.

const charactersMax = 10_000;

/** A JSON object in a cell; undefined for any other text. */
function objectIn(text: string): Record<string, unknown> | undefined {
  if (!text.startsWith("{") || text.length > charactersMax) return undefined;
  try {
    return JSON.parse(text) as Record<string, unknown>; // it begins like an object
  } catch {
    return undefined;
  }
}

/** The parts of an address that a cell has as JSON come before a whole address in the column of the street. */
export function withAddressParts({ addressParts, ...values }: Values): Values {
  const parts = objectIn(addressParts ?? "");
  if (!parts) return values;
  const part = (name: string) => {
    const text = parts[name];
    return typeof text === "string" && text.trim() !== "" ? text : undefined;
  };
  const [street, city, postalCode] = [part("street"), part("city"), part("postal_code")];
  const [region, country] = [part("state"), part("country")];
  return {
    ...values,
    ...(street === undefined ? {} : { street }),
    ...(city === undefined ? {} : { city }),
    ...(postalCode === undefined ? {} : { postalCode }),
    ...(region === undefined ? {} : { region }),
    ...(country === undefined ? {} : { country }),
  };
}

const dayCodes: Readonly<Record<string, string>> = {
  Monday: "Mo",
  Tuesday: "Tu",
  Wednesday: "We",
  Thursday: "Th",
  Friday: "Fr",
  Saturday: "Sa",
  Sunday: "Su",
};

/** `{"Monday": "8AM-12PM,1:30-6PM"}` as OpenStreetMap writes hours; any other text as it is. */
export function hoursIn(text: string): string {
  const week = objectIn(text);
  if (!week) return text;
  const rules: string[] = [];
  for (const [day, hours] of Object.entries(week)) {
    const code = dayCodes[day];
    const spans = [hours].flat().flatMap((each) => String(each).split(","));
    const times = spans.map(spanOf);
    if (code === undefined || times.includes(undefined)) return text;
    rules.push(`${code} ${times.join(",")}`);
  }
  return rules.join("; ");
}

const span =
  /^(\d{1,2})(?::(\d\d))?\s*([ap])?\.?m?\.?\s*(?:[-\u2013\u2014]|to)\s*(\d{1,2})(?::(\d\d))?\s*([ap])?\.?m?\.?$/i;

function spanOf(written: string): string | undefined {
  const text = written.replaceAll(/[\u00a0\u2009\u202f]/g, " ").trim();
  if (/^open 24 hours$/i.test(text)) return "00:00-24:00";
  if (/^closed$/i.test(text)) return "off";
  const found = span.exec(text);
  if (!found) return undefined;
  const [, fromHour, fromMinute, fromHalf, toHour, toMinute, toHalf] = found;
  // `1:30-6 PM` is an afternoon; `11-2 PM` begins before it.
  const isSameHalf = fromHalf === undefined && Number(fromHour) % 12 < Number(toHour) % 12;
  const opens = timeOf(fromHour, fromMinute, fromHalf ?? (isSameHalf ? toHalf : otherHalf(toHalf)));
  const closes = timeOf(toHour, toMinute, toHalf);
  return opens === undefined || closes === undefined ? undefined : `${opens}-${closes}`;
}

function otherHalf(half: string | undefined): string | undefined {
  return half === undefined ? undefined : /p/i.test(half) ? "a" : "p";
}

function timeOf(hour = "", minute = "00", half?: string): string | undefined {
  const hours = half === undefined ? Number(hour) : (Number(hour) % 12) + (/p/i.test(half) ? 12 : 0);
  if (hours > 24 || (half !== undefined && Number(hour) > 12)) return undefined;
  return `${String(hours).padStart(2, "0")}:${minute}`;
}
