import { isPoint } from "../reader.ts";

const number = "[+-]?(?:\\d{1,12}(?:[.,]\\d{0,30})?|[.,]\\d{1,30})(?:e[+-]?\\d{1,2})?";
const decimal = new RegExp(`^${number}$`, "i");
/** 47°8'24", 47° 8.4' or 47.14°, without a sign where a letter tells the hemisphere. */
const sexagesimal =
  /^([+-]?)(\d{1,3}(?:[.,]\d{1,30})?) ?[°º](?: ?(\d{1,2}(?:[.,]\d{1,30})?) ?['′’´])?(?: ?(\d{1,2}(?:[.,]\d{1,30})?) ?(?:["″”]|''))?$/;

type Axis = "latitude" | "longitude";
const hemispheres: Readonly<Record<Axis, RegExp>> = {
  latitude: /^([NS]) ?|(?<=[\d°'"′″’”´.]) ?([NS])$/i,
  longitude: /^([EW]) ?|(?<=[\d°'"′″’”´.]) ?([EW])$/i,
};

/** Degrees as tables have them: `47.14`, `47,14`, `47.14° N`, `47°8'24"N`; NaN for anything else. */
export function degreesOf(text: string | undefined, axis: Axis): number {
  const written = (text ?? "").trim().replace(/^[\u2212\u2013]/, "-");
  if (written.length > charactersMax) return Number.NaN;
  if (decimal.test(written)) return numberOf(written); // as most tables have them
  const [found = "", before, behind] = hemispheres[axis].exec(written) ?? [];
  const hemisphere = (before ?? behind)?.toUpperCase();
  const rest = written.replace(found, "").trim();
  if (hemisphere !== undefined && /^[+-]/.test(rest)) return Number.NaN;
  const degrees = decimal.test(rest) ? numberOf(rest) : sexagesimalDegrees(rest);
  return hemisphere === "S" || hemisphere === "W" ? -degrees : degrees;
}

const charactersMax = 60;

function sexagesimalDegrees(text: string): number {
  const [, sign, degrees, minutes = "0", seconds = "0"] = sexagesimal.exec(text) ?? [];
  if (degrees === undefined || numberOf(minutes) >= 60 || numberOf(seconds) >= 60) return Number.NaN;
  const value = numberOf(degrees) + numberOf(minutes) / 60 + numberOf(seconds) / 3600;
  return sign === "-" ? -value : value;
}

function numberOf(text: string): number {
  return Number(text.replace(",", "."));
}

const wellKnownText = new RegExp(
  `^(?:SRID=4326; ?)?(?:<[^<>]{0,100}> ?)?POINT ?(?:Z|M|ZM)? ?\\( ?(${number}) (${number})(?: ${number}){0,2} ?\\)$`,
  "i",
);
const pairs = [
  /^([^,]*),([^,]*)$/, // 47.14, 9.52
  /^([^;|/]*)[;|/]([^;|/]*)$/, // 47,14; 9,52
  /^(\S+) (\S+)$/, // 47,14 9,52
  /^(\d+,\d+),([+-]?\d+,\d+)$/, // 47,14,9,52
];

/** One cell with both: the latitude first, or a point in well-known text, which has the longitude first. */
export function readPoint(text: string): [latitude: number, longitude: number] | undefined {
  const written = text.trim().replaceAll(/\s+/g, " ");
  if (written.length > pointCharactersMax) return undefined;
  const [, x, y] = wellKnownText.exec(written) ?? [];
  if (x !== undefined && y !== undefined) return pointOf(numberOf(y), numberOf(x));
  const inside = /^[([{](.*)[)\]}]$/.exec(written)?.[1] ?? written;
  for (const pair of pairs) {
    const [, first, second] = pair.exec(inside) ?? [];
    const point = pointOf(degreesOf(first, "latitude"), degreesOf(second, "longitude"));
    if (point) return point;
  }
  return undefined;
}

const pointCharactersMax = 200;

function pointOf(latitude: number, longitude: number): [number, number] | undefined {
  return isPoint(latitude, longitude) ? [latitude, longitude] : undefined;
}
