/** Settings are declared with these; service/config reads them from the environment, once. */
export type Parse<Value> = (value: string) => Value;
export type Setting<Value> = {
  /** The environment variable. */
  name: string;
  fallback: string | undefined;
  read(value: string | undefined): Value;
  about: string;
  /** Its value is never shown, not even when it is wrong. */
  isSecret?: true;
};

export function setting<Value>(name: string, fallback: string, parse: Parse<Value>, about: string): Setting<Value>;
export function setting<Value>(
  name: string,
  fallback: undefined,
  parse: Parse<Value>,
  about: string,
): Setting<Value | undefined>;
export function setting<Value>(name: string, fallback: string | undefined, parse: Parse<Value>, about: string) {
  // An empty variable counts as unset, as in a compose file that passes everything on.
  const read = (value: string | undefined) => {
    const given = value?.trim() || fallback;
    return given === undefined ? undefined : parse(given);
  };
  return { name, fallback, read, about };
}

export function secret<Value>(declared: Setting<Value>): Setting<Value> {
  return { ...declared, isSecret: true };
}

export function integer(min: number, max: number): Parse<number> {
  return (value) => {
    const number = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN;
    if (number >= min && number <= max) return number;
    throw new Error(`must be a whole number from ${min} to ${max}; set it to one, or unset it for the default`);
  };
}

/** A number that need not be whole. */
export function decimal(min: number, max: number): Parse<number> {
  return (value) => {
    const number = /^\d{1,9}(\.\d{1,9})?$/.test(value) ? Number(value) : Number.NaN;
    if (number >= min && number <= max) return number;
    throw new Error(`must be a number from ${min} to ${max}; set it to one, or unset it for the default`);
  };
}

export function text(lengthMin = 1): Parse<string> {
  return (value) => {
    if (value.length >= lengthMin) return value;
    throw new Error(`must have at least ${lengthMin} characters; set a longer one, or unset it for the default`);
  };
}

/** A text that is sent in a header: other letters would arrive as something else, or not at all. */
export function headerText(value: string): string {
  if (/^[\x20-\x7e]+$/.test(value)) return value;
  throw new Error("must be of ASCII letters, digits and signs alone; write it with those, or unset it");
}

export function oneOf<const Choices extends readonly string[]>(...choices: Choices): Parse<Choices[number]> {
  return (value) => {
    const choice = choices.find((known) => known === value);
    if (choice !== undefined) return choice;
    throw new Error(`must be one of ${choices.join(", ")}; set it to one of them, or unset it for the default`);
  };
}

export function list(value: string): string[] {
  return value
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");
}

export function httpUrl(value: string): string {
  if (URL.canParse(value) && /^https?:/.test(value)) return value;
  throw new Error("must be a URL that begins with https:// or http://; set one, or unset it for the default");
}

/** A URL that paths are put behind: a query, a fragment or a password in it would end up in every call or link. */
export function address(value: string): string {
  if (!/[?#@]/.test(httpUrl(value))) return value.replace(/\/+$/, "");
  throw new Error(
    "must be an address without ?, # and @; write one such as https://api.example.com, or unset it for the default",
  );
}

/** Every problem of a configuration, one line each: the variable, what is wrong with it, and the fix. */
export class ConfigProblem extends Error {
  constructor(lines: readonly string[]) {
    super(lines.join("\n"));
    this.name = "ConfigProblem";
  }
}
