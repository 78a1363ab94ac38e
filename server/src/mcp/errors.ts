import { defineError } from "../platform/errors.ts";

export const ForeignHost = defineError(
  "foreign_origin",
  "forbidden",
  ({ header, name }: { header: "Host" | "Origin"; name: string | undefined }) =>
    name === undefined
      ? `The ${header} of this request names no host; call the service by its address, as localhost, or by the name in WAYPOST_PUBLIC_URL.`
      : `${name}, the ${header} of this request, is not a name of this service. If it is yours, start the service with WAYPOST_PUBLIC_URL=https://${name}; otherwise call the service by its address or as localhost.`,
);

export const ToolNotFound = defineError(
  "not_found",
  "not_found",
  () => "There is no tool of that name; list the tools to see which there are.",
);

export const ResourceNotFound = defineError(
  "not_found",
  "not_found",
  () => "There is no resource of that address; list the resource templates to see which there are.",
);
