import type { Values } from "../command.ts";
import { UsageProblem } from "../failures.ts";

export function text(values: Values, name: string): string | undefined {
  const value = values[name];
  return typeof value === "string" ? value : undefined;
}

export function wholeNumber(values: Values, name: string, min = 0, max = Infinity): number | undefined {
  const value = text(values, name);
  if (value === undefined) return undefined;
  if (!/^\d{1,9}$/.test(value)) throw new UsageProblem(`--${name} takes a whole number; '${value}' is none.`);
  if (Number(value) < min || Number(value) > max) {
    throw new UsageProblem(`--${name} must be ${max === Infinity ? `at least ${min}` : `${min} to ${max}`}.`);
  }
  return Number(value);
}

export function list(values: Values, name: string): string[] | undefined {
  return text(values, name)
    ?.split(",")
    .map((each) => each.trim())
    .filter(Boolean);
}

export function oneId(words: readonly string[], prefix: string, how: string): string {
  const [id] = words;
  if (id === undefined) throw new UsageProblem(`Give one ${prefix}_… id; ${how}`);
  if (!new RegExp(`^${prefix}_[0-9a-z]{26}$`).test(id)) {
    throw new UsageProblem(`'${id}' is no ${prefix}_… id; ${how}`);
  }
  return id;
}
