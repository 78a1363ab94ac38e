import { hash } from "node:crypto";
import { otherIds, type Place } from "../../places/place.ts";

/**
 * The names a listing is recognized by, strongest first. Place ids carry their data set's prefix
 * where they are not of the web map itself (`osm:n1`, `overture:…`), so that two sources that read
 * one data set meet, and two data sets do not. A listing put together from two is known by both, so
 * that its business stays the same whichever of them is there alone.
 */
export function identityKeys(source: string, place: Place): string[] {
  const { placeId, dataId, cid } = place;
  const keys = [
    ...(placeId === null ? [] : [`place:${placeId}`]),
    ...(place[otherIds] ?? []).map((id) => `place:${id}`),
    ...(dataId === null ? [] : [`data:${dataId}`]),
    ...(cid === null ? [] : [`cid:${cid}`]),
  ];
  // The one character that PostgreSQL keeps in no text.
  if (keys.length > 0) return keys.map((key) => key.replaceAll("\u0000", ""));

  // Nothing that the source calls it by: what it is and where it stands must do.
  const { name, address, location } = place;
  return [`${source}:${hash("sha256", JSON.stringify([name, address.formatted, location]), "base64url")}`];
}

/** The numbers to lock before these keys are written, in the one order that everybody takes them in. */
export function lockNumbers(keys: readonly string[]): number[] {
  const numbers = keys.map((key) => hash("sha256", key, "buffer").readInt32BE());
  return [...new Set(numbers)].sort((left, right) => left - right);
}
