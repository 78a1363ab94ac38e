import type { FastifySchemaValidationError } from "fastify";
import { shownId } from "../ids.ts";

// A body of 64 KiB can hold thousands of violations; nobody reads that many.
const detailsMax = 100;

const fronts: Record<string, string> = { body: "", headers: "header ", querystring: "query ", params: "path " };

/** One sentence per violation, each naming the field as a JSON pointer and the rule it breaks. */
export function violations(errors: readonly FastifySchemaValidationError[], part: string): string[] {
  const front = fronts[part] ?? "";
  const told = errors.filter(isWorthTelling);
  const details = [
    ...new Set(told.map((error) => front + (isRepeated(error, part) ? repeated(error) : violation(error)))),
  ];
  if (details.length <= detailsMax) return details;
  return [...details.slice(0, detailsMax), `and ${details.length - detailsMax} more`];
}

type Violation = FastifySchemaValidationError & {
  data?: unknown;
  parentSchema?: { description?: string; pattern?: string; properties?: object; required?: readonly string[] };
};

/** An object with too few properties that has one of its choice lacks a required one, which another sentence says. */
function isWorthTelling({ keyword, data, parentSchema }: Violation): boolean {
  return keyword !== "minProperties" || !choices(parentSchema).some((name) => Object.hasOwn(Object(data), name));
}

/** The properties of an object that may be left out. */
function choices({ properties = {}, required = [] }: Violation["parentSchema"] = {}): string[] {
  return Object.keys(properties).filter((name) => !required.includes(name));
}

/** A parameter given twice reaches the schema as a list. */
function isRepeated({ keyword, data }: Violation, part: string): boolean {
  return part === "querystring" && keyword === "type" && Array.isArray(data);
}

function repeated({ instancePath }: Violation): string {
  return `${instancePath}: must be given once`;
}

function violation({ keyword, instancePath, params, message, parentSchema }: Violation): string {
  switch (keyword) {
    case "required":
      return `${instancePath}/${pointerPart(String(params["missingProperty"]))}: is required`;
    case "additionalProperties":
      return `${instancePath}/${pointerPart(shownName(String(params["additionalProperty"])))}: is not known here`;
    case "type":
      return `${instancePath || "/"}: must be ${article([params["type"]].flat().join(" or "))}`;
    case "minLength":
      return `${instancePath}: must have at least ${counted(params["limit"], "character")}`;
    case "maxLength":
      return `${instancePath}: must have at most ${counted(params["limit"], "character")}`;
    case "minItems":
      return `${instancePath}: must have at least ${counted(params["limit"], "item")}`;
    case "maxItems":
      return `${instancePath}: must have at most ${counted(params["limit"], "item")}`;
    case "minProperties":
      return `${instancePath || "/"}: must have at least one of ${choices(parentSchema).join(", ")}`;
    case "enum":
      return `${instancePath}: must be ${oneOf([params["allowedValues"]].flat())}`;
    case "minimum":
      return `${instancePath}: must be at least ${String(params["limit"])}`;
    case "maximum":
      return `${instancePath}: must be at most ${String(params["limit"])}`;
    case "pattern":
      return `${instancePath}: must be ${parentSchema?.description ?? `text that matches ${parentSchema?.pattern}`}`;
    default:
      return `${instancePath || "/"}: ${message ?? "does not fit"}`;
  }
}

/** A name of a megabyte is not repeated whole; an empty one is one. */
function shownName(name: string): string {
  return name === "" ? name : shownId(name);
}

function counted(limit: unknown, unit: string): string {
  return `${String(limit)} ${limit === 1 ? unit : `${unit}s`}`;
}

function oneOf(values: readonly unknown[]): string {
  return values.length === 1 ? String(values[0]) : `one of ${values.join(", ")}`;
}

function article(type: string): string {
  return /^[aeio]/.test(type) ? `an ${type}` : `a ${type}`;
}

function pointerPart(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}
