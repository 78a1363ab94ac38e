import type { Clock } from "../clock.ts";
import type { Queryable } from "./database.ts";
import { sql } from "./sql.ts";

/** A process whose clock differs by more must not judge what is old. */
const differenceMaxMs = 60_000;

export type ClockReading = {
  /** The database's time, which every process shares. */
  now: Date;
  /** How far this process's clock is ahead of the database's; negative when it is behind. */
  aheadMs: number;
  isTrusted: boolean;
};

/** Compares this process's clock with the database's. */
export function createClockCheck({ db, clock }: { db: Queryable; clock: Clock }) {
  let last: ClockReading | undefined;

  async function read(): Promise<ClockReading> {
    const sentAt = clock.now().getTime();
    const { rows } = await db.query<{ now: Date }>(sql`select clock_timestamp() as now`);
    const receivedAt = clock.now().getTime();
    const [row] = rows;
    if (!row) throw new Error("the database did not say what time it is");
    // The database read its clock between the two, so only what lies outside of them is a difference.
    const now = row.now.getTime();
    const aheadMs = now < sentAt ? sentAt - now : Math.min(0, receivedAt - now);
    return (last = { now: row.now, aheadMs, isTrusted: Math.abs(aheadMs) <= differenceMaxMs });
  }

  return { read, last: () => last };
}

export type ClockCheck = ReturnType<typeof createClockCheck>;
