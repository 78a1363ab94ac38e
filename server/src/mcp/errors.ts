import { defineError } from "../platform/errors.ts";

export const ForeignHost = defineError(
  "foreign_origin",
  "forbidden",
  () =>
    "The Host or Origin of this request is not one that this service goes by; call it by its address, as localhost, or by the name in WAYPOST_PUBLIC_URL.",
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
