import type { FileMetaData, SchemaElement } from "hyparquet";
import { openGroup, type Wanted } from "../parquet/group.ts";
import type { ReadBytes } from "../parquet/pages.ts";

type Row = Readonly<Record<string, unknown>>;

/** What is read of a row; a release may leave columns out. */
const wanted = {
  id: one("id"),
  geometry: one("geometry", asIs),
  xmin: one("bbox.xmin", asIs),
  xmax: one("bbox.xmax", asIs),
  ymin: one("bbox.ymin", asIs),
  ymax: one("bbox.ymax", asIs),
  name: one("names.primary"),
  languages: all("names.common", "key"),
  names: all("names.common", "value"),
  category: one("categories.primary"),
  categories: all("categories.alternate"),
  basicCategory: one("basic_category"),
  taxon: one("taxonomy.primary"),
  hierarchy: all("taxonomy.hierarchy"),
  alternates: all("taxonomy.alternates"),
  alternate: all("taxonomy.alternate"),
  status: one("operating_status"),
  confidence: one("confidence", asIs),
  sourceProperties: all("sources", "property"),
  sourceDataSets: all("sources", "dataset"),
  sourceLicenses: all("sources", "license"),
  sourceTimes: all("sources", "update_time"),
  websites: all("websites"),
  socials: all("socials"),
  emails: all("emails"),
  phones: all("phones"),
  brand: one("brand.names.primary"),
  freeform: firstOf("addresses", "freeform"),
  locality: firstOf("addresses", "locality"),
  region: firstOf("addresses", "region"),
  postcode: firstOf("addresses", "postcode"),
  country: firstOf("addresses", "country"),
} satisfies Record<string, Wanted>;

type Column = keyof typeof wanted;
const columns = Object.keys(wanted) as Column[];

/** Reads the rows of one row group in their order, in the shape in which a release tells of a place. */
export function openRows(metadata: FileMetaData, group: number, readBytes: ReadBytes) {
  const leaves = openGroup(metadata, group, Object.values(wanted), readBytes);
  return {
    async read(from: number, count: number): Promise<Row[]> {
      const cells: Partial<Record<Column, unknown[]>> = {};
      // One after the other: each keeps a page in memory while it reads.
      for (const [index, leaf] of leaves.entries()) {
        const column = columns[index];
        if (leaf && column) cells[column] = await leaf.read(from, count);
      }
      return Array.from({ length: count }, (_, row) => rowOf((column) => cells[column]?.[row]));
    },
  };
}

function rowOf(cell: (column: Column) => unknown): Row {
  return {
    id: cell("id"),
    geometry: cell("geometry"),
    bbox: { xmin: cell("xmin"), xmax: cell("xmax"), ymin: cell("ymin"), ymax: cell("ymax") },
    names: { primary: cell("name"), common: zip({ key: cell("languages"), value: cell("names") }) },
    categories: { primary: cell("category"), alternate: cell("categories") },
    basic_category: cell("basicCategory"),
    taxonomy: {
      primary: cell("taxon"),
      hierarchy: cell("hierarchy"),
      alternates: cell("alternates") ?? cell("alternate"),
    },
    operating_status: cell("status"),
    confidence: cell("confidence"),
    sources: zip({
      property: cell("sourceProperties"),
      dataset: cell("sourceDataSets"),
      license: cell("sourceLicenses"),
      update_time: cell("sourceTimes"),
    }),
    websites: cell("websites"),
    socials: cell("socials"),
    emails: cell("emails"),
    phones: cell("phones"),
    brand: { names: { primary: cell("brand") } },
    addresses: [
      {
        freeform: cell("freeform"),
        locality: cell("locality"),
        region: cell("region"),
        postcode: cell("postcode"),
        country: cell("country"),
      },
    ],
  };
}

/** A list of groups from the lists of their fields, which are as long as each other where they are there at all. */
function zip(fields: Readonly<Record<string, unknown>>): Row[] {
  const lists = Object.entries(fields).map(([name, values]) => [name, Array.isArray(values) ? values : []] as const);
  const length = Math.max(...lists.map(([, values]) => values.length));
  return Array.from({ length }, (_, at) => Object.fromEntries(lists.map(([name, values]) => [name, values[at]])));
}

function one(path: string, make: Wanted["make"] = textOf): Wanted {
  return { names: path.split("."), takes: "one", make };
}

/** Every element of a list, or of one of its fields. */
function all(path: string, last?: string): Wanted {
  return { names: path.split("."), takes: "all", make: textOf, ...(last === undefined ? {} : { last }) };
}

/** A field of the first element of a list. */
function firstOf(path: string, last: string): Wanted {
  return { names: path.split("."), last, takes: "one", make: textOf };
}

function asIs(value: unknown): unknown {
  return value;
}

/** A file may have ids as the sixteen bytes that they stand for. */
function textOf(value: unknown, element: SchemaElement | undefined): unknown {
  if (!(value instanceof Uint8Array)) return undefined;
  const bytes = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  if (element?.logical_type?.type !== "UUID") return bytes.toString();
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}
