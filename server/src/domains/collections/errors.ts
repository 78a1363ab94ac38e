import { defineError } from "../../platform/errors.ts";
import { shownId } from "../../platform/ids.ts";

export const CollectionNotFound = defineError(
  "not_found",
  "not_found",
  ({ collectionId }: { collectionId: string }) =>
    `There is no collection ${shownId(collectionId)}; collections are kept for a limited time, and only their own organization's keys of the same environment see them.`,
);

export const AreaInvalid = defineError(
  "invalid_request",
  "invalid",
  () => "The area cannot be used. Correct the request as details says and send it again.",
);

export const CollectionEndpointUnknown = defineError(
  "invalid_request",
  "invalid",
  () =>
    "The collection names a webhook endpoint that does not exist. Correct the request as details says and send it again.",
);

export const CollectingUnavailable = defineError(
  "capability_unavailable",
  "forbidden",
  () =>
    "Collections are not available to live keys here; they are when the operator has configured a source. Test keys get simulated ones.",
);

export const CollectionEnded = defineError(
  "state_conflict",
  "conflict",
  ({ collectionId, status, verb }: { collectionId: string; status: string; verb: string }) =>
    `Collection ${collectionId} is ${status} and cannot be ${verb}; create another one.`,
);

export const PlaceLookupFailed = defineError(
  "source_unavailable",
  "unavailable",
  ({ advice }: { advice?: string | undefined } = {}) =>
    advice === undefined
      ? "The place could not be looked up at the moment; send the same request again after Retry-After, or send a bbox."
      : `The place could not be looked up at the moment. ${advice}`,
);
