import { defineError, type ServiceError } from "../../platform/errors.ts";
import { shownId } from "../../platform/ids.ts";
import { unfinishedMax } from "./export.ts";

export const ExportNotFound = defineError(
  "not_found",
  "not_found",
  ({ exportId }: { exportId: string }) =>
    `There is no export ${shownId(exportId)}; exports are kept for a limited time, and only their own organization's keys of the same environment see them.`,
);

export const ExportedNotFound = defineError(
  "not_found",
  "not_found",
  ({ what }: { what: string }) =>
    `${shownId(what)} is not there to be exported; only the keys of its own organization and environment see it, and for a limited time.`,
);

export const NothingToExport = defineError(
  "state_conflict",
  "conflict",
  () =>
    "Nothing is stored of what you want to export. What still runs can be exported once it has results; what has ended without any stays empty.",
);

export const TooManyExports = defineError(
  "rate_limited",
  "limit_reached",
  () =>
    `${unfinishedMax} exports of the organization wait or run already, which is the most there can be; send the same request again after Retry-After, when some have ended.`,
);

export const ExportTargetUnclear = defineError(
  "invalid_request",
  "invalid",
  () => "The request does not say what to export. Correct the request as details says and send it again.",
);

export const ExportColumnUnknown = defineError(
  "invalid_request",
  "invalid",
  () =>
    "The export names a column that does not exist; docs/reference/export-columns.md lists them. Correct the request as details says and send it again.",
);

export const ExportEndpointUnknown = defineError(
  "invalid_request",
  "invalid",
  () =>
    "The export names a webhook endpoint that does not exist. Correct the request as details says and send it again.",
);

/** The same for a link with a wrong signature and for an export that never existed. */
export const DownloadNotFound = defineError(
  "not_found",
  "not_found",
  () => "This download link is not valid; read the export with your API key and use its download_url as it is.",
);

export const LinkExpired = defineError(
  "export_expired",
  "gone",
  () => "This download link has expired; read the export with your API key again for a fresh download_url.",
);

export const FileExpired = defineError(
  "export_expired",
  "gone",
  ({ exportId }: { exportId: string }) =>
    `The file of export ${exportId} is no longer kept; create a new export of the same results.`,
);

export const PreconditionFailed = defineError(
  "precondition_failed",
  "invalid",
  () => "The file of this link is not the one that If-Match names; send the request without If-Match to get it.",
);

export const RangeNotSatisfiable = defineError(
  "range_not_satisfiable",
  "invalid",
  ({ sizeBytes }: { sizeBytes: number }) =>
    `The file has ${sizeBytes} bytes and the range begins behind them; ask for a range inside the file.`,
);

/** How long the file is that a range was behind the end of. */
export function missedBytes({ code, facts }: ServiceError): number | undefined {
  if (code !== RangeNotSatisfiable.code) return undefined;
  return (facts as { sizeBytes: number }).sizeBytes; // the facts that the definition above takes
}

export const StorageUnavailable = defineError(
  "temporarily_unavailable",
  "unavailable",
  () => "The storage of export files does not answer at the moment; send the same request again after Retry-After.",
);

export const FileElsewhere = defineError(
  "temporarily_unavailable",
  "unavailable",
  () =>
    "The file is on another machine of this installation; send the request again, which may reach that machine, or tell the operator that the machines need a shared folder or S3 storage for exports.",
);
