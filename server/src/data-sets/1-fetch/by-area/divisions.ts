import { parquetReadObjects } from "hyparquet";
import { compressors } from "hyparquet-compressors";
import { wkbToGeojson } from "hyparquet/src/wkb.js";
import type { Box, Point, Polygons } from "../../../geography/points.ts";
import { type Extent, extentOfPolygons, insideOf } from "../../../geography/extent.ts";
import { phraseOf } from "../../../text/words.ts";
import type { Fetching } from "../ranges.ts";
import { fetchPart, type Group, groupsTouching, type RemoteTable } from "./remote-table.ts";

type Row = Readonly<Record<string, unknown>>;
/** A division's row without its outline, and where that is. */
export type Division = { row: Row; box: Box; table: RemoteTable; group: Group; at: number };

/** Overture's kinds of division as OpenStreetMap tags them; what is no area of a question is left out. */
const tagsBySubtype: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  country: { admin_level: "2", place: "country" },
  dependency: { admin_level: "2", place: "country" },
  region: { admin_level: "4", place: "state" },
  county: { admin_level: "6" },
  localadmin: { admin_level: "8" },
  locality: { admin_level: "8", place: "town" },
  borough: { admin_level: "9", place: "suburb" },
  macrohood: { admin_level: "9", place: "suburb" },
  neighborhood: { admin_level: "10", place: "suburb" },
  microhood: { admin_level: "10", place: "suburb" },
};

/** Which of several divisions of one name is meant: New York is the city before it is the state. */
const preference = ["locality", "localadmin", "county", "region", "dependency", "country", "borough", "macrohood"];

const attributes = ["id", "names", "subtype", "class", "country", "bbox"];

/** Lists divisions that may lie somewhere, without their outlines; what was read once is not read again. */
export function createDivisionList(
  { touching }: { touching(extent: Extent): Promise<RemoteTable[]> },
  fetching: Fetching,
) {
  const known = new Map<Group, Division[]>();
  async function list(extent: Extent): Promise<Division[]> {
    const divisions: Division[] = [];
    for (const table of await touching(extent)) {
      for (const group of groupsTouching(table, extent)) {
        const inGroup = known.get(group) ?? (await readDivisions(table, group, fetching));
        known.set(group, inGroup);
        divisions.push(...inGroup);
      }
    }
    return divisions;
  }
  return list;
}

async function readDivisions(table: RemoteTable, group: Group, fetching: Fetching): Promise<Division[]> {
  const rows = await readColumns(table, group, attributes, fetching);
  return rows.flatMap((row, at) => {
    const box = boxOf(row["bbox"]);
    const isLand = (textOf(row["class"]) ?? "land") === "land";
    return box && isLand && tagsBySubtype[textOf(row["subtype"]) ?? ""] ? [{ row, box, table, group, at }] : [];
  });
}

/** What is asked for: a country by its code, or what has a name at a point. */
export type Asked = { countryCode: string } | { name: string; at: Point };

/** The division that is meant, with its outline. */
export async function findDivision(divisions: readonly Division[], asked: Asked, fetching: Fetching) {
  const named = divisions
    .filter((division) => isAsked(division, asked))
    .toSorted((one, other) => rankOf(one) - rankOf(other));
  for (const division of named) {
    const [extent] = (await outlinesOf([division], fetching)).flatMap((polygons) => extentOfPolygons(polygons) ?? []);
    const isThere = extent && ("countryCode" in asked || insideOf(extent)(asked.at.latitude, asked.at.longitude));
    if (isThere) return { subtype: textOf(division.row["subtype"]) ?? "", extent };
  }
  return undefined;
}

/** Divisions as features with OpenStreetMap's tags, which the reader of GeoJSON makes areas of. */
export async function featuresOf(divisions: readonly Division[], fetching: Fetching): Promise<object[]> {
  const outlines = await outlinesOf(divisions, fetching);
  return divisions.map(({ row }, index) => {
    const subtype = textOf(row["subtype"]) ?? "";
    const country = textOf(row["country"]) ?? "";
    const properties = {
      name: nameOf(row),
      ...Object.fromEntries(namesByLanguage(row).map(([language, name]) => [`name:${language}`, name])),
      boundary: "administrative",
      ...tagsBySubtype[subtype],
      ...(subtype === "country" ? { "ISO3166-1:alpha2": country } : {}),
    };
    const geometry = { type: "MultiPolygon", coordinates: outlines[index] };
    return { type: "Feature", id: textOf(row["id"]), properties, geometry };
  });
}

