import type { SourceFailureCode, SourceQuery } from "../../sources/source.ts";
import type { Environment } from "../api-keys/index.ts";
import type { Operation } from "./operations.ts";

/**
 * A job is *queued* when it was created and *running* from its first claim on. It stays running
 * through everything that can happen to its worker: a lost worker, a pause that the source asked
 * for, a process that hands it back. It ends once, as *succeeded*, *partial* (the page was
 * collected but part of it is missing), *failed* or *canceled*, and nothing leaves those.
 *
 * A worker takes it from queued to running and from running to an end, as long as it holds the
 * lease; the customer cancels it from either. The statement that makes a transition also guards it.
 */
export const statuses = ["queued", "running", "succeeded", "partial", "failed", "canceled"] as const;
export type Status = (typeof statuses)[number];

export function isTerminal(status: Status): boolean {
  return status !== "queued" && status !== "running";
}

export const errorCodes = [
  "source_failed",
  "source_unavailable",
  "source_timeout",
  "internal_error",
  "worker_lost",
] as const satisfies readonly (SourceFailureCode | "internal_error" | "worker_lost")[];
export type ErrorCode = (typeof errorCodes)[number];

export type Scrape = {
  /** TypeID, `job_…`. */
  id: string;
  /** The same id as the database keeps it. */
  uuid: string;
  organizationId: string;
  environment: Environment;
  operation: Operation;
  status: Status;
  completedQueries: number;
  totalQueries: number;
  resultCount: number;
  errorCode: ErrorCode | null;
  /** How the source read the question; null until a worker has its page, and where the source does not say. */
  queryReading: string | null;
  /** The request that created it; its events carry it. */
  requestId: string;
  /** The trace that it belongs to, as W3C writes it. */
  traceparent: string | null;
  /** Plain UUID. */
  webhookEndpointId: string | null;
  /** What to look for, with the defaults filled in. */
  params: SourceQuery;
  createdAt: Date;
  /** When a worker first claimed it. */
  startedAt: Date | null;
  finishedAt: Date | null;
  /** When it is tried next, while it waits for a source. */
  nextAttemptAt: Date | null;
};

/** A job with the lease that lets its worker write. */
export type ClaimedScrape = Scrape & {
  leaseToken: number;
  /** How often it was claimed, this time included. */
  attempt: number;
  /** How many of these attempts lost their worker. */
  losses: number;
  /** It lost several workers before, so no other quarantined job runs beside it: the next loss is its own. */
  isQuarantined: boolean;
  startedAt: Date;
  /** When it was claimed, by the database's clock like its start: a worker's own may differ. */
  claimedAt: Date;
  /** The sequence of its last event, when this worker wrote that event; nobody else writes one under its lease. */
  lastSequence: number | undefined;
};

/** How often a job is tried on a source that fails. */
export const attemptsMax = 5;
/** How many lost workers are too many. */
export const lossesMax = 8;
export const leaseSeconds = 10;

/** How long after its first claim a job may be postponed for a source that asks to slow down. */
export const postponementMaxMs = 3_600_000;

/** The wait before the next attempt after one that failed. */
export function backoffSeconds(attempt: number): number {
  return 2 ** attempt;
}
