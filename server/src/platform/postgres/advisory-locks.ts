/** Locks that are one number. Every number stands here, so that no two purposes can share one. */
export const advisoryLocks = {
  /** The process that migrates. */
  migration: 7_290_113_642,
  /** The process that decides whether this is the first start. */
  firstStart: 7_290_113_643,
  /** Commands that run on an embedded server share it; the command that stops the server takes it alone. */
  embeddedCommands: 7_290_113_644,
  /** The transaction that changes the master key. */
  masterKeyChange: 7_290_113_645,
  /** The transaction that changes the catalog's index. */
  catalogIndex: 7_290_115_001,
  /** The second session of an import that stores with two. */
  catalogSecondSession: 7_290_115_002,
  /** The transaction that says which ids the places of the catalog have; who mints ids of places shares it. */
  catalogIds: 7_290_115_003,
} as const;

/** First halves of locks made of two numbers; the second half is a hash. PostgreSQL keeps them apart from the above. */
export const advisoryLockSpaces = {
  businessKeys: 729_011,
  catalogDataSets: 729_012,
  exportQueues: 729_013,
} as const;
