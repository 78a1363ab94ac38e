/** What ties work to the request that it goes back to: in our own logs, and in the caller's traces. */
export type RequestTrace = { requestId: string; traceparent: string | null };

/** Reads the W3C header `traceparent`; one that is not valid counts as none. */
export function parseTraceparent(header: string | string[] | undefined): string | null {
  if (typeof header !== "string") return null;
  const [, version, traceId, parentId, flags, rest] =
    /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/.exec(header) ?? [];
  if (version === undefined || version === "ff" || (version === "00" && rest !== undefined)) return null;
  if (traceId === undefined || /^0+$/.test(traceId) || parentId === undefined || /^0+$/.test(parentId)) return null;
  // A later version begins with the same fields; we speak the first.
  return `00-${traceId}-${parentId}-${flags}`;
}

/** The fields by which a log line is found from its request and its trace. */
export function traceFields({ requestId, traceparent }: RequestTrace) {
  return { request_id: requestId, trace_id: traceIdOf(traceparent) };
}

/** Undefined, which log lines leave out, where there is no trace. */
export function traceIdOf(traceparent: string | null): string | undefined {
  return traceparent?.slice(3, 35);
}
