import { bufferOf } from "../search/block.ts";
import { toBlockPlaces } from "../search/block-places.ts";
import { type PlaceSigns, signPlaces } from "../search/dictionary/collect-words.ts";
import { packBlock } from "../search/pack-block.ts";
import { type SearchedColumns, takeRecords } from "./searched-columns.ts";

/** A block as it is stored, and what the dictionary says of its places; every array has a buffer of its own. */
export type LeafBlock = PlaceSigns & {
  bytes: Uint8Array<ArrayBuffer>;
  places: number;
  countries: string[];
  bounds: [south: number, west: number, north: number, east: number];
};

/** Packs the places that these records tell of. Takes the columns. */
export function packLeaf(found: readonly SearchedColumns[]): LeafBlock {
  const places = toBlockPlaces(found.flatMap(takeRecords));
  const bounds: LeafBlock["bounds"] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { latitude, longitude } of places) {
    bounds[0] = Math.min(bounds[0], Math.floor(latitude * 1e7));
    bounds[1] = Math.min(bounds[1], Math.floor(longitude * 1e7));
    bounds[2] = Math.max(bounds[2], Math.ceil(latitude * 1e7));
    bounds[3] = Math.max(bounds[3], Math.ceil(longitude * 1e7));
  }
  const block = packBlock(places);
  return {
    ...signPlaces(block),
    bytes: new Uint8Array(bufferOf(block.bytes)),
    places: places.length,
    countries: [...new Set(places.map(({ countryCode }) => countryCode))].sort(),
    bounds,
  };
}
