import type { Log } from "../../platform/log.ts";
import type { Queryable } from "../../platform/postgres/database.ts";
import { inSnapshot, type Reads } from "../../platform/postgres/replica-reads.ts";
import { createIndexFile, type Identity, layoutOf, openIndexFile } from "../index-file.ts";
import { layout } from "../schema.ts";
import {
  type CatalogState,
  countPlaces,
  isGenerationKnown,
  readAreas,
  readAreasDigest,
  readCatalogState,
  readChangedPlaces,
  readPlacesAfter,
  readPlacesOf,
} from "./catalog-rows.ts";
import { isDamage, isDiskFull } from "./damage.ts";
import type { Draft, IndexFolder } from "./folder.ts";
import type { FollowerState } from "./follower-state.ts";

export type FollowDeps = {
  folder: IndexFolder;
  db: Reads;
  log: Log;
  report(state: FollowerState): void;
  placesPerBatch?: number;
};

/** Beyond this share of the places a build takes less time than a change. At 20 % a change took 1.3 times a build. */
const changedShareMax = 0.05;
/** What a place may take in a file while it is built, with its records. */
const bytesPerPlace = 3_072;
const mebibyte = 1024 * 1024;

/** A file that this process has open to change it, and which areas it has, where that is known. */
type Opened = {
  name: string;
  inode: number | undefined;
  file: ReturnType<typeof openIndexFile>;
  areas: string | undefined;
};

/**
 * Keeps the file of this machine like the catalog. A step looks at both and does what is missing: nothing, a change of the
 * file in one write transaction, or a build of a new file beside the one that searches read. The next step goes on from
 * every state in which a killed process leaves the folder.
 */
