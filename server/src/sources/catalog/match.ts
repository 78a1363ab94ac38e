import type { Queryable } from "../../platform/postgres/database.ts";
import { sql } from "../../platform/postgres/sql.ts";
import type { Place } from "../../places/place.ts";
import { boxesAround, middleOf } from "../../geography/points.ts";
import { cellOf } from "../../geography/cells.ts";
import { isShown } from "../../data-sets/current.ts";
import { contactsOf, type Described, distanceMaxM, pairUp } from "../../places/merge/pair.ts";
import { phraseOf, wordsOf } from "../../text/words.ts";
import { categoriesInAnyLanguage } from "../../languages/index.ts";

/**
 * Finds which listings of another source the catalog has too, by distance, name, telephone and
 * website, as an import does between two data sets. Answers for each listing the place ids that the
 * catalog knows the business by, and none where it does not.
 */
export function createCatalogMatch({ db }: { db: Queryable }) {
  return async (listings: readonly Place[]): Promise<readonly (readonly string[])[]> => {
    const described = listings.flatMap((listing, number) => describe(listing, number) ?? []);
    const near = described.length === 0 ? [] : await readNear(db, described);
    const pairs = pairUp(near, described);
    const placeOf = new Map(near.map(({ number, place }) => [number, place]));
    const idsByPlace = await listIds(db, new Set([...pairs.values()].map((number) => placeOf.get(number) ?? number)));
    return listings.map((_, number) => {
      const paired = pairs.get(number);
      return paired === undefined ? [] : (idsByPlace.get(placeOf.get(paired) ?? paired) ?? []);
    });
  };
}

function describe(listing: Place, number: number): Described | undefined {
  const { name, location, phones, website, placeId, categories: labels } = listing;
  if (name === null || location === null) return undefined;
  const contacts = contactsOf({ phones, website });
  const categories = labels.flatMap((label) => categoriesInAnyLanguage(phraseOf(label)) ?? []);
  return { number, sourceId: placeId ?? "", ...location, nameWords: wordsOf(name), categories, contacts };
}

/** More than stand around twenty places anywhere. */
const recordsMax = 20_000;

type Near = Described & { place: number };

/** Records so near to one of the listings that they may be the same business. */
async function readNear(db: Queryable, described: readonly Described[]): Promise<Near[]> {
  const boxes = described.flatMap((each) => boxesAround(each, distanceMaxM));
  const searched = boxes.flatMap(([south, west, north, east]) => {
    const corners = [south, north].flatMap((latitude) => [west, east].map((longitude) => ({ latitude, longitude })));
    // Far north a cell is narrower than the box: one more may lie between the corners.
    const points = [...corners, middleOf([south, west, north, east])];
    return [...new Set(points.map(cellOf))].map((cell) => ({ cell, south, west, north, east }));
  });
  const { rows } = await db.query<Omit<Near, "nameWords"> & { nameWords: string }>(sql`
    select distinct on (r.number)
      r.number, r.source_id as "sourceId", r.latitude, r.longitude, r.name_words as "nameWords", r.categories,
      r.contacts, r.place
    from unnest(
      ${searched.map(({ cell }) => cell)}::integer[],
      ${searched.map(({ south }) => south)}::float8[],
      ${searched.map(({ west }) => west)}::float8[],
      ${searched.map(({ north }) => north)}::float8[],
      ${searched.map(({ east }) => east)}::float8[]
    ) as s (cell, south, west, north, east)
    join catalog_records r
      on r.cell = s.cell
      and r.latitude between s.south and s.north
      and r.longitude between s.west and s.east
    where r.closed_at is null
      and not r.superseded
      and ${isShown}
    order by r.number
    limit ${recordsMax}
  `);
  return rows.map(({ nameWords, ...row }) => ({
    ...row,
    nameWords: nameWords.split(" ").filter((word) => word !== ""),
  }));
}

/** Every id of these businesses, by the number of the record that leads it. */
async function listIds(db: Queryable, places: ReadonlySet<number>): Promise<Map<number, string[]>> {
  if (places.size === 0) return new Map();
  const { rows } = await db.query<{ place: number; ids: string[] }>(sql`
    select place, array_agg(source_id order by number <> place, source_id) as ids
    from catalog_records
    where place = any(${[...places]}::integer[])
      and closed_at is null
      and not superseded
      and ${isShown}
    group by place
  `);
  return new Map(rows.map(({ place, ids }) => [place, ids]));
}
