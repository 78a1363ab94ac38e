import type { BulkConnection } from "../../platform/postgres/bulk.ts";
import { sql } from "../../platform/postgres/sql.ts";
import { runInOrder } from "../2-read/index.ts";
import { cellsWithRing, rangesOfTiles, tileOf, tilesBeside, tilesNear } from "../../geography/cells.ts";
import { changeRecords } from "../next-generation/change-records.ts";
import { hasEarlierRecords, type Next } from "../next-generation/generation.ts";
import { batchesOf, crowdsIn, type Square, squaresOf } from "./squares.ts";
import { type Described, likenessWithin, pairUp } from "../../places/merge/pair.ts";

/** A tile is 8 by 8 cells: what is compared at once, unless it holds too many. */
const tileShift = 6;
const cellsPerTile = 2 ** tileShift;

/**
 * More are compared a part of the tile at a time. So many in one cell are a crowd: no businesses that stand there, but
 * what somebody could not place.
 */
const recordsMax = 150_000;

/** Those that are compared, and the next. */
const batchesAtOnce = 2;

/**
 * Whose record it is: businesses are one across publishers, and no publisher has one twice. Each table has its own; all
 * extracts of OpenStreetMap have one.
 */
const publisher = sql`case dataset_kind when 'csv' then 'csv ' || data_set_id else dataset_kind end`;

/**
 * Decides again, around every changed cell, which records are one business: those of different publishers that
 * are alike, and a node and a building of OpenStreetMap. The record that was there first leads, so that a
 * place keeps its id when a partner appears. A cell is wider than twice the distance two such records may
 * be apart, so one ring of cells around a square of them holds everything the decision depends on. Records in
 * an over-full cell are never merged; existing merges there are undone. Resolves to the cells of the businesses that it
 * changes.
 */
export async function mergeKinds(
  db: BulkConnection,
  next: Next,
  changedCells: Iterable<number>,
  comparedMax = recordsMax,
): Promise<number[]> {
  const isFirst = !(await hasEarlierRecords(db, next));
  const everything = isFirst ? await readAllContents(db) : undefined;
  if (everything && !isPairable([...everything.keys()], everything)) return [];
  const tiles = new Set<number>();
  for (const cell of changedCells) for (const tile of tilesNear(cell, tileShift)) tiles.add(tile);
  const around = new Set([...tiles].flatMap((tile) => tilesBeside(tile, tileShift)));
  const contents = everything ?? (await readContents(db, around));
  const pairable = [...tiles].flatMap((tile) => {
    const found = contents.get(tile);
    return found && isPairable(tilesBeside(tile, tileShift), contents) ? [found] : [];
  });
  const full = [...contents.values()].flatMap(({ tile, records }) => (records > comparedMax ? [tile] : []));
  const counts = await countRecords(db, full);
  const squares = pairable.flatMap(({ tile, records }) => {
    const whole = { first: tile * cellsPerTile, last: (tile + 1) * cellsPerTile - 1, records };
    return records > comparedMax ? squaresOf(whole, counts, comparedMax) : [whole];
  });
  return mergeSquares(db, next, batchesOf(squares), { tiles: contents, crowds: crowdsIn(counts, comparedMax) });
}

/** What a tile holds; one without records has none. */
type Contents = {
  tile: number;
  records: number;
  firstPublisher: string;
  lastPublisher: string;
  hasBuilding: boolean;
  hasMerged: boolean;
};

/** Whether a record in these tiles may find a partner, or has one: elsewhere there is nothing to decide. */
function isPairable(tiles: readonly number[], contents: ReadonlyMap<number, Contents>): boolean {
  const found = tiles.flatMap((tile) => contents.get(tile) ?? []);
  const publishers = new Set(found.flatMap(({ firstPublisher, lastPublisher }) => [firstPublisher, lastPublisher]));
  return publishers.size > 1 || found.some(({ hasBuilding, hasMerged }) => hasBuilding || hasMerged);
}

const contentsColumns = (shift: number) => sql`
  cell >> ${shift}::integer as tile, count(*) as records,
  min(${publisher}) as "firstPublisher", max(${publisher}) as "lastPublisher",
  bool_or(source_id like 'osm:w%' or source_id like 'osm:r%') as "hasBuilding",
  bool_or(place <> number) as "hasMerged"
`;

/** Of a catalog that this import fills: reading it once is cheaper than tile by tile. */
async function readAllContents(db: BulkConnection): Promise<Map<number, Contents>> {
  const { rows } = await db.query<Contents>(sql`
    select ${contentsColumns(tileShift)}
    from catalog_next_records
    where closed_at is null and not superseded
    group by 1
  `);
  return new Map(rows.map((row) => [row.tile, row]));
}

