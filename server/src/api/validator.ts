import type { Ajv } from "ajv";

/** How requests are validated: nothing is coerced, filled in or dropped, and every violation is named. */
export const validatorOptions = {
  customOptions: {
    coerceTypes: false,
    removeAdditional: false,
    useDefaults: false,
    allErrors: true,
    verbose: true,
  },
  plugins: [compareItemsLinearly],
};

/**
 * Ajv compares every item with every other where it does not know their type, and with `allErrors`
 * also beyond `maxItems`: a body of 64 KiB would stop the process for seconds. This looks each item
 * up once.
 */
function compareItemsLinearly(ajv: Ajv): Ajv {
  ajv.removeKeyword("uniqueItems");
  ajv.addKeyword({
    keyword: "uniqueItems",
    type: "array",
    schemaType: "boolean",
    validate: (mustBeUnique: boolean, items: readonly unknown[]) =>
      !mustBeUnique || new Set(items.map(identityOf)).size === items.length,
    error: { message: "must not have the same item twice" },
  });
  return ajv;
}

function identityOf(item: unknown): unknown {
  if (typeof item !== "object" || item === null) return item;
  try {
    return JSON.stringify(item);
  } catch {
    return item; // nested too deep to be written: equal to itself alone
  }
}
