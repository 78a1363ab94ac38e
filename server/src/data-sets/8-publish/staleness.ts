/**
 * Maximum staleness across processes: for so long a search may trust the generation it last saw. An
 * import says that it is done only after this time, when the next search of every process sees it.
 */
export const catalogStalenessMs = 1_000;

/** So many blocks are read within that time, beside searches that notice nothing of it. */
const blocksRead = 100;
const timesMax = 5;

/** How much longer the generation before may answer, so that a process can read what a large change has written. */
export function stalenessFactor(changedBlocks: number): number {
  return Math.min(Math.max(changedBlocks / blocksRead, 1), timesMax);
}
