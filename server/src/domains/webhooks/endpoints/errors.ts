import { defineError } from "../../../platform/errors.ts";
import { shownId } from "../../../platform/ids.ts";

export const EndpointNotFound = defineError(
  "not_found",
  "not_found",
  ({ endpointId }: { endpointId: string }) =>
    `There is no webhook endpoint ${shownId(endpointId)}; list them to see their ids.`,
);

export const EndpointUrlRefused = defineError(
  "invalid_request",
  "invalid",
  () => "The webhook URL cannot be used. Correct it as details says and send the request again.",
);

export const EndpointLimitReached = defineError(
  "state_conflict",
  "conflict",
  ({ endpointsMax }: { endpointsMax: number }) =>
    `The organization has ${endpointsMax} webhook endpoints, which is the most there can be; delete one first.`,
);

export const SecretNotShownAgain = defineError(
  "state_conflict",
  "conflict",
  ({ endpointId }: { endpointId: string }) =>
    `This call made webhook endpoint ${endpointId}, whose secret has been replaced since; rotate it to get one that you know.`,
);

export const EndpointNotActive = defineError(
  "state_conflict",
  "conflict",
  ({ endpointId, status }: { endpointId: string; status: string }) =>
    `Webhook endpoint ${endpointId} is ${status}; activate it before sending to it.`,
);

export const EndpointTargetRefused = defineError(
  "state_conflict",
  "conflict",
  ({ endpointId }: { endpointId: string }) =>
    `The URL of webhook endpoint ${endpointId} can no longer be used, as details says. Give the endpoint another url.`,
);
