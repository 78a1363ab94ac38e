import type { SourceFailureCode, SourceQuery } from "../../sources/source.ts";
import type { Environment } from "../api-keys/index.ts";

/**
 * A job is *queued* when it was created and *running* from its first claim on. It stays running
 * through everything that can happen to its worker: a lost one, a pause because the source asked
 * for it, a process that hands it back. It ends once, as *succeeded*, *partial* (the page was
 * collected but part of what was asked is missing), *failed* or *canceled*, and nothing leaves those.
 *
 * A worker moves it from queued to running and from running to an end, as long as it holds the
 * lease; the customer cancels it from either. Every move is guarded in the statement that makes it.
 */
export const statuses = ["queued", "running", "succeeded", "partial", "failed", "canceled"] as const;
export type Status = (typeof statuses)[number];

export function isTerminal(status: Status): boolean {
  return status !== "queued" && status !== "running";
}

export const operations = ["places.search", "places.reviews", "places.photos"] as const;
export type Operation = (typeof operations)[number];

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
  /** The request that created it; its events carry it. */
  requestId: string;
  /** Plain UUID. */
  webhookEndpointId: string | null;
  createdAt: Date;
};

/** A job as its worker sees it: what to look for, and the lease that lets it write. */
export type ClaimedScrape = Scrape & {
  params: SourceQuery;
  leaseToken: number;
  /** How often it was claimed, this time included. */
  attempt: number;
  /** Of these, how often the worker was lost. */
  losses: number;
  /** It lost several workers before, so no other quarantined job runs beside it: the next loss is its own. */
  isQuarantined: boolean;
  startedAt: Date;
  /** The sequence of its last event, where this worker wrote that: nobody else does while the lease holds. */
  lastSequence: number | undefined;
};

/** How often a job is tried on a source that fails. */
export const attemptsMax = 5;
/** How many lost workers are too many. */
export const lossesMax = 8;
export const leaseSeconds = 10;

/** How long a job may be put off by a source that asks for patience, from its first claim. */
export const patienceMs = 3_600_000;

/** The wait before the next attempt after one that failed. */
export function backoffSeconds(attempt: number): number {
  return 2 ** attempt;
}
