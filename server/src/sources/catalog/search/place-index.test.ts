import type { TestContext } from "node:test";
import { sql } from "../../../platform/postgres/sql.ts";
import { givenCatalog, place } from "../testing.ts";
import { createBlockCache, type Kept } from "./block-cache.ts";
import { createBlockIndex } from "./block-index.ts";
import { searchedColumns, type SearchedRecord, toBlockPlaces } from "./block-places.ts";
import { createByteCache } from "./byte-cache.ts";
import { createDictionary, type KeptPostings } from "./dictionary/lookup.ts";
import { createVocabulary } from "./dictionary/vocabulary.ts";
import { placeIndexConformance } from "./place-index-conformance.ts";
import { readDirectory } from "./store.ts";

const words = ["adler", "krone", "linde", "rossli", "hirschen", "sternen", "quellenhof", "brunnen", "adlerhorst"];
const kinds = ["amenity/restaurant", "amenity/cafe", "tourism/hotel", "shop/bakery"];
/** So many in one spot that the others are blocks of their own. */
const crowd = 7_000;

function* items() {
  for (let index = 0; index < crowd; index += 1) {
    yield place({ sourceId: `osm:n${index}`, name: `Filler ${index % 40}`, latitude: 52.5, longitude: 13.4 });
  }
  for (let index = 0; index < 2_000; index += 1) {
    const at = (step: number) => words[(index * step + (index >> 3)) % words.length] ?? "";
    yield place({
      sourceId: `osm:w${index}`,
      name: `${at(1)} ${index % 3 === 0 ? at(5) : ""} ${index % 5 === 0 ? index : ""}`.trim(),
      categories: [kinds[(index * 7) % kinds.length] ?? ""],
      latitude: 46 + (index % 20) / 10,
      longitude: 8 + (index % 37) / 5,
    });
  }
}

function opened(narrowFrom: number) {
  return async (t: TestContext) => {
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
    const cache = createBlockCache({ db, kept });
    const directory = await readDirectory(db);
    const index = createBlockIndex({ db, directory, cache, dictionary, blocksPerSearchMax: 1_024, narrowFrom });
    return { index, places: toBlockPlaces(rows) };
  };
}

placeIndexConformance("the index of blocks", opened(Infinity));
placeIndexConformance("the index of blocks with its dictionary", opened(0));
