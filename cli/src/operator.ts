import type { Operator } from "@waypost/server/operator";
import type { Values } from "./command.ts";
import { UsageProblem } from "./failures.ts";

/** Opens the installation of the environment. Help and usage errors answer without the server's code. */
export async function openOperator(): Promise<Operator> {
  const [{ readConfig }, operator] = await Promise.all([
    import("@waypost/server/config"),
    import("@waypost/server/operator"),
  ]);
  return operator.openOperator(readConfig());
}

/** Runs work with the operator's verbs. */
export async function withOperator<Result>(work: (operator: Operator) => Promise<Result>): Promise<Result> {
  const operator = await openOperator();
  try {
    return await work(operator);
  } finally {
    await operator.close();
  }
}

export function optional(values: Values, name: string): string | undefined {
  const value = values[name];
  return typeof value === "string" ? value : undefined;
}

export function required(values: Values, name: string): string {
  const value = optional(values, name);
  if (value === undefined) throw new UsageProblem(`--${name} is required; add --help to see how.`);
  return value;
}
