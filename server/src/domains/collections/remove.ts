import { uuidFromId } from "../../platform/ids.ts";
import type { Database } from "../../platform/postgres/database.ts";
import type { Principal } from "../api-keys/index.ts";
import type { ExportRemoval } from "../exports/index.ts";
import type { Webhooks } from "../webhooks/index.ts";
import { cancelActiveCollection, releaseCells } from "./control-store.ts";
import { CollectionNotFound } from "./errors.ts";
import { collectionEvent } from "./events.ts";
import { deleteCollection, deleteRemains } from "./removal-store.ts";
import type { DeletedCollection } from "./schema.ts";

export type RemoveDeps = { db: Database; webhooks: Webhooks; exportRemoval: ExportRemoval };

/** Rows that one statement deletes: a large collection has millions, and its caller waits for one batch only. */
const batchMax = 5_000;

/** The verb that deletes a collection with its records and the exports that hold them. Its units stay in the ledger. */
export function makeRemove({ db, webhooks, exportRemoval }: RemoveDeps) {
  return async function remove(principal: Principal, collectionId: string): Promise<DeletedCollection> {
    const uuid = uuidFromId("col", collectionId);
    if (uuid === undefined) throw CollectionNotFound({ collectionId });

    const removed = await db.transaction(async (tx) => {
      const canceled = await cancelActiveCollection(tx, principal, uuid);
      if (canceled) await releaseCells(tx, principal, uuid, { ends: true });
      if (!(await deleteCollection(tx, principal, uuid))) throw CollectionNotFound({ collectionId });
      await webhooks.endDeliveries(tx, principal.organizationId, [uuid]);
      if (canceled) await webhooks.emit(tx, collectionEvent(canceled));
      return exportRemoval.removeOf(tx, principal, { collectionId: uuid });
    });
    await exportRemoval.removeFiles(removed);
    await deleteRemains(db, batchMax).catch(() => 0); // else the loop does
    return { id: collectionId, deleted: true };
  };
}

/** Deletes a batch of what deleted collections left behind; resolves to how many rows. */
export function sweepRemovedCollections(db: Database): Promise<number> {
  return deleteRemains(db, batchMax);
}