/** How many records each cell of these tiles holds, in the order of the cells. */
async function countRecords(db: BulkConnection, tiles: readonly number[]): Promise<[cell: number, records: number][]> {
  if (tiles.length === 0) return [];
  const contents = await readContents(db, tiles, 0);
  return [...contents].map(([cell, { records }]): [number, number] => [cell, records]).sort(([a], [b]) => a - b);
}

/**
 * What the tiles hold, or the squares of another size in them. Each range is a subquery of its own, because the planner
 * would answer a join on `between` by reading everything.
 */
async function readContents(
  db: BulkConnection,
  tiles: Iterable<number>,
  shift = tileShift,
): Promise<Map<number, Contents>> {
  const ranges = rangesOfTiles(tiles, tileShift);
  const { rows } = await db.query<Contents>(sql`
    select c.tile, c.records, c."firstPublisher", c."lastPublisher", c."hasBuilding", c."hasMerged"
    from unnest(
      ${ranges.map(([firstCell]) => firstCell)}::integer[],
      ${ranges.map(([, lastCell]) => lastCell)}::integer[]
    ) as t (first_cell, last_cell)
    cross join lateral (
      select ${contentsColumns(shift)}
      from catalog_next_records
      where cell between t.first_cell and t.last_cell
        and closed_at is null
        and not superseded
      group by 1
    ) c
  `);
  return new Map(rows.map((row) => [row.tile, row]));
}

/** Where there are records, and the cells with too many. */
type Known = { tiles: ReadonlyMap<number, Contents>; crowds: readonly number[] };

/**
 * While some squares are compared, the database writes what those before have changed and reads the next. That one is read
 * before the other is written changes nothing: a record is moved with its own square alone.
 */
async function mergeSquares(
  db: BulkConnection,
  next: Next,
  batches: Iterable<readonly Square[]>,
  known: Known,
): Promise<number[]> {
  const cells = new Set<number>();
  const run = async (squares: readonly Square[]) => ({
    findings: undefined,
    output: await readNearby(db, squares, known),
  });
  const hasCopies = await mayHaveCopies(db);
  let writing = Promise.resolve();
  try {
    for await (const { output: nearby } of runInOrder(batches, { run, tasksMax: batchesAtOnce })) {
      const groups = new Map([...nearby].map(([square, records]) => [square, groupsOf(records)]));
      const firstNumbers = hasCopies ? await readFirstNumbers(db, [...groups.values()].flat(2)) : none;
      const moved = [...nearby].flatMap(([square, records]) =>
        movedWithin(square, records, leadsOf(groups.get(square) ?? [], firstNumbers)),
      );
      await writing;
      if (moved.length === 0) continue;
      writing = movePlaces(db, next, moved);
      writing.catch(() => undefined); // awaited in its turn
      for (const each of moved) for (const cell of each.cells) cells.add(cell);
    }
  } finally {
    await writing;
  }
  return [...cells];
}

async function movePlaces(db: BulkConnection, next: Next, moved: readonly { number: number; lead: number }[]) {
  const numbers = moved.map(({ number }) => number);
  await changeRecords(db, next, {
    numbers,
    values: sql`unnest(${numbers}::integer[], ${moved.map(({ lead }) => lead)}::integer[]) as m (number, place)`,
    set: sql`place = m.place`,
  });
}

/** The records of a square that another leads than before, with the cells of all three. */
function movedWithin(square: Square, records: readonly PublishedRecord[], leads: ReadonlyMap<number, number>) {
  const cellOf = new Map(records.map(({ number, cell }) => [number, cell]));
  return records.flatMap(({ cell, number, place }) => {
    const lead = leads.get(number) ?? number;
    if (cell < square.first || cell > square.last || place === lead) return [];
    return [{ number, lead, cells: [cell, cellOf.get(place) ?? cell, cellOf.get(lead) ?? cell] }];
  });
}

/** The records in each square and the ring of cells around it. Nobody looks into cells of tiles that hold none. */
async function readNearby(
  db: BulkConnection,
  squares: readonly Square[],
  { tiles, crowds }: Known,
): Promise<Map<Square, PublishedRecord[]>> {
  const squaresAt = new Map<number, Square[]>();
  for (const square of squares) {
    for (const cell of cellsWithRing(square)) {
      if (!tiles.has(tileOf(cell, tileShift))) continue;
      const known = squaresAt.get(cell);
      if (known) known.push(square);
      else squaresAt.set(cell, [square]);
    }
  }
  const nearby = new Map<Square, PublishedRecord[]>(squares.map((square) => [square, []]));
  for (const record of await readDescribed(db, squaresAt.keys(), crowds)) {
    for (const square of squaresAt.get(record.cell) ?? []) nearby.get(square)?.push(record);
  }
  return nearby;
}

const none: ReadonlyMap<string, number> = new Map();

