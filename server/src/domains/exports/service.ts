import { type Cursors, ListPage, type PageRequest } from "../../platform/pages.ts";
import { uuidFromId } from "../../platform/ids.ts";
import type { Principal } from "../api-keys/index.ts";
import { type CreateDeps, makeCreate } from "./create.ts";
import { ExportNotFound } from "./errors.ts";
import { type ShownExport, toShown } from "./resource.ts";
import { findExport, listExports } from "./store.ts";

export type ExportsDeps = CreateDeps & { cursors: Cursors };

export function createExports(deps: ExportsDeps) {
  const { db, cursors, links } = deps;

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

  return { create: makeCreate(deps), get, list };
}

export type Exports = ReturnType<typeof createExports>;
