import { schemaVersion } from "../../platform/contract.ts";

/** The header that every operation takes, once in the document. */
export const requestSchemaVersion = {
  name: "SVC-Schema-Version",
  in: "header" as const,
  required: false,
  description: "The schema version that the caller was written for. There is one; any other is `invalid_request`.",
  schema: { type: "string" as const, enum: [schemaVersion] },
  example: schemaVersion,
};

export const schemaVersionReference = { $ref: "#/components/parameters/SchemaVersion" };
