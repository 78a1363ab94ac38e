import { normalize } from "../../text/normalize.ts";
import { transliterations } from "../../text/transliterate.ts";
import type { Environment } from "../api-keys/index.ts";

/**
 * An export is *queued* when it was created and *running* from its first claim on, through retries
 * and lost workers. It ends as *ready* or *failed*; a ready one becomes *expired* when its file has
 * been kept long enough. Workers move it as long as they hold its lease, the retention loop expires
 * it, and each move is guarded in the statement that makes it.
 */
export const statuses = ["queued", "running", "ready", "failed", "expired"] as const;
export type Status = (typeof statuses)[number];

export const formats = ["csv", "json", "ndjson", "geojson", "xlsx", "parquet"] as const;
export type Format = (typeof formats)[number];

/** The formats that people open in a spreadsheet: they have the columns for people unless others are named. */
export const spreadsheets: ReadonlySet<Format> = new Set(["csv", "xlsx"]);

/** The media type of each format's files. */
export const mediaTypes: Record<Format, string> = {
  csv: "text/csv; charset=utf-8; header=present",
  json: "application/json",
  ndjson: "application/x-ndjson",
  geojson: "application/geo+json",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  parquet: "application/vnd.apache.parquet",
};

/** Why an export failed. */
export const errorCodes = ["storage_unavailable", "storage_full", "worker_lost", "internal_error"] as const;
export type ErrorCode = (typeof errorCodes)[number];

/** What is exported: the results of jobs, or those of a collection. Plain UUIDs. */
export type Subject = { jobIds: readonly string[]; collectionId: string | null };

/** Something whose records exports hold, by UUID. */
export type Held = { jobId: string } | { collectionId: string };

/** A file that is whole. */
export type StoredFile = {
  rowCount: number;
  sizeBytes: number;
  sha256: string;
  /** Its name in the storage. */
  key: string;
  /** Which storage has it. */
  storage: string;
};

export type Export = {
  /** TypeID, `exp_…`. */
  id: string;
  /** The same id as the database keeps it. */
  uuid: string;
  organizationId: string;
  environment: Environment;
  subject: Subject;
  format: Format;
  /** Names of the columns, in their order; null for all of them. */
  columns: readonly string[] | null;
  /** What it holds in a few words; null in exports from before this was kept. */
  title: string | null;
  status: Status;
  errorCode: ErrorCode | null;
  file: StoredFile | null;
  requestId: string;
  /** The trace that it belongs to, as W3C writes it. */
  traceparent: string | null;
  /** Plain UUID. */
  webhookEndpointId: string | null;
  createdAt: Date;
  expiresAt: Date | null;
};

/** An export as its worker sees it. */
export type ClaimedExport = Export & {
  leaseToken: number;
  /** How often it was claimed, this time included. */
  attempt: number;
  /** Of these, how often the worker was lost. */
  losses: number;
  /** It lost a worker before, so that no other such export runs beside it. */
  isQuarantined: boolean;
  startedAt: Date;
};

export const jobsMax = 100;
/** Exports of one organization that wait or run at the same time. */
export const unfinishedMax = 100;
export const fileDays = 7;
export const linkMinutes = 15;
export const leaseSeconds = 15;
export const lossesMax = 4;

/** The waits between attempts; when they are used up, an export has failed. */
const backoffsSeconds = [5, 30, 120, 600];
export const attemptsMax = backoffsSeconds.length + 1;

/** The wait after so many failed attempts; undefined when that was the last. */
export function backoffSeconds(failures: number): number | undefined {
  return backoffsSeconds[failures - 1];
}

export function isFinished(status: Status): boolean {
  return status !== "queued" && status !== "running";
}

const nameLengthMax = 80;

/** The name under which a file is downloaded: what it holds and the day, such as `dentists-vaduz-2026-11-18.csv`. */
export function fileName({
  id,
  format,
  title,
  createdAt,
}: Pick<Export, "id" | "format" | "title" | "createdAt">): string {
  if (title === null) return `waypost-${id}.${format}`;
  const phrase = normalize(title).join(" ");
  const [latin = phrase] = transliterations(phrase);
  const words = (latin.match(/[a-z0-9]+/g) ?? []).join("-").slice(0, nameLengthMax).replace(/-$/, "");
  return `${words || "businesses"}-${createdAt.toISOString().slice(0, 10)}.${format}`;
}
