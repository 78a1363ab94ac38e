import type { Static, TObject, TSchema } from "typebox";
import { Type } from "../platform/schema.ts";
import { type Need, needOf, type OperationId, type Principal } from "../domains/api-keys/index.ts";
import { OptionalIdempotencyKey, RequiredIdempotencyKey } from "../platform/http/server.ts";
import type { RequestTrace } from "../platform/traceparent.ts";
import { unnamedSchema } from "./schemas.ts";

/** Who calls a tool, and how the call is tied to its request. */
export type ToolCall = RequestTrace & {
  principal: Principal;
  /** What links to this service begin with. */
  origin: string;
  /** Aborts when the client has gone or canceled the call. */
  signal: AbortSignal;
  /** Tells the client that the call still waits, when the client wants to know; stops at the signal. */
  reportWaiting(totalSeconds: number, signal: AbortSignal): void;
};

/** How clients may treat a call, see the annotations of MCP tools. */
type Hints = { readOnlyHint: boolean; destructiveHint: boolean; idempotentHint: boolean; openWorldHint: boolean };

export const reads: Hints = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };
export const creates: Hints = { ...reads, readOnlyHint: false };
export const createsAgain: Hints = { ...creates, idempotentHint: false };
export const destroys: Hints = { ...creates, destructiveHint: true };

export type Tool = {
  name: string;
  title: string;
  description: string;
  annotations: Hints;
  need: Need;
  inputSchema: TSchema;
  outputSchema: TSchema;
  /** Its input fits the input schema. Resolves to the result's data. */
  run(call: ToolCall, input: unknown): Promise<object>;
};

type Definition<Input extends TObject> = {
  name: string;
  title: string;
  /** When to use it; what it costs is added from the table of needs, unless `costs` says it. */
  about: string;
  /** The price of an operation that takes its units later. */
  costs?: string;
  /** The operation of the API that the tool is, and whose rights, price and idempotency it has. */
  operation: OperationId;
  hints: Hints;
  input: Input;
  output: TObject;
  run(call: ToolCall, input: Static<Input> & { idempotency_key: string }): Promise<object>;
};

export function defineTool<Input extends TObject>(definition: Definition<Input>): Tool {
  const { name, title, about, operation, hints, input, output, run } = definition;
  const need = needOf(operation);
  const price = definition.costs ?? costs[need.units];
  return {
    name,
    title,
    description: `${about} ${price}`,
    annotations: hints,
    need,
    inputSchema: unnamedSchema({
      ...Type.Object({ ...input.properties, ...idempotencyInput[need.idempotency] }, { additionalProperties: false }),
      ...("minProperties" in input ? { minProperties: input.minProperties } : {}),
    }),
    outputSchema: orFailure(output),
    // The edge validates the input before it calls.
    run: (call, checked) => run(call, checked as Static<Input> & { idempotency_key: string }),
  };
}

/** The outcome or, alone, the error of a failed call: clients of 2025 hold both to the schema. */
function orFailure({ required, properties, ...output }: TObject): TSchema {
  return {
    ...output,
    properties: { ...properties, error: Type.Object({}) },
    anyOf: [{ required }, { required: ["error"] }],
  };
}

const costs = {
  0: "Costs no request unit.",
  1: "Costs one request unit with a live key; test keys get made-up data and pay nothing.",
} as const;

const idempotencyInput = {
  none: {},
  optional: {
    idempotency_key: Type.Optional(withoutOptional(OptionalIdempotencyKey.properties["Idempotency-Key"])),
  },
  required: { idempotency_key: RequiredIdempotencyKey.properties["Idempotency-Key"] },
} as const;

function withoutOptional(schema: TSchema): TSchema {
  return { ...schema, description: "Send the same key again after a timeout: the call is done and charged once." };
}
