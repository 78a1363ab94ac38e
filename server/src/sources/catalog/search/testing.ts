import type { TestContext } from "node:test";
import { sql } from "../../../platform/postgres/sql.ts";
import { givenCatalog, place } from "../testing.ts";
import { createBlockCache, type Kept } from "./block-cache.ts";
import { createBlockIndex } from "./block-index.ts";
import { searchedColumns, type SearchedRecord, toBlockPlaces } from "./block-places.ts";
import { createByteCache } from "./byte-cache.ts";
import { createDictionary, type KeptPostings } from "./dictionary/lookup.ts";
import { createVocabulary } from "./dictionary/vocabulary.ts";
import { readDirectory } from "./store.ts";

const words = ["adler", "krone", "linde", "rossli", "hirschen", "sternen", "quellenhof", "brunnen", "adlerhorst"];
const kinds = ["amenity/restaurant", "amenity/cafe", "tourism/hotel", "shop/bakery"];
/** Two spots with more places than a block may hold: what lies around them is divided into many blocks. */
const spots = [
  { latitude: 46.53, longitude: 8.45 },
  { latitude: 46.55, longitude: 8.52 },
];
const crowd = 4;

function* items() {
  for (let index = 0; index < 2_115; index += 1) {
    const at = (step: number) => words[(index * step + (index >> 3)) % words.length] ?? "";
    yield place({
      sourceId: `osm:w${index}`,
      name: `${at(1)} ${index % 3 === 0 ? at(5) : ""} ${index % 5 === 0 ? index : ""}`.trim(),
      categories: [kinds[(index * 7) % kinds.length] ?? ""],
      latitude: 46 + (index % 20) / 10,
      longitude: 8 + (index % 37) / 5,
    });
    for (let one = 0; one < crowd; one += 1) {
      const name = `Filler ${index % 40} ${index % 50 === 0 ? at(2) : ""}`.trim();
      yield place({ sourceId: `osm:n${index}-${one}`, name, ...spots[one % spots.length] });
    }
  }
}

/** A catalog as the index of blocks. A search looks its words up wherever there is no room for another block. */
export async function givenBlockIndex(t: TestContext, hasRoom: () => boolean) {
  const { db, load } = await givenCatalog(t);
  await load(items());
  const { rows } = await db.query<SearchedRecord>(sql`
      select ${searchedColumns}
      from catalog_records
      order by number
    `);
  const kept = createByteCache<Kept & KeptPostings>(() => 10_000_000);
  const vocabulary = createVocabulary({ db, bytesMax: 1_000_000 });
  const dictionary = createDictionary({ db, kept, vocabulary });
  const cache = { ...createBlockCache({ db, kept }), countMissing: () => 1 };
  const directory = await readDirectory(db);
  const limits = { blocksPerSearchMax: 1_024, narrowFrom: Infinity, hasRoom, mayRead: () => true };
  const index = createBlockIndex({ db, directory, cache, dictionary, ...limits });
  return { index, places: toBlockPlaces(rows) };
}
