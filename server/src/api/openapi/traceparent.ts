const shape = {
  name: "traceparent",
  in: "header" as const,
  required: false,
  schema: { type: "string" as const },
  example: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
};

/** The header of W3C Trace Context that every operation takes, once in the document. */
export const requestTraceparent = {
  ...shape,
  description:
    "The caller's trace, as in W3C Trace Context. Log lines carry its `trace_id`; a job, collection or export keeps it " +
    "and sends it with its webhooks. One that is not valid is ignored, `tracestate` is not read, and no answer carries either.",
};

export const deliveryTraceparent = {
  ...shape,
  description: "The trace of the request that the event goes back to, where that named one.",
};

export const traceparentReference = { $ref: "#/components/parameters/Traceparent" };
