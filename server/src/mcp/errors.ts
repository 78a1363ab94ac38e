import { defineError } from "../platform/errors.ts";

/** What has another name over REST. */
const toolWords = { "Idempotency-Key": "idempotency_key", "Retry-After": "retry_after_seconds" };

/** A sentence of an error in the words of tools. */
export function inToolWords(message: string): string {
  return Object.entries(toolWords).reduce((text, [rest, tool]) => text.replaceAll(rest, tool), message);
}

/** A detail that names the tool's argument, where REST has it in a query or in an object of the body. */
export function toolDetail(detail: string, flattened: string | undefined): string {
  const argument = detail.replace(/^query /, "");
  const front = `/${flattened}`;
  if (argument.startsWith(`${front}/`)) return argument.slice(front.length);
  return argument.startsWith(`${front}:`) ? `/${argument.slice(front.length)}` : argument;
}

export const CursorUnknown = defineError(
  "invalid_request",
  "invalid",
  () => "The cursor is not one of this list; list without a cursor to begin anew.",
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