/** The number of the leading record of each in a group: the one that came first, in whatever data set. */
function leadsOf(
  groups: readonly (readonly PublishedRecord[])[],
  firstNumbers: ReadonlyMap<string, number>,
): Map<number, number> {
  const firstOf = ({ sourceId, number }: PublishedRecord) => firstNumbers.get(sourceId) ?? number;
  return new Map(
    groups.flatMap((group) => {
      const lead = group.reduce((best, record) => (firstOf(record) < firstOf(best) ? record : best));
      return group.map(({ number }) => [number, lead.number] as const);
    }),
  );
}

/** Two kinds and a second data set of one of them, which may tell of the same objects. */
async function mayHaveCopies(db: BulkConnection): Promise<boolean> {
  const { rows } = await db.query<{ dataSets: number }>(sql`select count(*) as "dataSets" from catalog_data_sets`);
  return (rows[0]?.dataSets ?? 0) > 2;
}

/** The lowest number of each source id: a record that another data set supersedes came before it. */
async function readFirstNumbers(db: BulkConnection, records: readonly PublishedRecord[]): Promise<Map<string, number>> {
  if (records.length === 0) return new Map();
  const { rows } = await db.query<{ sourceId: string; number: number }>(sql`
    select source_id as "sourceId", min(number) as number
    from catalog_next_records
    where source_id = any(${records.map(({ sourceId }) => sourceId)}::text[]) and closed_at is null
    group by source_id
  `);
  return new Map(rows.map(({ sourceId, number }) => [sourceId, number]));
}

/** The records that are one business each, where it has several. A group has one publisher's record once. */
function groupsOf(records: readonly PublishedRecord[]): PublishedRecord[][] {
  const isNode = ({ sourceId }: PublishedRecord) => sourceId.startsWith("osm:n");
  const byPublisher = Map.groupBy(records, (record) => record.publisher);
  const ours = byPublisher.get("osm") ?? [];
  const buildings = pairUp(
    ours.filter((record) => !isNode(record)),
    ours.filter(isNode),
    likenessWithin,
  );
  const publishers = [...byPublisher]
    .map(([, all]) => all.filter(({ number }) => !buildings.has(number)))
    .sort(([a], [b]) => ((a?.publisher ?? "") < (b?.publisher ?? "") ? 1 : -1));
  const pairs = publishers.flatMap((others, index) =>
    publishers.slice(index + 1).flatMap((leads) => [...pairUp(leads, others)]),
  );
  const byNumber = new Map(records.map((record) => [record.number, record]));
  const groups = new Map<number, PublishedRecord[]>();
  for (const [numbers, isWithin] of [
    [buildings, true],
    [pairs, false],
  ] as const) {
    for (const pair of numbers)
      joinGroups(
        groups,
        pair.map((number) => byNumber.get(number)),
        isWithin,
      );
  }
  return [...new Set(groups.values())];
}

/** Makes one group of the two that these records are in, unless it had two records of one publisher. */
function joinGroups(
  groups: Map<number, PublishedRecord[]>,
  [one, other]: readonly (PublishedRecord | undefined)[],
  isWithin: boolean,
) {
  if (!one || !other) return;
  const [group, added] = [groups.get(other.number) ?? [other], groups.get(one.number) ?? [one]];
  const publishers = new Set(group.map(({ publisher: of }) => of));
  if (group === added || (!isWithin && added.some(({ publisher: of }) => publishers.has(of)))) return;
  group.push(...added);
  for (const { number } of group) groups.set(number, group);
}

type PublishedRecord = Described & { publisher: string; cell: number; place: number };

/** Of a crowd only those that have a partner, and are to lose it. */
async function readDescribed(
  db: BulkConnection,
  cells: Iterable<number>,
  crowds: readonly number[],
): Promise<PublishedRecord[]> {
  const ranges = rangesOfTiles(cells, 0);
  const { rows } = await db.query<
    Omit<PublishedRecord, "nameWords" | "sourceId"> & { name_words: string; source_id: string }
  >(sql`
    select f.number, f.source_id, f.publisher, f.cell, f.latitude, f.longitude, f.name_words, f.categories,
      f.contacts, f.place
    from unnest(
      ${ranges.map(([firstCell]) => firstCell)}::integer[],
      ${ranges.map(([, lastCell]) => lastCell)}::integer[]
    ) as t (first_cell, last_cell)
    cross join lateral (
      select number, source_id, ${publisher} as publisher, cell, latitude, longitude, name_words, categories, contacts, place
      from catalog_next_records
      where cell between t.first_cell and t.last_cell
        and closed_at is null
        and not superseded
        and (cell <> all(${crowds}::integer[]) or place <> number)
      offset 0
    ) f
    order by f.source_id
  `);
  return rows.map(({ name_words: words, source_id: sourceId, ...rest }) => ({
    ...rest,
    sourceId,
    nameWords: words.split(" ").filter((word) => word !== ""),
  }));
}
