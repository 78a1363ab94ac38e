import type { Need } from "../../domains/api-keys/index.ts";
import { errorExamples } from "./example-values.ts";
import type { Schema } from "./examples.ts";

type Example = { message: string; details?: readonly string[] };

/** As much of an operation as its errors depend on. */
export type Failing = {
  operationId?: string | undefined;
  need?: Need | undefined;
  parameters: readonly { name?: string; in?: string; schema?: object }[];
  body?: Schema | undefined;
};

const nouns: Readonly<Record<string, string>> = {
  jobId: "scrape job job_01k5v7h2f4e8ka9s6c3d0b1x7m",
  collectionId: "collection col_01k5v7hz3me8ka9s6c3d0b1x7r",
  exportId: "export exp_01k5v7hq3me8ka9s6c3d0b1x7n",
  endpointId: "webhook endpoint whe_01k5v7gz9te8ka9s6c3d0b1x7p",
  deliveryId: "webhook delivery dlv_01k5v7h2f8e8ka9s6c3d0b1x7q",
};

/** What an error says when this operation fails with it; undefined for a code that has no example. */
export function errorExampleOf(code: string, failing: Failing): Example | undefined {
  return byCode[code]?.(failing) ?? errorExamples[code];
}

const byCode: Readonly<Record<string, (failing: Failing) => Example | undefined>> = {
  invalid_request: ({ parameters, body }) => {
    const [part, detail] = body ? bodyViolation(body) : parameterViolation(parameters);
    return { message: `${part} invalid. Correct the request as details says and send it again.`, details: [detail] };
  },
  insufficient_scope: ({ need }) =>
    need && {
      message: `This API key lacks the scope ${need.scope}; use a key that has it.`,
      details: [`scope: ${need.scope} is required`],
    },
  not_found: ({ operationId, parameters }) => {
    if (operationId === "downloadExport") return undefined;
    const named = parameters.find((parameter) => parameter.in === "path");
    const noun = nouns[named?.name ?? ""];
    return noun === undefined
      ? undefined
      : { message: `There is no ${noun}; only keys of its own organization and environment see it, while it is kept.` };
  },
  capability_unavailable: ({ operationId }) =>
    operationId === "createScrape"
      ? undefined
      : {
          message: `${operationId} is not available to live keys here, because no source is configured for it; use a test key, or ask the operator to configure a source.`,
        },
};

function bodyViolation({ required = [] }: Schema): [part: string, detail: string] {
  const [first] = required;
  return ["The request body is", first === undefined ? "/colour: is not known here" : `/${first}: is required`];
}

function parameterViolation(parameters: Failing["parameters"]): [part: string, detail: string] {
  const hasLimit = parameters.some(({ name }) => name === "limit");
  const detail = hasLimit
    ? "query /limit: must be a whole number from 1 to 100; 25 when absent"
    : "query /colour: is not known here";
  return ["The query parameters are", detail];
}
