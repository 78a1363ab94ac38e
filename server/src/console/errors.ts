import { defineError } from "../platform/errors.ts";

export const ForeignOrigin = defineError(
  "foreign_origin",
  "forbidden",
  () => "This request came from another website; open the dashboard itself and try again.",
);

export const SessionChanged = defineError(
  "session_changed",
  "conflict",
  () =>
    "In another tab you switched the organization or signed in as somebody else, so nothing was done. Look at what the page shows now, then repeat it.",
);

export const NoSuchTile = defineError("not_found", "not_found", () => "There is no such square of the map.");

export const TilesBusy = defineError(
  "temporarily_unavailable",
  "unavailable",
  () => "Too many parts of the map are being drawn at this moment; they appear when the map is moved again.",
);
