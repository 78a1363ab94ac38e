/**
 * Maximum staleness across processes: for so long a search may trust the generation it last saw. An
 * import says that it is done only after this time, when the next search of every process sees it.
 */
export const catalogStalenessMs = 1_000;
