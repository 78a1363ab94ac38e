/** The most that each may take of the memory; what they leave is for blocks. */
export const shares = {
  areas: 1 / 2,
  /** Listings always have this much, and what blocks leave besides. */
  listings: 1 / 4,
  vocabulary: 1 / 8,
  /** Where records lie in their file. */
  records: 1 / 8,
  /** Blocks are read ahead of searches until this share of the memory is full. */
  prefetch: 1 / 2,
  /** Blocks of the next generation may take so much beside those of the one before. */
  ahead: 1 / 4,
  /** What of the memory is kept; the rest is for what searches read meanwhile, and for garbage, of which V8 lets 64 MB be young. */
  kept: 0.55,
};
