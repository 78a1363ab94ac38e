import type { Log } from "../../platform/log.ts";
import type { Transaction } from "../../platform/postgres/database.ts";
import type { Webhooks } from "../webhooks/index.ts";
import type { Export, Held } from "./export.ts";
import type { Tenant } from "./rows.ts";
import type { FileStore } from "./storage/file-store.ts";
import { deleteExportsOf } from "./store.ts";

type RemovalDeps = { files: FileStore; webhooks: Pick<Webhooks, "endDeliveries">; log: Log };

/** How exports go whose records are deleted: the rows in the caller's transaction, the files after it. */
export function createExportRemoval({ files, webhooks, log }: RemovalDeps) {
  /** Deletes the exports that hold records of a job or collection; a worker that writes one finds its lease gone. */
  async function removeOf(tx: Transaction, tenant: Tenant, held: Held): Promise<Export[]> {
    const removed = await deleteExportsOf(tx, tenant, held);
    await webhooks.endDeliveries(
      tx,
      tenant.organizationId,
      removed.map(({ uuid }) => uuid),
    );
    return removed;
  }

  /** Removes the files. Those that stay, because the storage is away, have no row and go with the retention loop. */
  async function removeFiles(removed: readonly Export[]): Promise<void> {
    const keys = removed.flatMap(({ file }) => (file?.storage === files.storage.name ? [file.key] : []));
    if (keys.length === 0) return;
    await files.storage
      .remove(keys)
      .catch((error: unknown) => log.warn({ files: keys.length, err: error }, "export.removal_failed"));
  }

  return { removeOf, removeFiles };
}

export type ExportRemoval = ReturnType<typeof createExportRemoval>;
