import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { TestContext } from "node:test";
import { zstdCompressSync } from "node:zlib";
import type { SchemaElement } from "hyparquet";
import { ByteWriter, geojsonToWkb, ParquetWriter } from "hyparquet-writer";
import type { Box } from "../src/geography/points.ts";
import { startHttp } from "./local-servers.ts";
import { groupOf, listOf, mapOf, textColumn, wkbPoint } from "../src/data-sets/2-read/parquet/sample.ts";

/** A place of a release that tests make. */
export type SamplePlace = {
  id: string;
  name: string;
  latitude: number;
  longitude: number;
  confidence?: number;
  category?: string;
};

export type SampleDivision = { id: string; name: string; subtype: string; country: string; box: Box };

const real = (name: string): SchemaElement => ({ name, type: "FLOAT", repetition_type: "OPTIONAL" });
const box = [groupOf("bbox", 4), ...["xmin", "xmax", "ymin", "ymax"].map(real)];
const geometry: SchemaElement = { name: "geometry", type: "BYTE_ARRAY", repetition_type: "OPTIONAL" };

const placeSchema: SchemaElement[] = [
  { name: "root", num_children: 7 },
  textColumn("id"),
  geometry,
  ...box,
  groupOf("names", 1),
  textColumn("primary"),
  groupOf("taxonomy", 1),
  textColumn("primary"),
  { name: "confidence", type: "DOUBLE", repetition_type: "OPTIONAL" },
  ...listOf("addresses", groupOf("element", 1), textColumn("country")),
];

const divisionSchema: SchemaElement[] = [
  { name: "root", num_children: 7 },
  textColumn("id"),
  geometry,
  ...box,
  groupOf("names", 2),
  textColumn("primary"),
  ...mapOf("common"),
  textColumn("subtype"),
  textColumn("class"),
  textColumn("country"),
];

/** A file with a row group for each list of places. */
export function placesFile(groups: readonly (readonly SamplePlace[])[]): Promise<Buffer> {
  const rows = groups.map((places) =>
    places.map(({ id, name, latitude, longitude, confidence = 1, category = "cafe" }) => ({
      id,
      geometry: wkbPoint(longitude, latitude),
      bbox: { xmin: longitude, xmax: longitude, ymin: latitude, ymax: latitude },
      names: { primary: name },
      taxonomy: { primary: category },
      confidence,
      addresses: [{ country: "LI" }],
    })),
  );
  return fileOf(placeSchema, rows);
}

/** A file with all divisions in one row group; their outlines are their boxes. */
export function divisionsFile(divisions: readonly SampleDivision[]): Promise<Buffer> {
  const rows = divisions.map(({ id, name, subtype, country, box: [ymin, xmin, ymax, xmax] }) => ({
    id,
    geometry: geojsonToWkb({
      type: "Polygon",
      coordinates: [
        [
          [xmin, ymin],
          [xmax, ymin],
          [xmax, ymax],
          [xmin, ymax],
          [xmin, ymin],
        ],
      ],
    }),
    bbox: { xmin, xmax, ymin, ymax },
    names: { primary: name, common: [{ key: "xx", value: `${name} xx` }] },
    subtype,
    class: "land",
    country,
  }));
  return fileOf(divisionSchema, [rows]);
}

async function fileOf(schema: SchemaElement[], groups: readonly (readonly object[])[]): Promise<Buffer> {
  const writer = new ByteWriter();
  const file = new ParquetWriter({
    writer,
    schema,
    codec: "ZSTD",
    compressors: { ZSTD: (input) => zstdCompressSync(input) },
  });
  for (const rows of groups) {
    const names = Object.keys(rows[0] ?? {});
    const columnData = names.map((name) => ({ name, data: rows.map((row) => (row as Record<string, unknown>)[name]) }));
    await file.write({ columnData, rowGroupSize: rows.length });
  }
  await file.finish();
  return Buffer.from(writer.getBuffer());
}

export type SampleFile = { content: Buffer; box: Box };
export type SampleRelease = { id: string; places: readonly SampleFile[]; divisions?: readonly SampleFile[] };
/** A request for bytes of a file, as the server has answered it. */
type Served = { path: string; from: number; bytes: number };
/** Answers in place of the server where it returns true; `count` is of the requests for files. */
type Fault = (request: IncomingMessage, response: ServerResponse, count: number) => boolean;

/** A server with releases in the layout of Overture's own: a STAC catalog, and files that it gives in ranges. */
export async function startReleases(t: TestContext, releases: readonly SampleRelease[]) {
  const documents = new Map<string, object>();
  const files = new Map<string, Buffer>();
  const served: Served[] = [];
  const state: { fault: Fault | undefined } = { fault: undefined };
  let count = 0;
  documents.set("/catalog.json", {
    latest: releases.at(-1)?.id,
    links: releases.map(({ id }) => ({ rel: "child", href: `https://stac.example/${id}/catalog.json` })),
  });
  for (const { id, places, divisions = [] } of releases) {
    addType(id, "places", "place", places);
    if (divisions.length > 0) addType(id, "divisions", "division_area", divisions);
  }

  function addType(id: string, theme: string, type: string, of: readonly SampleFile[]): void {
    const items = of.map(({ content, box: [south, west, north, east] }, index) => {
      const number = String(index).padStart(5, "0");
      const path = `/release/${id}/theme=${theme}/type=${type}/part-${number}-c000.zstd.parquet`;
      files.set(path, content);
      const assets = { aws: { href: `https://bucket.example${path}` } };
      documents.set(`/${id}/${theme}/${type}/${number}/${number}.json`, { bbox: [west, south, east, north], assets });
      return { rel: "item", href: `./${number}/${number}.json` };
    });
    documents.set(`/${id}/${theme}/${type}/collection.json`, { links: items });
  }

  const { port } = await startHttp(t, (request, response) => {
    const path = decodeURIComponent(request.url ?? "");
    const document = documents.get(path);
    if (document) return void response.end(JSON.stringify(document));
    count += 1;
    if (state.fault?.(request, response, count)) return;
    const content = files.get(path);
    if (!content) return void response.writeHead(404).end();
    serve(path, content, request, response);
  });

  function serve(path: string, content: Buffer, { headers }: IncomingMessage, response: ServerResponse): void {
    const tag = `"${createHash("sha256").update(content).digest("hex").slice(0, 16)}"`;
    const [, first = "", last = ""] = /^bytes=(\d*)-(\d*)$/.exec(headers.range ?? "") ?? [];
    const isOther = headers["if-range"] !== undefined && headers["if-range"] !== tag;
    if (isOther || first + last === "") return void response.writeHead(200, { ETag: tag }).end(content);
    const from = first === "" ? content.length - Number(last) : Number(first);
    const end = first === "" || last === "" ? content.length : Math.min(content.length, Number(last) + 1);
    served.push({ path, from, bytes: end - from });
    const range = `bytes ${from}-${end - 1}/${content.length}`;
    response.writeHead(206, { ETag: tag, "Content-Range": range }).end(content.subarray(from, end));
  }

  return {
    url: `http://127.0.0.1:${port}`,
    served,
    files,
    documents,
    /** How the server fails from now on. */
    fail: (fault: Fault | undefined) => void (state.fault = fault),
  };
}
