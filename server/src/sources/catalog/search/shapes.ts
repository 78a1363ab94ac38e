import type { Queryable } from "../../../platform/postgres/database.ts";
import { containmentOf, type Contains, pointsIn } from "../../../geography/shape.ts";
import { openGazetteer, stateOfShape } from "../../../gazetteer/gazetteer.ts";
import { readShape } from "./store.ts";
import type { Where } from "./region.ts";

const pointsMax = 500_000;

/** The outlines that queries name, read when they are needed; those used lately are kept. */
export function createShapes(db: Queryable) {
  const kept = new Map<string, { contains: Contains; points: number }>();
  let points = 0;

  /** Null for a where without an outline, or whose outline an import has replaced meanwhile. */
  async function outlineOf(where: Where): Promise<Contains | null> {
    if (where.kind !== "box" || where.shapeKey === undefined) return null;
    const key = where.shapeKey;
    const state = stateOfShape(key);
    if (state !== undefined) return (await openGazetteer()).isInState(state);
    const known = kept.get(key);
    if (known) {
      kept.delete(key);
      kept.set(key, known);
      return known.contains;
    }
    const shape = await readShape(db, key);
    if (!shape) return null;
    const outline = { contains: containmentOf(shape), points: pointsIn(shape) };
    if (!kept.has(key)) points += outline.points;
    kept.set(key, outline);
    for (const [oldest, { points: its }] of kept) {
      if (points <= pointsMax || oldest === key) break;
      kept.delete(oldest);
      points -= its;
    }
    return outline.contains;
  }

  return { outlineOf };
}
