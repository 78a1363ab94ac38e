import { defineError } from "../../platform/errors.ts";

export const OrganizationNotFound = defineError("not_found", "not_found", ({ named }: { named: string }) =>
  named
    ? `There is no organization ${named}.`
    : "There is no organization yet; start the service once, and it makes the first.",
);

export const OrganizationAmbiguous = defineError(
  "invalid_request",
  "invalid",
  ({ ids }: { ids: readonly string[] }) =>
    `Say which organization, by its id: ${ids.join(", ")}. Add --help to see how.`,
);

export const OrganizationInvalid = defineError(
  "invalid_request",
  "invalid",
  () => "The request does not fit the rules for organizations.",
);
