import type { FileMetaData, RowGroup, SchemaElement } from "hyparquet";
import { type Leaf, type LeafReader, openLeaf } from "./leaf.ts";
import type { ReadBytes } from "./pages.ts";

/** What is wanted of a row: where it stands in the schema, and how it is taken. */
export type Wanted = {
  names: readonly string[];
  last?: string;
  make: (value: unknown, element: SchemaElement | undefined) => unknown;
} & Pick<Leaf, "takes">;

/** Deeper than any table that people make. */
const levelsMax = 200;

/** Opens the columns of a row group that are wanted; undefined for those that it does not have. */
export function openGroup(
  { row_groups: groups, schema }: FileMetaData,
  group: number,
  wanted: readonly Wanted[],
  readBytes: ReadBytes,
): (LeafReader | undefined)[] {
  const paths = leafPaths(schema);
  return wanted.map((want) => {
    const path = paths.find((each) => isWanted(each, want));
    const column = path && columnAt(groups[group], path);
    const make = (value: unknown) => want.make(value, path?.at(-1));
    return column && openLeaf({ column, path, takes: want.takes, make }, readBytes);
  });
}

/** A column of a table: its name has a dot between the groups that it stands in. */
export type TableColumn = { name: string; path: readonly SchemaElement[]; takes: Leaf["takes"] };

/** Every column of a table; the entries of a list or map are one column each. */
export function columnsIn(schema: readonly SchemaElement[]): TableColumn[] {
  return leafPaths(schema)
    .filter((path) => path.length <= levelsMax)
    .map((path) => {
      const isList = path.some(({ repetition_type: repetition }) => repetition === "REPEATED");
      return { name: nameOf(path), path, takes: isList ? "all" : "one" };
    });
}

/** What between the names spells a list is left out. */
function nameOf(path: readonly SchemaElement[]): string {
  const isListLevel = (level: number) => path[level]?.repetition_type === "REPEATED" && level + 1 < path.length;
  const names = path.filter(({ name }, level) => {
    const isElement = isListLevel(level - 1) && /^(?:element|item|array|array_element)$/.test(name);
    return !isListLevel(level) && !isElement;
  });
  return names.map(({ name }) => name).join(".");
}

/** Opens one column of a row group; undefined where the group lacks it. */
export function openColumn(
  { row_groups: groups }: FileMetaData,
  group: number,
  { path, takes, make }: TableColumn & { make: (value: unknown) => unknown },
  readBytes: ReadBytes,
): LeafReader | undefined {
  const column = columnAt(groups[group], path);
  return column && openLeaf({ column, path, takes, make }, readBytes);
}

function columnAt(group: RowGroup | undefined, path: readonly SchemaElement[]) {
  const chunk = group?.columns.find(({ meta_data: column }) => {
    const names = column?.path_in_schema ?? [];
    return names.length === path.length && path.every(({ name }, level) => name === names[level]);
  });
  if (chunk?.file_path) throw new Error("A column is in another file.");
  return chunk?.meta_data;
}

/** What lies between the names is how the writer spells a list or a map. */
function isWanted(path: readonly SchemaElement[], { names, last, takes }: Wanted): boolean {
  const isBelow = names.every((name, level) => path[level]?.name === name);
  if (!isBelow || path.length > levelsMax) return false;
  const isRepeated = path.some(({ repetition_type: repetition }) => repetition === "REPEATED");
  if (last !== undefined) return isRepeated && path.at(-1)?.name === last;
  return takes === "all" ? isRepeated : path.length === names.length && !isRepeated;
}

/** The schema is a tree written flat: each group is followed by as many children as it says. */
function leafPaths(schema: readonly SchemaElement[]): SchemaElement[][] {
  const paths: SchemaElement[][] = [];
  const open: { element: SchemaElement; left: number }[] = [];
  for (const element of schema.slice(1)) {
    const children = element.num_children ?? 0;
    if (children > 0) {
      open.push({ element, left: children });
      continue;
    }
    paths.push([...open.map((each) => each.element), element]);
    for (let parent = open.at(-1); parent && (parent.left -= 1) === 0; parent = open.at(-1)) open.pop();
  }
  return paths;
}
