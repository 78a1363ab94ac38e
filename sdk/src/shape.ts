/** What an answer must have to be one of Waypost's. Only what this package itself relies on: a newer service may add. */
export type Shape = "text" | "list" | "cursor" | { readonly [name: string]: Shape };

/** A thing with a state: a job, a collection, an export, an endpoint, a delivery. */
export const resource = { data: { id: "text", status: "text" } } as const satisfies Shape;
export const deletion = { data: { id: "text" } } as const satisfies Shape;
export const listPage = { data: "list", pagination: { next_cursor: "cursor" } } as const satisfies Shape;
export const resultsPage = {
  data: { records: "list", job_status: "text", next_cursor: "cursor" },
} as const satisfies Shape;

export function hasShape(value: unknown, shape: Shape): boolean {
  if (shape === "text") return typeof value === "string";
  if (shape === "list") return Array.isArray(value);
  if (shape === "cursor") return value === null || typeof value === "string";
  if (typeof value !== "object" || value === null) return false;
  const parts = value as Record<string, unknown>;
  return Object.entries(shape).every(([name, part]) => hasShape(parts[name], part));
}
