import { type Cursors, ListPage, type PageRequest } from "../../platform/pages.ts";
import { uuidFromId } from "../../platform/ids.ts";
import type { Database } from "../../platform/postgres/database.ts";
import type { CostLimit, Principal } from "../api-keys/index.ts";
import { isTerminal } from "./collection.ts";
import { makeControls } from "./control.ts";
import { type CreateDeps, makeCreate } from "./create.ts";
import { makeEstimate } from "./estimate.ts";
import { CollectionNotFound } from "./errors.ts";
import { makeRemove, type RemoveDeps } from "./remove.ts";
import {
  cellsPerPage,
  type Collection,
  type Coverage,
  type ReadCoverage,
  type ResultsPage,
  toResource,
} from "./schema.ts";
import {
  countOnPage,
  deleteCollectionsBefore,
  findCollection,
  findResults,
  listCells,
  listCollections,
  type ShownCell,
} from "./store.ts";

type CollectionsDeps = CreateDeps & RemoveDeps & { cursors: Cursors; costs: CostLimit };

export function createCollections(deps: CollectionsDeps) {
  const { db, cursors } = deps;

  async function get(principal: Principal, collectionId: string): Promise<Collection> {
    return toResource(await find(principal, collectionId));
  }

  async function find(principal: Principal, collectionId: string) {
    const found = await findCollection(db, principal, requireUuid(collectionId));
    if (!found) throw CollectionNotFound({ collectionId });
    return found;
  }

  /** Newest first. A page of large areas ends before its limit. */
  async function list(principal: Principal, page: PageRequest): Promise<ListPage<Collection>> {
    const name = `collections/${principal.organizationId}/${principal.environment}`;
    const before = cursors.positionBefore(name, page);
    const limit = await countOnPage(db, principal, { before, limit: page.limit });
    const found = await listCollections(db, principal, { before, limit: limit + 1 });
    const { items, nextCursor } = cursors.page(name, found, limit, ({ uuid }) => uuid);
    return new ListPage(items.map(toResource), nextCursor);
  }

  /** What has been stored so far, in the order it was found. */
  async function results(
    principal: Principal,
    collectionId: string,
    { limit, cursor }: PageRequest,
  ): Promise<ResultsPage> {
    const name = `collection-results/${collectionId}`;
    const uuid = requireUuid(collectionId);
    const after = cursor === undefined ? 0 : Number(cursors.read(name, cursor));
    const found = await findResults(db, principal, uuid, { after, limit: limit + 1 });
    if (!found) throw CollectionNotFound({ collectionId });

    const page = found.records.slice(0, limit);
    const isRead = isTerminal(found.status) && found.records.length <= limit;
    return {
      recordTexts: page.map(({ text }) => text),
      job_status: found.status,
      is_complete: found.status === "succeeded",
      next_cursor: isRead ? null : cursors.write(name, String(page.at(-1)?.position ?? after)),
    };
  }

  /** The cells, so that anyone can see what was read and what was not. */
  async function coverage(principal: Principal, collectionId: string, { cursor }: ReadCoverage): Promise<Coverage> {
    const { uuid } = await find(principal, collectionId);
    const name = `collection-cells/${collectionId}`;
    const after = cursor === undefined ? undefined : cursors.read(name, cursor);
    const found = await listCells(db, principal, uuid, { after, limit: cellsPerPage + 1 });
    const { items, nextCursor } = cursors.page(name, found, cellsPerPage, (cell) => cell.uuid);
    return { type: "FeatureCollection", features: items.map(featureOf), next_cursor: nextCursor };
  }

  return {
    create: makeCreate(deps),
    estimate: makeEstimate(deps),
    get,
    list,
    results,
    coverage,
    ...makeControls(deps),
    remove: makeRemove(deps),
  };
}

export type Collections = ReturnType<typeof createCollections>;

const sweepBatch = 20;

/** Deletes a batch of collections past their retention as of the database's time; resolves to how many. */
export async function sweepCollections(db: Database, now: Date, retentionDays: number): Promise<number> {
  const keptFrom = new Date(now.getTime() - retentionDays * 86_400_000);
  return deleteCollectionsBefore(db, { keptFrom, limit: sweepBatch });
}

export function requireUuid(collectionId: string): string {
  const uuid = uuidFromId("col", collectionId);
  if (uuid === undefined) throw CollectionNotFound({ collectionId });
  return uuid;
}

function featureOf({ box, state, pages, found, depth }: ShownCell): Coverage["features"][number] {
  const [south, west, north, east] = box;
  const ring = [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ];
  return {
    type: "Feature",
    bbox: [west, south, east, north],
    geometry: { type: "Polygon", coordinates: [ring] },
    properties: { state, pages, found, depth },
  };
}
