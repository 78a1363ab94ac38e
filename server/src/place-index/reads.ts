import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { TilePlaces } from "./port.ts";
import type { Range } from "./ranges.ts";
import { createHoursReader } from "./weeks.ts";

/** What a statement says of a place; lists only where they are needed. */
export type Row = [
  place: number,
  latitudeE7: number,
  longitudeE7: number,
  rank: number,
  country: string,
  nameWords: number,
  lists: Uint8Array | null,
  week: number | null,
  status: number,
  confidence: number,
];
export type Needs = { lists: boolean };

/** The caller has left, or the time is over. */
export class SearchEnded extends Error {}

/** A statement looks so often, in rows, whether its search is over. */
const rowsBetweenLooks = 256;

/**
 * Every statement of a search. `cross join` fixes the plan: the range of one list leads, and what is said of its places
 * is looked up. The first condition ends a search between two rows.
 */
export function createReads(db: DatabaseSync, isOver: () => boolean) {
  let rows = 0;
  db.function("go_on", { deterministic: false, directOnly: true }, () => {
    rows += 1;
    if (rows % rowsBetweenLooks === 0 && isOver()) throw new SearchEnded();
    return 1;
  });
  const prepared = new Map<string, StatementSync>();
  const weeks = db.prepare(texts.week);

  function run(text: string, ...values: number[]): Row[] {
    let statement = prepared.get(text);
    if (!statement) {
      prepared.set(text, (statement = db.prepare(text)));
      statement.setReturnArrays(true);
    }
    return statement.all(...values) as unknown as Row[]; // the columns that each text below selects
  }

  return {
    byList: (list: number, [first, last]: Range, needs: Needs) => run(texts.byList(needs), list, first, last),
    /** The same of those that are in one of these lists as well. */
    byLists: (list: number, [first, last]: Range, others: readonly number[], needs: Needs) =>
      run(texts.byLists(needs), list, first, last, ...padded(others)),
    byFacts: ([first, last]: Range, needs: Needs) => run(texts.byFacts(needs), first, last),
    byKey: (key: number, needs: Needs) => run(texts.byKey(needs), key),
    /** After a place of this lack of rank. */
    byQuality: (list: number, after: { lack: number; place: number }, limit: number, needs: Needs) =>
      run(texts.byQuality(needs), list, after.lack, after.place, limit),
    nextOfList: (list: number, [first, last]: Range, limit: number, needs: Needs) =>
      run(`${texts.byList(needs)} order by p.place limit ?`, list, first, last, limit),
    nextOfFacts: ([first, last]: Range, limit: number, needs: Needs) =>
      run(`${texts.byFacts(needs)} order by f.place limit ?`, first, last, limit),
    tiles: (list: number, [first, last]: Range, coarser: number): TilePlaces[] =>
      run(texts.tiles, coarser, list, first, last).map(([tile, places]) => [tile, places]),
    hoursOf: createHoursReader((week) => weeks.get(week)?.["hours"] as Uint8Array | undefined), // as weeks.ts wrote it
    hasKey: (key: number, place: number): boolean => run(texts.hasKey, key, place).length > 0,
    countTiles: (list: number, tiles: readonly number[]): number =>
      tiles.reduce((sum, tile) => sum + (run(texts.countTile, list, tile)[0]?.[0] ?? 0), 0),
  };
}

/** A list may be compared with so many others at once. */
export const otherListsMax = 8;

/** As many as the statement asks for: the same list once more changes nothing. */
function padded(lists: readonly number[]): number[] {
  return Array.from({ length: otherListsMax }, (_, at) => lists[at] ?? lists[0] ?? 0);
}

const factsWith = ({ lists }: Needs) => `f.latitude, f.longitude, f.rank, f.country, f.name_words,
    ${lists ? "l.lists" : "null"}, f.week, f.status, f.confidence`;
const factsOf = ({ lists }: Needs, from: string) => (lists ? `${from} cross join place_lists l` : from);
const sameAs = ({ lists }: Needs) => (lists ? " and l.place = f.place" : "");

export const texts = {
  byList: (needs: Needs) => `
    select p.place, ${factsWith(needs)}
    from ${factsOf(needs, "postings p cross join facts f")}
    where p.list = ? and p.place between ? and ? and go_on() and f.place = p.place${sameAs(needs)}`,
  byLists: (needs: Needs) => `
    select p.place, ${factsWith(needs)}
    from ${factsOf(needs, "postings p cross join postings q cross join facts f")}
    where p.list = ? and p.place between ? and ? and go_on() and q.list in (${Array.from({ length: otherListsMax }, () => "?").join(", ")})
      and q.place = p.place and f.place = p.place${sameAs(needs)}`,
  byFacts: (needs: Needs) => `
    select f.place, ${factsWith(needs)}
    from ${factsOf(needs, "facts f")}
    where f.place between ? and ? and go_on()${sameAs(needs)}`,
  byKey: (needs: Needs) => `
    select e.place, ${factsWith(needs)}
    from ${factsOf(needs, "exact e cross join facts f")}
    where e.key = ? and go_on() and f.place = e.place${sameAs(needs)}`,
  byQuality: (needs: Needs) => `
    select q.place, ${factsWith(needs)}
    from ${factsOf(needs, "by_quality q cross join facts f")}
    where q.list = ? and (q.lack, q.place) > (?, ?) and go_on() and f.place = q.place${sameAs(needs)}
    order by q.lack, q.place
    limit ?`,
  week: "select hours from weeks where week = ?",
  hasKey: "select place from exact where key = ? and place = ?",
  tiles: "select tile >> ?, sum(places) from density where list = ? and tile between ? and ? and go_on() group by 1",
  countTile: "select places from density where list = ? and tile = ?",
};
