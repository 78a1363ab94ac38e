import { readFile } from "node:fs/promises";
import openapiTS, { astToString, type OpenAPI3 } from "openapi-typescript";

type Responses = Record<string, { description?: string }>;
type Document = { webhooks?: unknown; paths: Record<string, Record<string, { responses: Responses }>> };

/** The SDK's types as they are committed: the API's routes and shapes, and the union of its error codes. */
export async function openApiTypes(): Promise<string> {
  const text = await readFile(new URL("../../server/openapi.json", import.meta.url), "utf8");
  const document = JSON.parse(text) as Document;
  const codes = errorCodes(document);
  const types = astToString(
    await openapiTS(publicPart(document) as unknown as OpenAPI3, { defaultNonNullable: false }),
  );
  return [
    "// Generated from server/openapi.json: `npm run openapi`.",
    "",
    types,
    "/** Every error code that the API documents. */",
    `export type ErrorCode =\n${codes.map((code) => `  | "${code}"`).join("\n")};`,
    "",
  ].join("\n");
}

/** The description of an error response names its codes between backticks. */
function errorCodes({ paths }: Document): string[] {
  const responses = Object.values(paths).flatMap((methods) =>
    Object.values(methods).flatMap((operation) => Object.entries(operation.responses).filter(isFailure)),
  );
  const codes = responses.flatMap(([, { description = "" }]) =>
    Array.from(description.matchAll(/`(\w+)`/g), ([, code = ""]) => code),
  );
  // Routes that are not there cannot document these.
  return [...new Set([...codes, "not_found", "method_not_allowed"])].sort();
}

/** Without operator routes; without failures, which all have the shape `Error`; without the headers of deliveries. */
function publicPart(document: Document): Document {
  const routes = Object.entries(document.paths).filter(([path]) => path.startsWith("/api/v1/"));
  const paths = routes.map(([path, methods]) => [
    path,
    Object.fromEntries(
      Object.entries(methods).map(([method, operation]) => {
        const successes = Object.entries(operation.responses).filter((response) => !isFailure(response));
        return [method, { ...operation, responses: Object.fromEntries(successes) }];
      }),
    ),
  ]);
  const { webhooks: _, ...rest } = document;
  return { ...rest, paths: Object.fromEntries(paths) };
}

function isFailure([status]: [string, unknown]): boolean {
  return /^[45]/.test(status);
}
