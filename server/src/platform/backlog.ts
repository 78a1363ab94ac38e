/** What waits in one queue of the installation, whichever process takes it. */
export type Backlog = {
  queue: string;
  /** Due, and held by nobody. */
  waiting: number;
  /** Held by a worker. */
  running: number;
  /** Due later: retries, postponed work. */
  scheduled: number;
  /** How long the oldest of those that are due has waited; 0 when there is none. */
  oldestSeconds: number;
};
