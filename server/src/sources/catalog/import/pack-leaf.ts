import { type BlockPlace, bufferOf } from "../search/block.ts";
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
  const block = packBlock(places);
  return {
    ...signPlaces(block),
    bytes: new Uint8Array(bufferOf(block.bytes)),
    places: places.length,
    countries: [...new Set(places.map(({ countryCode }) => countryCode))].sort(),
    bounds: boundsOf(places),
  };
}

/** In ten-millionths of a degree. */
function boundsOf(places: readonly BlockPlace[]): LeafBlock["bounds"] {
  let [south, west, north, east] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { latitude, longitude } of places) {
    if (latitude < south) south = latitude;
    if (latitude > north) north = latitude;
    if (longitude < west) west = longitude;
    if (longitude > east) east = longitude;
  }
  return [Math.floor(south * 1e7), Math.floor(west * 1e7), Math.ceil(north * 1e7), Math.ceil(east * 1e7)];
}
