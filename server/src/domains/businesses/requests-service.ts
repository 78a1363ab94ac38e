import { setTimeout as sleep } from "node:timers/promises";
import { defineError } from "../../platform/errors.ts";
import type { Database } from "../../platform/postgres/database.ts";
import { readCorrection, readSuppression, type Suppression } from "./owners-requests.ts";
import {
  deleteCorrections,
  deleteSuppressions,
  insertSuppressions,
  listCorrections,
  listIdsOf,
  listSuppressions,
  upsertCorrections,
} from "./owners-requests-store.ts";
import { redactStored } from "./redaction.ts";

const RequestUnknown = defineError(
  "not_found",
  "not_found",
  ({ asked }: { asked: string }) => `Nothing was asked for ${asked}. \`waypost catalog requests\` lists what was.`,
);

/** Longer than any process goes by what it has read before. */
const everywhereMs = 2_000;

/** What the operator does when a business asks to leave, or to be shown otherwise. */
export function createOwnersRequests({
  db,
  untilEverywhereMs = everywhereMs,
}: {
  db: Database;
  untilEverywhereMs?: number;
}) {
  /** Nothing lists the business from then on, and what is stored of it is emptied. */
  async function suppress(asked: string) {
    const named = readSuppression(asked);
    const ids = named.kind === "id" ? await listIdsOf(db, named.value) : [];
    const all: Suppression[] = named.kind === "id" ? ids.map((value) => ({ kind: "id", value })) : [named];
    await insertSuppressions(db, asked, all);
    await sleep(untilEverywhereMs); // who has not read it yet may still be storing a result
    return { asked, kind: named.kind, ...(await redactStored(db, all)) };
  }

  async function correct(id: string, texts: readonly string[]) {
    const fields = texts.map(readCorrection);
    const ids = await listIdsOf(db, id);
    await upsertCorrections(
      db,
      id,
      ids.flatMap((sourceId) => fields.map((field) => ({ sourceId, ...field }))),
    );
    return { asked: id, fields };
  }

  async function undo(asked: string, remove: typeof deleteSuppressions): Promise<void> {
    if (!(await remove(db, asked))) throw RequestUnknown({ asked });
  }

  async function list() {
    const suppressions = await listSuppressions(db);
    const corrections = await listCorrections(db);
    return { suppressions: suppressions.map(toView), corrections: corrections.map(toView) };
  }

  return {
    suppress,
    correct,
    list,
    undoSuppression: (asked: string) => undo(asked, deleteSuppressions),
    undoCorrections: (asked: string) => undo(asked, deleteCorrections),
  };
}

function toView<Row extends { createdAt: Date }>({ createdAt, ...row }: Row) {
  return { ...row, created_at: createdAt.toISOString() };
}
