import type { Meters } from "./meters.ts";

type FinishedJob = { kind: string; environment: string; outcome: string; errorCode: string | null };

/** Counts jobs of all kinds by how they ended, in the process that ended them. */
export function createJobMeter({ counter }: Meters): (job: FinishedJob) => void {
  const finished = counter("waypost_jobs_finished_total", "Jobs that ended, by kind and outcome.", [
    "kind",
    "environment",
    "outcome",
    "error_code",
  ]);
  return ({ kind, environment, outcome, errorCode }) =>
    finished({ kind, environment, outcome, error_code: errorCode ?? "" });
}
