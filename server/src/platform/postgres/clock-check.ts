import { type Clock, elapsedMs } from "../clock.ts";
import type { Queryable } from "./database.ts";
import { sql } from "./sql.ts";

/** A process whose clock differs by more must not judge what is old. */
const differenceMaxMs = 60_000;
const followMs = 5_000;

export type ClockReading = {
  /** The database's time, which every process shares. */
  now: Date;
  /** How far this process's clock is ahead of the database's; negative when it is behind. */
  aheadMs: number;
  isTrusted: boolean;
};

/** Compares this process's clock with the database's. */
export function createClockCheck({ db, clock }: { db: Queryable; clock: Clock }) {
  /** What makes the even milliseconds of this process the database's time. */
  let offsetMs = offsetOf(clock);
  let last: ClockReading | undefined;

  /** The database's time: what it read last, and what has passed since. Nobody can set that. */
  const databaseClock: Clock = {
    now: () => new Date(elapsedMs(clock) + offsetMs),
    elapsedMs: () => elapsedMs(clock),
  };

  async function read(): Promise<ClockReading> {
    const sentMs = elapsedMs(clock);
    const { rows } = await db.query<{ now: Date }>(sql`select clock_timestamp() as now`);
    const receivedMs = elapsedMs(clock);
    const [row] = rows;
    if (!row) throw new Error("the database did not say what time it is");
    // The database read its clock between the two, so only what lies outside of them is a difference.
    const now = row.now.getTime();
    const within = (ms: number) => Math.min(Math.max(ms, now - receivedMs), now - sentMs);
    const own = offsetOf(clock);
    const aheadMs = Math.round(own - within(own));
    // Processes of one machine whose clock is right agree to the millisecond.
    offsetMs = within(own) === own ? own : within(offsetMs);
    return (last = { now: row.now, aheadMs, isTrusted: Math.abs(aheadMs) <= differenceMaxMs });
  }

  /** Reads again and again until it is stopped: even milliseconds drift, and another server may become the primary. */
  function follow(): { stop(): void } {
    let isReading = false;
    const timer = setInterval(() => {
      if (isReading) return;
      isReading = true;
      // The database is away: the time goes on as it did.
      void read()
        .catch(() => undefined)
        .finally(() => (isReading = false));
    }, followMs).unref();
    return { stop: () => clearInterval(timer) };
  }

  return { read, follow, last: () => last, databaseClock };
}

export type ClockCheck = ReturnType<typeof createClockCheck>;

function offsetOf(clock: Clock): number {
  return clock.now().getTime() - elapsedMs(clock);
}
