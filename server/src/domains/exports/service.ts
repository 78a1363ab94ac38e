import { type Cursors, ListPage, type PageRequest } from "../../platform/pages.ts";
import { uuidFromId } from "../../platform/ids.ts";
import type { Principal } from "../api-keys/index.ts";
import type { Webhooks } from "../webhooks/index.ts";
import { type CreateDeps, makeCreate } from "./create.ts";
import { ExportNotFound } from "./errors.ts";
import { type ShownExport, toShown } from "./resource.ts";
import type { ExportRemoval } from "./removal.ts";
import type { DeletedExport } from "./schema.ts";
import { deleteExport, findExport, listExports } from "./store.ts";

export type ExportsDeps = CreateDeps & { cursors: Cursors; exportRemoval: ExportRemoval; webhooks: Webhooks };

export function createExports(deps: ExportsDeps) {
  const { db, cursors, links, webhooks, exportRemoval } = deps;

  async function get(principal: Principal, exportId: string): Promise<ShownExport> {
    const uuid = uuidFromId("exp", exportId);
    const found = uuid === undefined ? undefined : await findExport(db, principal, uuid);
    if (!found) throw ExportNotFound({ exportId });
    return toShown(found, links);
  }

  /** Newest first. */
  async function list(principal: Principal, page: PageRequest): Promise<ListPage<ShownExport>> {
    const { organizationId, environment } = principal;
    const name = `exports/${organizationId}/${environment}`;
    const before = cursors.positionBefore(name, page);
    const found = await listExports(db, principal, { before, limit: page.limit + 1 });
    const { items, nextCursor } = cursors.page(name, found, page.limit, ({ uuid }) => uuid);
    return new ListPage(
      items.map((each) => toShown(each, links)),
      nextCursor,
    );
  }

  /** Deletes an export with its file; what a worker still writes of it goes too. */
  async function remove(principal: Principal, exportId: string): Promise<DeletedExport> {
    const uuid = uuidFromId("exp", exportId);
    if (uuid === undefined) throw ExportNotFound({ exportId });
    const removed = await db.transaction(async (tx) => {
      const gone = await deleteExport(tx, principal, uuid);
      if (!gone) throw ExportNotFound({ exportId });
      await webhooks.endDeliveries(tx, principal.organizationId, [uuid]);
      return gone;
    });
    await exportRemoval.removeFiles([removed]);
    return { id: exportId, deleted: true };
  }

  return { create: makeCreate(deps), get, list, remove };
}

export type Exports = ReturnType<typeof createExports>;
