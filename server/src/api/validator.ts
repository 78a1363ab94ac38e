import { _, type Ajv, type AnySchema, type CodeKeywordDefinition, type KeywordCxt, type ValidateFunction } from "ajv";

/** How requests are validated: nothing is coerced, filled in or dropped, and every violation is named. */
export const validatorOptions = {
  customOptions: {
    coerceTypes: false,
    removeAdditional: false,
    useDefaults: false,
    allErrors: true,
    verbose: true,
    // Compiling the schema of schemas takes 60 ms of every start; a test holds every schema to it.
    validateSchema: false,
  },
  plugins: [compareItemsLinearly, stopAtItemsMax, compileOnFirstUse],
};

/**
 * Compiles a validator when the first request needs it, as the serializers are: compiling all of them takes half a
 * second of every start, and most are not used for a long time.
 */
function compileOnFirstUse(ajv: Ajv): Ajv {
  const compile = ajv.compile.bind(ajv) as (schema: AnySchema) => ValidateFunction;
  const compileLater = (schema: AnySchema) => {
    let compiled: ValidateFunction | undefined;
    const validate: Validate = (data) => {
      compiled ??= compile(schema);
      const isValid = compiled(data);
      validate.errors = compiled.errors;
      return isValid;
    };
    return validate;
  };
  return Object.assign(ajv, { compile: compileLater });
}

/** What Fastify needs of a validator. */
type Validate = { (data: unknown): boolean; errors?: ValidateFunction["errors"] };

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

/**
 * With `allErrors` Ajv looks at every item of an array that has too many, and makes an error for each: 32,000 wrong ones
 * in a body of 64 KiB took 200 ms. That there are too many says enough.
 */
function stopAtItemsMax(ajv: Ajv): Ajv {
  const items = ajv.getKeyword("items") as CodeKeywordDefinition; // one of Ajv's own, written as code
  ajv.removeKeyword("items");
  ajv.addKeyword({
    ...items,
    code(context: KeywordCxt) {
      const { gen, data, parentSchema } = context;
      const itemsMax: unknown = parentSchema["maxItems"];
      if (typeof itemsMax === "number") gen.if(_`${data}.length <= ${itemsMax}`, () => items.code(context));
      else items.code(context);
    },
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
