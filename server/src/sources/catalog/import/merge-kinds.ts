import type { BulkConnection } from "../../../platform/postgres/bulk.ts";
import { sql } from "../../../platform/postgres/sql.ts";
import { cellsAround } from "../cells.ts";
import { type Described, pairUp } from "../pair.ts";

/** A tile is 8 by 8 cells: what is compared at once. */
const cellsPerTile = 64;

/** The kinds of data set of which one fills the other's gaps; the first leads. */
const [leading, following] = ["osm", "overture"] as const;

/**
 * Decides again, around every changed cell, which records of the two kinds are one business. A
 * cell is wider than twice the distance two such records may be apart, so one ring of cells around
 * a tile holds everything the decision hangs on.
 */
export async function mergeKinds(db: BulkConnection, changedCells: Iterable<number>): Promise<void> {
  const near = new Set<number>();
  for (const cell of await listPairableCells(db)) for (const each of cellsAround(cell)) near.add(tileOf(each));
  if (near.size === 0) return;

  const tiles = new Set<number>();
  for (const cell of changedCells) for (const each of cellsAround(cell)) tiles.add(tileOf(each));
  for (const tile of tiles) if (near.has(tile)) await mergeTile(db, tile);
}

/** Where there is a record to follow, or one that follows: elsewhere there is nothing to decide. */
async function listPairableCells(db: BulkConnection): Promise<number[]> {
  const { rows } = await db.query<{ cells: number[] | null }>(sql`
    select array_agg(distinct cell) as cells
    from catalog_records
    where (dataset_kind = ${leading} or place <> number)
      and exists (select from catalog_records where dataset_kind = ${following})
  `);
  return rows[0]?.cells ?? [];
}

function tileOf(cell: number): number {
  return Math.floor(cell / cellsPerTile);
}

async function mergeTile(db: BulkConnection, tile: number): Promise<void> {
  const firstCell = tile * cellsPerTile;
  const cells = new Set<number>();
  for (let cell = firstCell; cell < firstCell + cellsPerTile; cell += 1) {
    for (const near of cellsAround(cell)) cells.add(near);
  }
  const records = await readDescribed(db, [...cells]);
  const followers = records.filter(({ kind }) => kind === following);
  if (followers.length === 0) return;

  const pairs = pairUp(
    records.filter(({ kind }) => kind === leading),
    followers,
  );
  const moved = followers.filter(
    ({ cell, number, place }) => tileOf(cell) === tile && place !== (pairs.get(number) ?? number),
  );
  if (moved.length === 0) return;

  const leaders = new Map(records.map((record) => [record.number, record]));
  await db.query(sql`
    update catalog_records r
    set place = m.place
    from unnest(
      ${moved.map(({ number }) => number)}::integer[],
      ${moved.map(({ number }) => pairs.get(number) ?? number)}::integer[]
    ) as m (number, place)
    where r.number = m.number
  `);
  const changed = moved.flatMap(({ cell, number, place }) => [
    cell,
    leaders.get(place)?.cell ?? cell,
    leaders.get(pairs.get(number) ?? number)?.cell ?? cell,
  ]);
  await db.query(sql`
    insert into catalog_changed_cells (cell)
    select cell
    from unnest(${changed}::integer[]) as c (cell)
  `);
}

type KindedRecord = Described & { kind: string; cell: number; place: number };

async function readDescribed(db: BulkConnection, cells: readonly number[]): Promise<KindedRecord[]> {
  const { rows } = await db.query<
    Omit<KindedRecord, "nameWords" | "sourceId"> & { name_words: string; source_id: string }
  >(sql`
    select number, source_id, dataset_kind as kind, cell, latitude, longitude, name_words, contacts, place
    from catalog_records
    where cell = any(${cells}::integer[])
      and dataset_kind in (${leading}, ${following})
      and closed_at is null
      and not superseded
    order by source_id
  `);
  return rows.map(({ name_words: words, source_id: sourceId, ...rest }) => ({
    ...rest,
    sourceId,
    nameWords: words.split(" ").filter((word) => word !== ""),
  }));
}
