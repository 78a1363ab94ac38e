import { uuidFromId } from "../../platform/ids.ts";
import type { Database, Transaction } from "../../platform/postgres/database.ts";
import type { Principal } from "../api-keys/index.ts";
import type { Webhooks } from "../webhooks/index.ts";
import { type Collection as Noun, isTerminal, type ShownCollection } from "./collection.ts";
import {
  cancelActiveCollection,
  pauseActiveCollection,
  releaseCells,
  resumePausedCollection,
} from "./control-store.ts";
import { CollectionEnded, CollectionNotFound } from "./errors.ts";
import { collectionEvent } from "./events.ts";
import { type Collection, toResource } from "./schema.ts";
import { cellLeases } from "./queue/store.ts";
import { findCollection } from "./store.ts";

type ControlDeps = { db: Database; webhooks: Pick<Webhooks, "emit"> };

/** The verbs that stop a collection and let it go on. Each can be repeated without harm. */
export function makeControls({ db, webhooks }: ControlDeps) {
  /** Stops the work; what is stored stays, and nothing more is charged. */
  async function pause(principal: Principal, collectionId: string): Promise<Collection> {
    const { collection } = await change(principal, collectionId, async (tx, uuid) => {
      const isOwn = (await findCollection(tx, principal, uuid)) !== undefined;
      const paused = isOwn ? await pauseActiveCollection(tx, principal, uuid, "requested") : undefined;
      if (paused) await releaseCells(tx, principal, uuid, { ends: false });
      return paused;
    });
    requireOpen(collection, "paused");
    return toResource(collection);
  }

  async function resume(principal: Principal, collectionId: string): Promise<Collection> {
    const { collection, hasChanged } = await change(principal, collectionId, (tx, uuid) =>
      resumePausedCollection(tx, principal, uuid),
    );
    requireOpen(collection, "resumed");
    if (hasChanged) await cellLeases.wake(db).catch(() => undefined); // a lost message costs a poll
    return toResource(collection);
  }

  /** Stops a collection for good; one that has ended stays as it is. */
  async function cancel(principal: Principal, collectionId: string): Promise<Collection> {
    const { collection } = await change(principal, collectionId, async (tx, uuid) => {
      const canceled = await cancelActiveCollection(tx, principal, uuid);
      if (!canceled) return undefined;
      await releaseCells(tx, principal, uuid, { ends: true });
      await webhooks.emit(tx, collectionEvent(canceled));
      return canceled;
    });
    return toResource(collection);
  }

  /** Runs a guarded change; resolves to the collection as it stands when nothing was to change. */
  async function change(
    principal: Principal,
    collectionId: string,
    attempt: (tx: Transaction, uuid: string) => Promise<Noun | undefined>,
  ): Promise<{ collection: ShownCollection; hasChanged: boolean }> {
    const uuid = uuidFromId("col", collectionId);
    if (uuid === undefined) throw CollectionNotFound({ collectionId });
    return db.transaction(async (tx) => {
      const changed = await attempt(tx, uuid);
      const collection = await findCollection(tx, principal, uuid);
      if (!collection) throw CollectionNotFound({ collectionId });
      return { collection, hasChanged: changed !== undefined };
    });
  }

  return { pause, resume, cancel };
}

function requireOpen({ id, status }: Noun, verb: string) {
  if (isTerminal(status)) throw CollectionEnded({ collectionId: id, status, verb });
}
