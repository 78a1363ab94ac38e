import { defineError } from "../../../platform/errors.ts";

export const StreamLimitReached = defineError(
  "state_conflict",
  "conflict",
  ({ streamsMax }: { streamsMax: number }) =>
    `The organization has ${streamsMax} open event streams, which is the most there can be; close one first.`,
);