/**
 * Those whose middle lies there. A country or a state comes along only as a whole: a data set with the outline of one
 * counts as covering it.
 */
export function divisionsWithin(divisions: readonly Division[], { boxes }: Extent): Division[] {
  const isInside = insideOf({ boxes, shape: null });
  return divisions.filter(({ row, box }) => {
    const [south, west, north, east] = box;
    if (!isInside((south + north) / 2, (west + east) / 2)) return false;
    const isLarge = /^(?:country|dependency|region)$/.test(textOf(row["subtype"]) ?? "");
    return !isLarge || boxes.some((wanted) => isWithin(box, wanted));
  });
}

/** A file has boxes in single precision. */
const tolerance = 0.01;

function isWithin(inner: Box, [south, west, north, east]: Box): boolean {
  return (
    inner[0] >= south - tolerance &&
    inner[1] >= west - tolerance &&
    inner[2] <= north + tolerance &&
    inner[3] <= east + tolerance
  );
}

function isAsked({ row }: Division, asked: Asked): boolean {
  if ("countryCode" in asked)
    return (
      /^(?:country|dependency)$/.test(textOf(row["subtype"]) ?? "") && textOf(row["country"]) === asked.countryCode
    );
  const names = [nameOf(row), ...namesByLanguage(row).map(([, name]) => name)];
  return names.some((name) => phraseOf(name ?? "") === phraseOf(asked.name));
}

function rankOf({ row }: Division): number {
  const rank = preference.indexOf(textOf(row["subtype"]) ?? "");
  return rank === -1 ? preference.length : rank;
}

/** The outlines of a row group are one column, which is read once for all divisions in it. */
async function outlinesOf(divisions: readonly Division[], fetching: Fetching): Promise<Polygons[]> {
  const outlines = new Map<Division, Polygons>();
  for (const [group, members] of Map.groupBy(divisions, (division) => division.group)) {
    const [first] = members;
    if (!first) continue;
    const rows = await readColumns(first.table, group, ["geometry"], fetching);
    for (const member of members) outlines.set(member, polygonsOf(rows[member.at]?.["geometry"]));
  }
  return divisions.map((division) => outlines.get(division) ?? []);
}

function polygonsOf(geometry: unknown): Polygons {
  if (!(geometry instanceof Uint8Array)) return [];
  const view = new DataView(geometry.buffer, geometry.byteOffset, geometry.byteLength);
  const read = wkbToGeojson({ view, offset: 0 });
  if (read.type === "Polygon") return [read.coordinates] as unknown as Polygons;
  return read.type === "MultiPolygon" ? (read.coordinates as unknown as Polygons) : [];
}

async function readColumns(table: RemoteTable, group: Group, columns: string[], fetching: Fetching): Promise<Row[]> {
  const file = {
    byteLength: group.end,
    async slice(start: number, end = group.end) {
      return new Uint8Array(await fetchPart(table, start, end - start, fetching)).buffer;
    },
  };
  const rowStart = table.groups.slice(0, group.index).reduce((sum, { rows }) => sum + rows, 0);
  const rowEnd = rowStart + group.rows;
  const { metadata } = table;
  return parquetReadObjects({ file, metadata, columns, rowStart, rowEnd, compressors, geoparquet: false, utf8: false });
}

function nameOf(row: Row): string | undefined {
  return textOf(rowOf(row["names"])["primary"]);
}

function namesByLanguage(row: Row): [string, string][] {
  return Object.entries(rowOf(rowOf(row["names"])["common"])).flatMap(([language, name]) =>
    typeof name === "string" ? [[language, name]] : [],
  );
}

function boxOf(value: unknown): Box | undefined {
  const { xmin, xmax, ymin, ymax } = rowOf(value);
  const box = [ymin, xmin, ymax, xmax].map((edge) => Number(edge ?? Number.NaN));
  return box.some(Number.isNaN) ? undefined : (box as unknown as Box);
}

function rowOf(value: unknown): Row {
  return typeof value === "object" && value !== null ? (value as Row) : {};
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
