import { stalenessFactor } from "../../../data-sets/8-publish/staleness.ts";

/** What is known of one generation. */
export type Generation = {
  generation: number;
  /** When it was last seen to be the latest, by the process's own clock. */
  seenAt: number;
  /** A later one was seen: for as long as this one is trusted it answers what memory alone can answer. */
  isLeaving: boolean;
  /** How many blocks the change to it has written. */
  changedBlocks: number;
};

type GenerationsOptions<Index extends Generation> = {
  open(): Promise<Index>;
  /** Reads into memory what searches of the one before needed lately, until a moment by performance.now(). */
  fill(next: Index, before: Index, until: number): Promise<void>;
  /** Follows when searches go over to it. */
  onShown(index: Index, before: Index | undefined): void;
  readLatest(): Promise<number>;
  /** For so long a generation that was the latest is taken for the latest, or a little longer when much has changed since. */
  trustMs: number;
};

/** From this share of the time that a generation is trusted, a read in the background finds out whether it is still the latest. */
const askFrom = 1 / 4;

/**
 * The generation that searches read. When an import has committed, the next one is opened beside it, and searches go
 * over to it once what they needed lately is in memory, or the one before may no longer be trusted.
 */
export function createGenerations<Index extends Generation>(options: GenerationsOptions<Index>) {
  const { open, fill, onShown, readLatest, trustMs } = options;
  let shown: Index | undefined;
  let opening: Promise<Index> | undefined;
  /** The latest that was opened, whether it is shown or not yet. */
  let opened: Index | undefined;
  let isAsking = false;

  function isTrusted(index: Index): boolean {
    return performance.now() < trustedUntil(index);
  }

  function trustedUntil(index: Index): number {
    const factor = index === shown && index.isLeaving && opened ? stalenessFactor(opened.changedBlocks) : 1;
    return index.seenAt + trustMs * factor;
  }

  /** The one to search now. */
  function current(): Index | Promise<Index> {
    return shown && (!shown.isLeaving || isTrusted(shown)) ? shown : openNext();
  }

  /** The one to search now, which was the latest within the time that it is trusted: for questions about it that read nothing. */
  async function latest(): Promise<Index> {
    const index = await current();
    const askedAt = performance.now();
    if (isTrusted(index)) return index;
    if ((await readLatest()) !== index.generation) return after(index);
    index.seenAt = askedAt;
    return index;
  }

  /** The one that follows: this one is not the latest, or memory alone cannot answer from it. */
  function after(index: Index): Index | Promise<Index> {
    if (index === shown) index.isLeaving = true;
    else if (index === opened) opening = undefined; // it was overtaken before it was shown
    else return current(); // a search that began before the last change
    return openNext();
  }

  function openNext(): Promise<Index> {
    if (opening) return opening;
    opened = undefined;
    const next = open();
    opening = next;
    next.then(
      (index) => show(index, next),
      () => {
        if (opening === next) opening = undefined;
      },
    );
    return next;
  }

  function show(index: Index, next: Promise<Index>) {
    if (opening !== next) return;
    opened = index;
    const change = () => {
      if (opening !== next) return;
      opening = undefined;
      const before = shown;
      shown = index;
      onShown(index, before);
    };
    if (!shown || !isTrusted(shown)) change();
    else void fill(index, shown, trustedUntil(shown)).then(change, change);
  }

  /** Asks in the background whether it is still the latest, before a search has to wait for the answer. */
  function ask(index: Index) {
    const askedAt = performance.now();
    if (isAsking || index.isLeaving || askedAt - index.seenAt < trustMs * askFrom || !isTrusted(index)) return;
    isAsking = true;
    readLatest()
      .then((generation) => {
        if (generation === index.generation) index.seenAt = askedAt;
        else if (index === shown) return after(index);
        return undefined;
      })
      .catch(() => undefined) // the search that needs the answer asks again
      .finally(() => (isAsking = false));
  }

  return { current, latest, after, ask, isTrusted, shown: () => shown, opened: () => opened };
}
