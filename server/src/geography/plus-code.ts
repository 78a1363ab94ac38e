import type { Point } from "./points.ts";

const digits = "23456789CFGHJMPQRVWX";
const pairsCount = 5;
/** The finest pair of a ten-digit code is an eight-thousandth of a degree. */
const unitsPerDegree = 8000;

/** The open location code of a point, ten digits: an area of about 14 meters. */
export function plusCodeOf(latitude: number, longitude: number): string {
  // The north pole and the antimeridian belong to the cell before them.
  let row = Math.min(Math.floor((latitude + 90) * unitsPerDegree + tolerance), 180 * unitsPerDegree - 1);
  let column = Math.floor((longitude + 180) * unitsPerDegree + tolerance) % (360 * unitsPerDegree);
  let code = "";
  for (let pair = 0; pair < pairsCount; pair += 1) {
    code = digits.charAt(row % 20) + digits.charAt(column % 20) + code;
    row = Math.floor(row / 20);
    column = Math.floor(column / 20);
  }
  return `${code.slice(0, 8)}+${code.slice(8)}`;
}

/** Keeps 0.1 + 0.2 from falling into the cell of 0.3's lower neighbor. */
const tolerance = 1e-6;

const full = /^([23456789CFGHJMPQRVWX]{8})\+([23456789CFGHJMPQRVWX]{2})/i;

/** The middle of a full code's cell; digits beyond the tenth are finer than anything here. */
export function pointOfPlusCode(code: string): Point | undefined {
  const [, area = "", rest = ""] = full.exec(code) ?? [];
  const written = Array.from((area + rest).toUpperCase(), (digit) => digits.indexOf(digit));
  if (written.length === 0) return undefined;
  let [row, column] = [0, 0];
  for (let at = 0; at < written.length; at += 2) {
    row = row * 20 + (written[at] ?? 0);
    column = column * 20 + (written[at + 1] ?? 0);
  }
  const latitude = (row + 0.5) / unitsPerDegree - 90;
  const longitude = (column + 0.5) / unitsPerDegree - 180;
  return latitude <= 90 && longitude <= 180 ? { latitude, longitude } : undefined;
}

/** The point of a code without its first two or four digits that is nearest to another point. */
export function nearestOfPlusCode(code: string, near: Point): Point | undefined {
  const missing = 8 - code.indexOf("+");
  const found = pointOfPlusCode(plusCodeOf(near.latitude, near.longitude).slice(0, missing) + code);
  if (!found) return undefined;
  const cell = 20 ** (2 - missing / 2);
  const nearer = (value: number, to: number) => value - Math.round((value - to) / cell) * cell;
  const latitude = nearer(found.latitude, near.latitude);
  return {
    latitude: Math.abs(latitude) > 90 ? found.latitude : latitude,
    longitude: ((nearer(found.longitude, near.longitude) + 540) % 360) - 180,
  };
}
