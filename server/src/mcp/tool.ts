import type { Static, TObject } from "typebox";
import { Type } from "../platform/schema.ts";
import { type Need, needOf, type OperationId, type Principal } from "../domains/api-keys/index.ts";
import { OptionalIdempotencyKey, RequiredIdempotencyKey } from "../platform/http/server.ts";
import type { RequestTrace } from "../platform/traceparent.ts";
import type { InputSchema } from "./schemas.ts";

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

/** How clients may treat a call, see the annotations of MCP tools. The last two say nothing about a tool that reads. */
type Hints = { readOnlyHint: boolean; openWorldHint: boolean; destructiveHint?: boolean; idempotentHint?: boolean };

export const reads: Hints = { readOnlyHint: true, openWorldHint: false };
export const creates: Hints = { ...reads, readOnlyHint: false, destructiveHint: false, idempotentHint: true };
export const createsAgain: Hints = { ...creates, idempotentHint: false };
export const destroys: Hints = { ...creates, destructiveHint: true };

export type Tool = {
  name: string;
  title: string;
  description: string;
  annotations: Hints;
  need: Need;
  inputSchema: InputSchema;
  /** The object of a REST body whose fields the tool takes as arguments of its own. */
  flattened: string | undefined;
  /** Its input fits the input schema. Resolves to the result's data. */
  run(call: ToolCall, input: unknown): Promise<object>;
};

type Definition<Input extends TObject> = {
  name: string;
  title: string;
  /** What it does and when to use it; what it costs, when it costs anything, is added from the table of needs. */
  about: string;
  /** The operation of the API that the tool is, and whose rights, price and idempotency it has. */
  operation: OperationId;
  hints: Hints;
  flattened?: string;
  input: Input;
  run(call: ToolCall, input: Static<Input> & { idempotency_key: string }): Promise<object>;
};

export function defineTool<Input extends TObject>(definition: Definition<Input>): Tool {
  const { name, title, about, operation, hints, flattened, input, run } = definition;
  const need = needOf(operation);
  return {
    name,
    title,
    description: need.units === 0 ? about : `${about} Costs one request unit.`,
    annotations: hints,
    need,
    flattened,
    inputSchema: {
      ...Type.Object({ ...input.properties, ...idempotencyInput[need.idempotency] }, { additionalProperties: false }),
      ...("minProperties" in input ? { minProperties: Number(input.minProperties) } : {}),
    },
    // The edge validates the input before it calls.
    run: (call, checked) => run(call, checked as Static<Input> & { idempotency_key: string }),
  };
}

const idempotencyInput = {
  none: {},
  optional: { idempotency_key: OptionalIdempotencyKey.properties["Idempotency-Key"] },
  required: { idempotency_key: RequiredIdempotencyKey.properties["Idempotency-Key"] },
} as const;
