import { joinStreet } from "../address.ts";
import { countryOf } from "../../geography/country.ts";
import type { PlaceRecord } from "../record.ts";
import type { Tags } from "./element.ts";

/** What the tags and the point say of where a place lies. */
export function addressOf(tags: Tags, latitude: number, longitude: number): PlaceRecord["address"] {
  const countryCode = countryOf(partOf(tags, keys.country), latitude, longitude);
  const houseNumber = partOf(tags, keys.housenumber);
  const hamlet = partOf(tags, keys.hamlet);
  const city = partOf(tags, keys.city) ?? null;
  const suburb = suburbOf(tags, countryCode ?? "");
  const road = partOf(tags, keys.street) ?? partOf(tags, keys.place) ?? (houseNumber && hamlet);
  return {
    street:
      joinStreet(road ?? null, houseNumber ?? null, countryCode) ??
      blockAddress(tags, houseNumber, countryCode) ??
      partOf(tags, keys.full) ??
      null,
    city: city ?? (road === hamlet ? null : (hamlet ?? null)),
    region: partOf(tags, keys.state) ?? null,
    postalCode: partOf(tags, keys.postcode) ?? null,
    countryCode,
    ...(suburb === undefined || suburb === city ? {} : { suburb }),
  };
}

/** Where an address names the part of a town beside it: those that write from the widest part to the number, and others. */
const [widestFirst, narrowestFirst] = ["JP KR TW CN", "BR ID IN MX MY NZ PH TH VN ZA"].map(
  (codes) => new Set(codes.split(" ")),
);

function suburbOf(tags: Tags, countryCode: string): string | undefined {
  const isWidestFirst = widestFirst?.has(countryCode) === true;
  if (!isWidestFirst && narrowestFirst?.has(countryCode) !== true) return undefined;
  const named = [keys.suburb, keys.subdistrict, keys.district].map((each) => partOf(tags, each));
  const parts = [...new Set(named)].filter((part) => part !== undefined && part !== partOf(tags, keys.city));
  if (parts.length === 0) return undefined;
  return isWidestFirst ? parts.toReversed().join(" ") : parts.join(", ");
}

/** Where streets have no names, as in Japan, quarters are divided into blocks with numbers. */
function blockAddress(tags: Tags, houseNumber: string | undefined, countryCode: string | null): string | null {
  const quarters = [partOf(tags, keys.quarter), partOf(tags, keys.neighbourhood)].filter((part) => part !== undefined);
  const number = [partOf(tags, keys.block), houseNumber].filter((part) => part !== undefined).join("-");
  if (quarters.length === 0 || number === "") return null;
  // 烏丸三丁目12-3, from the widest part to the number and without blanks.
  const isUnspaced = quarters.every((quarter) => /\p{scx=Han}|\p{scx=Kana}/u.test(quarter));
  return isUnspaced ? quarters.join("") + number : joinStreet(quarters.join(" "), number, countryCode);
}

/** Under which keys each part is looked for, the best first. */
const keys = {
  country: keysOf("country"),
  street: keysOf("street"),
  place: keysOf("place"),
  hamlet: keysOf("hamlet"),
  housenumber: keysOf("housenumber"),
  quarter: ["addr:quarter"],
  neighbourhood: ["addr:neighbourhood"],
  block: ["addr:block_number"],
  suburb: ["addr:suburb"],
  subdistrict: ["addr:subdistrict"],
  district: ["addr:district"],
  full: ["addr:full"],
  city: keysOf("city", "town", "village"),
  state: keysOf("state", "province"),
  postcode: keysOf("postcode"),
} as const;

/** All under `addr:` before any under `contact:`, which some write instead. */
function keysOf(...parts: readonly string[]): readonly string[] {
  return ["addr", "contact"].flatMap((prefix) => parts.map((part) => `${prefix}:${part}`));
}

function partOf(tags: Tags, names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = tags[name]?.trim();
    if (value) return value;
  }
  return undefined;
}
