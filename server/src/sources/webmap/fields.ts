import {
  at,
  count,
  isNoList,
  link,
  listOf,
  number,
  type Path,
  phone,
  price,
  type Read,
  shaped,
  site,
  stars,
  starsInText,
  text,
  timeZone,
} from "./values.ts";

/** Where a field is, best place first, and how its value is read. */
type Field<Value> = { paths: readonly Path[]; read: Read<Value> };

/** `missing`: no place holds anything. `unreadable`: something is there, and it is not what it should be. */
export type FieldResult<Value> =
  | { value: Value; place: number }
  | { value: undefined; place: "missing" | "unreadable" };

export const dataIdPattern = /^0x[0-9a-f]{1,16}:0x[0-9a-f]{1,16}$/i;

/**
 * The one table of positions in a business record. Positions move: a field that moves gets its new
 * path here, before the old one, and the drift counters say when that is due.
 */
export function fieldsFor(base: string) {
  const uri = link(base);
  return {
    name: field(text(1000), [11]),
    dataId: field(shaped(dataIdPattern), [10], [227, 0, 0]),
    placeId: field(shaped(/^[\w-]{10,}$/), [78], [227, 0, 4]),
    kgmid: field(shaped(/^\/[a-z]+\/[\w-]+$/), [89], [227, 0, 3]),
    categories: field(listOf(text(512), 100), [13]),
    formatted: field(text(2000), [39]),
    formattedWithName: field(text(4000), [18]),
    street: field(text(1000), [183, 1, 1], [183, 1, 2]),
    city: field(text(512), [183, 1, 3]),
    postalCode: field(text(64), [183, 1, 4]),
    region: field(text(512), [183, 1, 5]),
    countryCode: field(shaped(/^[A-Z]{2}$/), [183, 1, 6], [243]),
    addressLines: field(listOf(text(512), 20), [2]),
    latitude: field(number(-90, 90), [9, 2]),
    longitude: field(number(-180, 180), [9, 3]),
    plusCode: field(shaped(/^[23456789CFGHJMPQRVWX]{8}\+[23456789CFGHJMPQRVWX]{2,7}$/), [183, 2, 1, 0]),
    timeZone: field(timeZone, [30]),
    phone: field(phone, [178, 0, 0], [178, 0, 3]),
    website: field(site(base), [7, 0]),
    domain: field(shaped(/^[^\s/@]+\.[^\s/@]+$/, 253), [7, 1]),
    rating: field(stars, [4, 7]),
    reviewCount: field(count, [4, 8]),
    reviewUrl: field(uri, [4, 3, 0]),
    priceRange: field(price, [4, 2]),
    highlight: field(text(10_000), [88, 0]),
    description: field(text(10_000), [32, 1, 1], [32, 0, 1]),
    hotelClass: field(stars, [64, 0]),
    hotelClassText: field(starsInText, [35, 6]),
    ownerId: field(shaped(/^\d{5,40}$/), [57, 2], [181, 6], [227, 0, 6]),
    ownerName: field(text(1000), [57, 1]),
    claimLink: field(uri, [49, 0]),
    featuredImageUrl: field(uri, [72, 0, 1, 6, 0], [72, 0, 0, 6, 0]),
  };
}

export type Fields = ReturnType<typeof fieldsFor>;
export type FieldName = keyof Fields;

export function findField<Value>(record: unknown, { paths, read }: Field<Value>): FieldResult<Value> {
  let isThere = false;
  for (const [place, path] of paths.entries()) {
    const raw = at(record, path);
    if (raw === undefined || raw === null || raw === "") {
      isThere ||= raw === undefined && isNoList(record, path);
      continue;
    }
    const value = read(raw);
    if (value !== undefined) return { value, place };
    isThere = true;
  }
  return { value: undefined, place: isThere ? "unreadable" : "missing" };
}

function field<Value>(read: Read<Value>, ...paths: Path[]): Field<Value> {
  return { paths, read };
}
