import { Type } from "../platform/schema.ts";
import type { PlaceIndex } from "../place-index/port.ts";
import type { HttpServer } from "../platform/http/server.ts";
import type { Database } from "../platform/postgres/database.ts";
import { readGeneration } from "../data-sets/data-sets.ts";
import { isTile, readTile, type TileAddress } from "../sources/catalog/index.ts";
import { NoSuchTile, TilesBusy } from "./errors.ts";

const Coordinate = Type.String({ pattern: "^[0-9]{1,6}$" });
const TileParams = Type.Object({ z: Coordinate, x: Coordinate, y: Coordinate });

const cachedTilesMax = 400;
const atOnceMax = 2;
const waitingMax = 64;
/** The catalog on a map, as vector tiles. Tiles are made a few at a time, and kept until an import changes them. */
export function tileRoutes(app: HttpServer, { db, placeIndex }: { db: Database; placeIndex: PlaceIndex }) {
  const cached = new Map<string, Promise<Buffer>>();
  const waiting: (() => void)[] = [];
  let running = 0;
  let cachedGeneration = 0;

  app.get("/tiles/:z/:x/:y", {
    schema: { params: TileParams },
    config: { role: "viewer" },
    async handler({ params, headers }, reply) {
      const tile = { z: Number(params.z), x: Number(params.x), y: Number(params.y) };
      if (!isTile(tile)) throw NoSuchTile();
      const generation = await readGeneration(db);
      const version = `"${generation}"`;
      // The browser keeps tiles but checks each, so that a map drawn after an import shows what it brought.
      reply.headers({ "Cache-Control": "private, no-cache", ETag: version });
      if (headers["if-none-match"] === version) return reply.code(304).send();
      const bytes = await find(tile, generation);
      return reply.type("application/vnd.mapbox-vector-tile").send(bytes);
    },
  });

  async function find(tile: TileAddress, generation: number): Promise<Buffer> {
    if (generation !== cachedGeneration) cached.clear();
    cachedGeneration = generation;
    const key = `${tile.z}/${tile.x}/${tile.y}`;
    const known = cached.get(key);
    if (known) return known;
    const made = inTurn(() => readTile({ db, index: placeIndex }, tile)).then((bytes) => Buffer.from(bytes));
    cached.set(key, made);
    made.catch(() => cached.delete(key));
    const [oldest] = cached.keys();
    if (cached.size > cachedTilesMax && oldest !== undefined) cached.delete(oldest);
    return made;
  }

  async function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    if (waiting.length >= waitingMax) throw TilesBusy(undefined, { retryAfterSeconds: 1 });
    if (running >= atOnceMax) await new Promise<void>((resolve) => waiting.push(resolve));
    running += 1;
    try {
      return await work();
    } finally {
      running -= 1;
      waiting.shift()?.();
    }
  }
}
