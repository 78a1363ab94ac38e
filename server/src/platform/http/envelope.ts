import { type Static, type TSchema, Type } from "typebox";
import { idPattern } from "../ids.ts";

/** The version of every body this service sends. */
export const schemaVersion = "2026-09-22";

export const RequestId = Type.String({
  pattern: idPattern("req"),
  description: "Names this request in the service's log; also sent as X-Request-Id.",
});

export const SchemaVersion = Type.Literal(schemaVersion);

/** The shape of every success. Its type is the data's alone: handlers return that, and the app wraps it. */
export function envelope<Data extends TSchema>(data: Data) {
  return Type.Unsafe<Static<Data>>(
    Type.Object({ data, request_id: RequestId, schema_version: SchemaVersion }, { additionalProperties: false }),
  );
}

/** The two ends of a success, for those who write the data between them themselves. */
export function envelopeEnds(requestId: string): { head: string; tail: string } {
  return { head: '{"data":', tail: `,"request_id":"${requestId}","schema_version":"${schemaVersion}"}` };
}
