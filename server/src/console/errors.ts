import { defineError } from "../platform/errors.ts";

export const ForeignOrigin = defineError(
  "foreign_origin",
  "forbidden",
  () => "This request came from another website; open the dashboard itself and try again.",
);
