import { defineError } from "../../../platform/errors.ts";
import { shownId } from "../../../platform/ids.ts";

export const DeliveryNotFound = defineError(
  "not_found",
  "not_found",
  ({ deliveryId }: { deliveryId: string }) =>
    `There is no webhook delivery ${shownId(deliveryId)}; list the deliveries of an endpoint to see their ids.`,
);

export const AttemptRunning = defineError(
  "state_conflict",
  "conflict",
  ({ deliveryId }: { deliveryId: string }) =>
    `An attempt of webhook delivery ${deliveryId} is running; wait for its outcome before sending it again.`,
);
