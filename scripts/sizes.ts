import { dirname } from "node:path";
import { parseSync } from "oxc-parser";

const functionLinesMax = 70;
const folderFilesMax = 20;

/** Why a function is longer or a folder larger, by `file name` or `folder`. At most a dozen of each. */
export const reasons: ReadonlyMap<string, string> = new Map([
  ["cli/src", "a file for each command, and what they share"],
  ["dashboard/src/parts", "a file for each part of pages; groups would cut what pages share"],
  ["sdk/src", "a file for each resource of the API, and the transport"],
  ["server/src/platform", "small things without a noun of the product, each on its own"],
  ["server/src/platform/postgres", "what the database needs, from connections to copies"],
  ["server/src/sources/webmap", "a parser for each part of an answer"],
  ["server/test", "what tests of several rooms share"],
  ["dashboard/src/pages/new-collection.tsx CollectionForm", "the markup of one form, read from top to bottom"],
  ["dashboard/src/pages/playground.tsx PlaygroundPage", "the markup of one form, read from top to bottom"],
  ["dashboard/src/parts/endpoint-actions.tsx EndpointActions", "the markup of one form, read from top to bottom"],
  ["server/src/api/openapi/example-values.ts exampleValues", "an example for each operation"],
  ["server/src/domains/collections/routes.ts collectionRoutes", "each route declares its contract and calls one verb"],
  ["server/src/domains/scrapes/routes.ts scrapeRoutes", "each route declares its contract and calls one verb"],
  ["server/src/domains/webhooks/routes.ts webhookRoutes", "each route declares its contract and calls one verb"],
  [
    "server/src/domains/scrapes/queue/store.ts updateCollected",
    "one statement, so that nothing comes between its parts",
  ],
  [
    "server/src/domains/webhooks/dispatch/store.ts claimDeliveries",
    "one statement, so that nothing comes between its parts",
  ],
  ["server/src/mcp/webhook-tools.ts webhookTools", "each tool declares its contract and calls one verb"],
  ["server/src/sources/webmap/listing.ts", "a field of a listing on each line"],
]);

type Size = { name: string; lines: number };

/** Folders with more files than one looks through. */
export function bigFolders(files: readonly string[]): Size[] {
  const byFolder = Map.groupBy(files, (path) => dirname(path));
  return [...byFolder]
    .filter(([, inside]) => inside.length > folderFilesMax)
    .map(([name, inside]) => ({ name, lines: inside.length }));
}

type Node = { type: string; start: number; end: number; id?: { name?: string } | null };

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";
const isFunction = ({ type }: Node) => /^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(type);

/**
 * Functions with more lines of their own than fit on a screen: blank lines, comments and the lines of functions inside
 * do not count.
 */
export function longFunctions(path: string, source: string): Size[] {
  const found: Size[] = [];
  const { program, comments } = parseSync(path, source);
  let text = source;
  for (const { start, end } of comments) {
    text = text.slice(0, start) + text.slice(start, end).replaceAll(/[^\n]/g, " ") + text.slice(end);
  }
  const linesOf = ({ start, end }: Node) =>
    text
      .slice(start, end)
      .split("\n")
      .filter((line) => line.trim() !== "").length;

  /** The lines that functions inside a node take. */
  function visit(value: unknown): number {
    if (Array.isArray(value)) return value.reduce<number>((sum, each) => sum + visit(each), 0);
    if (!isNode(value)) return 0;
    const inside = Object.values(value).reduce<number>((sum, each) => sum + visit(each), 0);
    if (!isFunction(value)) return inside;
    const lines = linesOf(value);
    if (lines - inside > functionLinesMax) {
      found.push({ name: `${path} ${value.id?.name ?? ""}`.trim(), lines: lines - inside });
    }
    return lines > 1 ? lines : 0;
  }

  visit(program);
  return found;
}