export function createFollowing({ folder, db, log, report, placesPerBatch = 1_000 }: FollowDeps) {
  let opened: Opened | undefined;
  let state: FollowerState = { generation: null, wanted: 0, behindSince: null, build: null, problem: null };

  async function step(signal: AbortSignal): Promise<void> {
    try {
      await follow(signal);
    } catch (error) {
      if (!signal.aborted) tell({ problem: sentenceOf(error, folder), build: null });
      throw error;
    }
  }

  async function follow(signal: AbortSignal): Promise<void> {
    const catalog = await readCatalogState(db);
    if (!catalog) return tellNotListed();
    const current = openCurrent();
    const has = current && (await ownIdentity(current, catalog));
    if (has?.generationId === catalog.generationId) return tellAll(has);
    // The first import fills it.
    if (!catalog.hasPlaces && folder.current() === undefined) return tellNone(catalog);

    tellBehind(has, catalog);
    if (current && has && (await changeUnlessDamaged(current, has))) return;
    await build(catalog, signal);
  }

  /** The file that searches read, unless it is missing or damaged. */
  function openCurrent(): Opened | undefined {
    const name = folder.current();
    const inode = name === undefined ? undefined : folder.inode(name);
    if (opened && opened.name === name && opened.inode === inode && !folder.isDamaged(name)) return opened;
    close();
    if (name === undefined || inode === undefined || folder.isDamaged(name)) return undefined;
    try {
      const has = layoutOf(folder.pathOf(name));
      // Its tables are others.
      if (has !== undefined && has !== layout) return undefined;
      opened = { name, inode, file: openIndexFile(folder.pathOf(name)), areas: undefined };
      return opened;
    } catch (error) {
      return noteDamage(name, error);
    }
  }

  /** Throws what is no damage. */
  function noteDamage(name: string, error: unknown): undefined {
    if (!isDamage(error)) throw error;
    log.error({ file: name, err: error }, "place_index.damaged");
    close();
    folder.markDamaged(name);
  }

  /** What the file has; undefined for one that cannot be changed to what the catalog has. */
  async function ownIdentity({ name, file }: Opened, catalog: CatalogState): Promise<Identity | undefined> {
    let identity: Identity | null;
    try {
      identity = file.identity();
    } catch (error) {
      return noteDamage(name, error);
    }
    if (identity && (await isOfCatalog(identity, catalog))) return identity.layout === layout ? identity : undefined;
    // Nobody may read it any longer: it is of another installation, or of a state that a restore has undone.
    log.warn({ file: name }, "place_index.foreign");
    close();
    folder.removeCurrent();
    folder.deleteAllBut([folder.draft()?.name]);
    return undefined;
  }

  async function isOfCatalog(identity: Identity, catalog: CatalogState): Promise<boolean> {
    if (identity.installation !== catalog.installation) return false;
    return identity.generationId === catalog.generationId || isGenerationKnown(db, identity);
  }

  async function changeUnlessDamaged(current: Opened, has: Identity): Promise<boolean> {
    try {
      return await change(current, has, changedShareMax);
    } catch (error) {
      noteDamage(current.name, error);
      return false;
    }
  }

  /** Changes a file to what the catalog has now; false where nobody knows what changed, or it is too much. */
  async function change(target: Opened, from: Identity, shareMax: number): Promise<boolean> {
    const to = await inSnapshot(db, async (snapshot) => {
      const catalog = await readCatalogState(snapshot);
      const places = catalog && (await readChangedPlaces(snapshot, from, catalog));
      if (!places) return undefined;
      if (shareMax < 1 && places.length > shareMax * (await countPlaces(snapshot)).all) return undefined;
      if (from.generationId !== catalog.generationId) await apply(target, snapshot, places, identityOf(catalog));
      return identityOf(catalog);
    });
    if (!to) return false;
    // Without it the -wal never shrinks under steady searches.
    target.file.checkpoint();
    if (target === opened) tellAll(to);
    return true;
  }

  async function apply(target: Opened, snapshot: Queryable, places: readonly number[], to: Identity): Promise<void> {
    const { file } = target;
    let areas: string | undefined;
    await file.longTransaction(async () => {
      for (let first = 0; first < places.length; first += placesPerBatch) {
        const batch = places.slice(first, first + placesPerBatch);
        const rows = await readPlacesOf(snapshot, batch);
        const left = new Set(rows.map(({ place }) => place));
        file.remove(batch.filter((place) => !left.has(place)));
        file.put(rows);
      }
      areas = await readAreasDigest(snapshot);
      if (areas !== target.areas) {
        const replacing = file.replacingAreas();
        for await (const some of readAreas(snapshot)) replacing.put(some);
        replacing.end();
      }
      file.setIdentity(to);
    });
    target.areas = areas;
  }

  /**
   * A build reads batches of whatever generation there is, and then brings all of it to one: the places that changed
   * since it began are read again.
   */
  async function build(catalog: CatalogState, signal: AbortSignal): Promise<void> {
    const draft = (await openDraft(catalog)) ?? (await beginDraft(catalog));
    let isUseless = false;
    try {
      if (draft.file.identity() === null) await fill(draft, signal);
      // False: more has changed meanwhile than the catalog remembers.
      if (await change(draft, draft.began, 1)) publish(draft);
      else isUseless = true;
    } catch (error) {
      isUseless = isDamage(error) || isDiskFull(error);
      throw error;
    } finally {
      if (draft !== opened) draft.file.close();
      if (isUseless) folder.deleteAllBut([folder.current()]);
    }
  }

  /** A build that was interrupted, if it can still be brought to what the catalog has. */
  async function openDraft(catalog: CatalogState): Promise<(Opened & Draft) | undefined> {
    const draft = folder.draft();
    if (!draft || draft.name === folder.current() || folder.isDamaged(draft.name)) return undefined;
    const { name, began } = draft;
    const inode = folder.inode(name);
    const isOwn = began.installation === catalog.installation && began.layout === layout;
    if (inode === undefined || !isOwn || !(await readChangedPlaces(db, began, catalog))) return undefined;
    try {
      return { name, began, inode, file: openIndexFile(folder.pathOf(name)), areas: undefined };
    } catch (error) {
      return noteDamage(name, error);
    }
  }

  async function beginDraft(catalog: CatalogState): Promise<Opened & Draft> {
    folder.deleteAllBut([folder.current()]);
    await requireSpace();
    const draft = { name: folder.newName(), began: identityOf(catalog) };
    folder.setDraft(draft);
    const file = createIndexFile(folder.pathOf(draft.name));
    return { ...draft, inode: folder.inode(draft.name), file, areas: undefined };
  }

  async function requireSpace(): Promise<void> {
    const { all } = await countPlaces(db);
    const [needed, free] = [all * bytesPerPlace, folder.freeBytes()];
    if (free >= needed) return;
    throw new Error(
      `The place index needs ${Math.ceil(needed / mebibyte)} MiB in ${folder.path}, and ${Math.floor(free / mebibyte)} MiB are free. Free some, or set WAYPOST_INDEX_DIR to a folder on another disk.`,
    );
  }

  async function fill(draft: Opened & Draft, signal: AbortSignal): Promise<void> {
    const { file } = draft;
    const last = file.lastPut();
    const { all: total, upTo } = await countPlaces(db, last);
    let done = upTo;
    tell({ build: { done, total }, problem: null });
    // PostgreSQL reads the next batch while this thread writes one.
    let next = readAhead(last);
    for (;;) {
      signal.throwIfAborted();
      const rows = await next;
      const lastRow = rows.at(-1);
      if (!lastRow) break;
      next = readAhead(lastRow.place);
      file.transaction(() => file.put(rows.filter(({ records }) => records.length > 0)));
      done += rows.length;
      tell({ build: { done: Math.min(done, total), total } });
    }
    const areas = file.replacingAreas();
    for await (const some of readAreas(db)) file.transaction(() => areas.put(some));
    file.transaction(areas.end);
    file.finish(draft.began);
    // A finished file is changed by other statements than one that is built.
    file.close();
    draft.file = openIndexFile(folder.pathOf(draft.name));
  }

  function readAhead(after: number | null) {
    const rows = readPlacesAfter(db, after, placesPerBatch);
    rows.catch(() => undefined); // whoever waits for it rejects
    return rows;
  }

  /** From here on searches read it. */
  function publish(draft: Opened & Draft): void {
    const identity = draft.file.identity();
    if (!identity) throw new Error("a file that is not finished cannot be published");
    folder.setCurrent(draft.name);
    folder.removeDraft();
    close();
    opened = draft;
    folder.deleteAllBut([draft.name]);
    log.info(
      { file: draft.name, generation: identity.generation, bytes: folder.bytes(draft.name) },
      "place_index.built",
    );
    tellAll(identity);
  }

  function close(): undefined {
    opened?.file.close();
    opened = undefined;
  }

  function tell(part: Partial<FollowerState>): void {
    state = { ...state, ...part };
    report(state);
  }

  function tellAll({ generation }: Identity): void {
    tell({ generation, wanted: generation, behindSince: null, build: null, problem: null });
  }

  function tellNone({ generation }: CatalogState): void {
    tell({ generation: null, wanted: generation, behindSince: null, build: null, problem: null });
  }

  /** The places that an older version has stored are being listed. */
  function tellNotListed(): void {
    tell({ behindSince: state.behindSince ?? new Date().toISOString(), build: null, problem: null });
  }

  function tellBehind(has: Identity | undefined, { generation, since }: CatalogState): void {
    const behindSince = state.behindSince ?? since.toISOString();
    tell({ generation: has?.generation ?? null, wanted: generation, behindSince });
  }

  return { step, close };
}

function identityOf({ installation, generation, generationId }: CatalogState): Identity {
  return { installation, layout, generation, generationId };
}

function sentenceOf(error: unknown, folder: IndexFolder): string {
  if (isDiskFull(error)) return "The disk of the place index is full.";
  if (!folder.takesWrites()) {
    return `The folder of the place index takes no writes: ${folder.path}. Mount its disk for writing, or set WAYPOST_INDEX_DIR to another folder.`;
  }
  return error instanceof Error ? error.message : String(error);
}
