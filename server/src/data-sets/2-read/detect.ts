import { open, stat } from "node:fs/promises";
import { encodingOf } from "./decoding.ts";
import { ImportProblem } from "./reader.ts";

export type Format = "osm-pbf" | "overture" | "parquet" | "geojson" | "csv";

const headBytes = 64 * 1024;

/** What to do with OSM XML, packed or not. */
const convertXml = "OSM XML (.osm, .osm.gz, .osm.bz2) becomes readable by: osmium cat FILE -o FILE.osm.pbf";

/** What people mistake for data, recognized by its first bytes. */
const foreign: readonly [begins: RegExp | string | ((text: string) => boolean), sentence: string][] = [
  ["PK\u0003\u0004", "The file is a zip archive; unpack it and import what is inside."],
  ["\u001f\u008b", `The file is packed with gzip; unpack it first. ${convertXml}.`],
  ["BZh", `The file is packed with bzip2; unpack it first. ${convertXml}.`],
  ["\u00fd7zXZ", "The file is packed with xz; unpack it first."],
  ["7z\u00bc\u00af", "The file is a 7z archive; unpack it and import what is inside."],
  ["\u0028\u00b5\u002f\u00fd", "The file is packed with zstd; unpack it first."],
  ["%PDF", "The file is a PDF document, not place data."],
  ["SQLite format 3", "The file is an SQLite database; export it as GeoJSON or CSV first."],
  [
    /^\s*<(!doctype html|html|head|body)\b/i,
    "The file is a web page, not place data; the address it came from probably answered with an error page.",
  ],
  [isOsmXml, `The file is OSM XML; convert it to .osm.pbf first. ${convertXml}.`],
  [/^\s*<\?xml/, "The file is XML, which is not read here; use .osm.pbf, Overture Parquet, GeoJSON or CSV."],
];

/** The format of a file by what is in it, whatever it is called. */
export async function detectFormat(path: string): Promise<Format> {
  const head = await readHead(path);
  const text = head.toString("latin1");
  if (head.length === 0) throw new ImportProblem("The file is empty (0 bytes).", { offset: 0 });
  if (text.startsWith("PAR1")) return parquetFormatOf(path);
  if (isOsmPbf(head, text)) return "osm-pbf";
  for (const [begins, sentence] of foreign) {
    const isMet = beginsWith(text, begins);
    if (isMet) throw new ImportProblem(sentence, { offset: 0 });
  }
  const encoding = encodingOf(head);
  if (text.includes("\u0000") && !encoding.startsWith("utf-16")) throw unknown();

  const beginning = new TextDecoder(encoding).decode(head).replaceAll("\u001e", "").trimStart();
  if (beginning.startsWith("{") || beginning.startsWith("[")) {
    if (encoding === "utf-8") return "geojson";
    throw new ImportProblem(`The file is JSON in ${encoding}; JSON is UTF-8: save it so.`, { offset: 0 });
  }
  if (/^[^\r\n]*[,;\t|]/.test(beginning)) return "csv";
  throw unknown();
}

/** Overture's places, or any table. What is no table at all is for its reader to refuse. */
async function parquetFormatOf(path: string): Promise<Format> {
  const { isOverture } = await import("./overture/overture.ts");
  return (await isOverture(path).catch(() => true)) ? "overture" : "parquet";
}

function beginsWith(text: string, begins: (typeof foreign)[number][0]): boolean {
  if (typeof begins === "string") return text.startsWith(begins);
  return typeof begins === "function" ? begins(text) : begins.test(text);
}

/** A declaration and comments may stand before the root. By hand: a pattern would try every way to divide the comments. */
function isOsmXml(text: string): boolean {
  let rest = text.trimStart();
  for (const [opening, closing] of [
    ["<?xml", ">"],
    ["<!--", "-->"],
  ] as const) {
    while (rest.startsWith(opening)) {
      const end = rest.indexOf(closing, opening.length);
      if (end === -1) return false;
      rest = rest.slice(end + closing.length).trimStart();
    }
  }
  return /^<osm\b/.test(rest);
}

/** The length of a header, then the header, whose first field names its type. */
function isOsmPbf(head: Buffer, text: string): boolean {
  return head.length > 15 && head.readUInt32BE(0) <= headBytes && text.slice(4, 64).includes("OSMHeader");
}

function unknown(): ImportProblem {
  return new ImportProblem("The file is of no known format; import .osm.pbf, Parquet, GeoJSON or CSV.", {
    offset: 0,
  });
}

async function readHead(path: string): Promise<Buffer> {
  const file = await openOrComplain(path);
  try {
    const buffer = Buffer.alloc(headBytes);
    const { bytesRead } = await file.read(buffer, 0, headBytes, 0);
    return buffer.subarray(0, bytesRead);
  } catch (cause) {
    throw new ImportProblem("The file cannot be read; is it a folder?", { cause });
  } finally {
    await file.close();
  }
}

async function openOrComplain(path: string) {
  try {
    await refusePipes(path);
    return await open(path);
  } catch (cause) {
    if (cause instanceof ImportProblem) throw cause;
    const isMissing = cause instanceof Error && "code" in cause && cause.code === "ENOENT";
    throw new ImportProblem(isMissing ? `There is no file ${path}.` : `The file ${path} cannot be opened.`, { cause });
  }
}

/** Opening a pipe waits, deaf to every signal, until somebody writes to it. */
async function refusePipes(path: string): Promise<void> {
  const found = await stat(path);
  if (found.isFile() || found.isDirectory()) return;
  throw new ImportProblem("It is a pipe or a device, and a file is read more than once; save its content to a file.");
}
