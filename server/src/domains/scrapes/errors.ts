import { defineError } from "../../platform/errors.ts";
import { shownId } from "../../platform/ids.ts";

export const ScrapeNotFound = defineError(
  "not_found",
  "not_found",
  ({ jobId }: { jobId: string }) =>
    `There is no scrape job ${shownId(jobId)}; jobs are kept for a limited time, and only their own organization's keys of the same environment see them.`,
);

export const OperationUnavailable = defineError(
  "capability_unavailable",
  "forbidden",
  ({ operation }: { operation: string }) =>
    `${operation} is not available to live keys here; places.search is when the operator has configured a source. Test keys get fixtures.`,
);

export const EndpointUnknown = defineError(
  "invalid_request",
  "invalid",
  () => "The job names a webhook endpoint that does not exist. Correct the request as details says and send it again.",
);
