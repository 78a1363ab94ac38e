/** The command was not written as it must be. */
export class UsageProblem extends Error {}

type Coded = Error & { code: string; details: readonly string[] };

/** Says on standard error what went wrong; resolves to the exit code: 2 for wrong usage, else 1. */
export function explain(error: unknown, json: boolean): number {
  const { code, message, details } = describe(error);
  if (json) {
    console.error(JSON.stringify({ error: { code, message, details } }, null, 2));
  } else {
    console.error([message, ...details.map((detail) => `  ${detail}`)].join("\n"));
  }
  return error instanceof UsageProblem ? 2 : 1;
}

function describe(error: unknown): { code: string; message: string; details: readonly string[] } {
  if (error instanceof UsageProblem) return { code: "usage", message: error.message, details: [] };
  if (isCoded(error)) return error;
  return { code: "failed", message: error instanceof Error ? error.message : String(error), details: [] };
}

function isCoded(error: unknown): error is Coded {
  return error instanceof Error && error.name === "ServiceError";
}
