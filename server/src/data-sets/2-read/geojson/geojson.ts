import { stat } from "node:fs/promises";
import { mergeRecords } from "../../../places/merge/merge-records.ts";
import { areaOf, kindOf, recordOf } from "../../../places/osm-tags/index.ts";
import { isBusiness, isUnnamed } from "../../../kinds/index.ts";
import type { AreaRecord, PlaceRecord, RecordItem } from "../../../places/record.ts";
import { listOf, objectOf, textOf, textsOf } from "./feature-texts.ts";
import { findJsonObjects, type JsonObject, parseJsonObject } from "./json-objects.ts";
import { allThePlacesRecord, isOfAllThePlaces } from "../alltheplaces/alltheplaces-record.ts";
import { isNoBusiness, overtureRecord } from "../overture/overture-record.ts";
import { boxOf, centerOf, type Point, ringsOf } from "../pbf/geometry.ts";
import { guessColumns } from "../tables/columns.ts";
import { idSourceOf, type IdSource, problemOfId, recordOfValues, valuesOf } from "../tables/properties.ts";
import { ImportProblem, isPoint, newProgress, type Problem, problemOf, type ReadOptions, skipRow } from "../reader.ts";
import { type Performer, type Performers, readAlone, runInOrder, type TaskReader } from "../tasks.ts";

/** Objects of the file, one after another in `bytes`, and what ends the file before its time. */
type ObjectsTask = { bytes: Uint8Array; objects: { end: number; offset: number }[]; problem?: Problem };
type ObjectsFindings = {
  features: number;
  items: number;
  /** The first object that is not a feature stands before all features of the task. */
  isForeign: boolean;
  /** Features that cannot be used, counted from the first of the task. */
  skipped: { index: number; reason: string }[];
};

export const geoJson: TaskReader<ObjectsTask, ObjectsFindings> = { plan, open: openPerformer, tasksPerThread: 1 };

/** Reads features with a name and a position, from a collection or one to a line. */
export function readGeoJson(path: string, options: ReadOptions): AsyncGenerator<RecordItem, void, undefined> {
  return readAlone(geoJson, path, options);
}

async function* plan<Output>(
  path: string,
  options: ReadOptions,
  performers: Performers<ObjectsTask, ObjectsFindings, Output>,
): AsyncGenerator<Output, void, undefined> {
  const progress = options.progress ?? newProgress();
  progress.bytesTotal = (await stat(path)).size;
  let isFound = false;
  let featuresCount = 0;
  for await (const { findings, output } of runInOrder(tasksOf(path, { ...options, progress }), performers)) {
    if (findings.isForeign && featuresCount === 0)
      throw new ImportProblem("The file is JSON, but no GeoJSON: it holds no features.");
    for (const { index, reason } of findings.skipped) skipRow(progress, `feature ${featuresCount + index}`, reason);
    featuresCount += findings.features;
    progress.objectsRead += findings.features;
    isFound ||= findings.items > 0;
    yield output;
  }
  if (featuresCount > 0 && !isFound) {
    const [first] = progress.skipped.samples;
    const why = first ? ` (${first.at}: ${first.reason})` : "";
    throw new ImportProblem(
      `None of the ${featuresCount} features of this GeoJSON has both a name and a position${why}.`,
    );
  }
}

const taskObjects = 500;
const taskBytes = 512 * 1024;

async function* tasksOf(path: string, options: ReadOptions): AsyncGenerator<ObjectsTask, void, undefined> {
  let parts: Uint8Array[] = [];
  let objects: ObjectsTask["objects"] = [];
  let end = 0;
  const take = (problem?: Problem): ObjectsTask => {
    const task = { bytes: Buffer.concat(parts), objects, ...(problem ? { problem } : {}) };
    [parts, objects, end] = [[], [], 0];
    return task;
  };
  try {
    for await (const { bytes, offset } of findJsonObjects(path, options)) {
      end += bytes.length;
      parts.push(Uint8Array.from(bytes));
      objects.push({ end, offset });
      if (objects.length === taskObjects || end > taskBytes) yield take();
    }
    if (objects.length > 0) yield take();
  } catch (error) {
    // What stands before the damage is looked at first: it may be damaged itself.
    const problem = problemOf(error);
    if (!problem) throw error;
    yield take(problem);
  }
}

async function openPerformer(
  _: string,
  { dataSet }: Pick<ReadOptions, "dataSet">,
): Promise<Performer<ObjectsTask, ObjectsFindings>> {
  const ids = idSourceOf("geojson", dataSet);
  return {
    async perform({ bytes, objects, problem }, items) {
      const findings: ObjectsFindings = { features: 0, items: 0, isForeign: false, skipped: [] };
      let start = 0;
      for (const { end, offset } of objects) {
        const object = parseJsonObject({
          bytes: Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start),
          offset,
        });
        start = end;
        if (object["type"] === "FeatureCollection") continue; // an empty one: its members are given out singly
        if (object["type"] !== "Feature") {
          findings.isForeign ||= findings.features === 0;
          continue;
        }
        findings.features += 1;
        if (isNoBusiness(objectOf(object["properties"]))) continue;
        const item = itemOfFeature(object, ids);
        if (item) findings.items = items.push(item);
        else findings.skipped.push({ index: findings.features, reason: reasonToSkip(object) });
      }
      if (problem) throw new ImportProblem(problem.message, problem);
      return findings;
    },
    close: async () => undefined,
  };
}

function itemOfFeature(feature: JsonObject, ids: IdSource): RecordItem | undefined {
  const geometry = objectOf(feature["geometry"]);
  const center = centerOfGeometry(geometry);
  if (!center) return undefined;
  const properties = objectOf(feature["properties"]);
  const [latitude, longitude] = center;

  if (typeof objectOf(properties["names"])["primary"] === "string") {
    const id = properties["id"] ?? feature["id"];
    const bbox = { xmin: longitude, xmax: longitude, ymin: latitude, ymax: latitude };
    return itemOf(overtureRecord({ ...properties, id, geometry: null, bbox }));
  }
  const tags = textsOf(properties);
  const id = idOf(feature, tags);
  if (isOfAllThePlaces(tags)) return id ? itemOf(allThePlacesRecord(id, tags, center)) : undefined;
  const osm = osmIdOf(id, tags, geometry["type"] === "Point");
  if (osm && (isBusiness(tags) || isUnnamed(tags))) return itemOf(recordOf({ ...osm, tags, latitude, longitude }));
  const texts = Object.values(tags);
  const place = recordOfValues(ids, {
    ...valuesOf(guessColumns(Object.keys(tags)), (column) => texts[column] ?? ""),
    ...(id ? { id } : {}),
    latitude: `${latitude}`,
    longitude: `${longitude}`,
  });
  if (place && isBusiness({ ...tags, name: place.name })) return { place: withTagsOf(place, tags, center) };
  const area = place?.categories.length === 0 ? areaOfFeature(geometry, tags, place, osm) : undefined;
  return area ? { area } : itemOf(place);
}

function itemOf(place: PlaceRecord | undefined): RecordItem | undefined {
  return place && { place };
}

/** A town or a boundary, where tags of OpenStreetMap tell of one and nothing of a business; a line encloses none. */
function areaOfFeature(
  geometry: JsonObject,
  tags: Record<string, string>,
  { name, sourceId, latitude, longitude }: PlaceRecord,
  osm: ReturnType<typeof osmIdOf>,
): AreaRecord | undefined {
  const depth = { Point: 0, Polygon: 2, MultiPolygon: 3 }[String(geometry["type"])];
  if (depth === undefined || kindOf(tags) === undefined) return undefined;
  const lines = depth === 0 ? [] : linesOf(geometry["coordinates"], depth);
  const element = { ...(osm ?? { type: "node", id: 0 }), tags: { ...tags, name }, latitude, longitude } as const;
  const area = areaOf(element, { box: boxOf(lines) ?? null, rings: depth === 0 ? undefined : ringsOf(lines) });
  return area && (osm ? area : { ...area, sourceId });
}

function idOf(feature: JsonObject, tags: Record<string, string>): string | undefined {
  return textOf(feature["id"]) ?? tags["@id"] ?? tags["@osmId"] ?? tags["id"] ?? tags["osm_id"];
}

function reasonToSkip(feature: JsonObject): string {
  const id = idOf(feature, textsOf(objectOf(feature["properties"]))) ?? "";
  const geometry = objectOf(feature["geometry"]);
  if (centerOfGeometry(geometry)) return problemOfId(id) ?? "no name";
  const [x, y] = listOf(geometry["coordinates"]).flat(geometryDepthMax);
  const isNumber = typeof x === "number" && typeof y === "number";
  return isNumber ? "coordinates that are no degrees of longitude and latitude (WGS 84)" : "no position";
}

/**
 * The object of OpenStreetMap that a feature is: by an id that names the type, such as `way/5`, or a number beside
 * `osm_type`. A number alone is anybody's, unless it is called `osm_id`; then a point is a node.
 */
function osmIdOf(id: string | undefined, tags: Record<string, string>, isSinglePoint: boolean) {
  const [, named, ownNumber] = /^(node|way|relation|n|w|r)?\/?(\d{1,15})$/.exec(id ?? "") ?? [];
  const osmNumber = /^\d{1,15}$/.exec(tags["osm_id"] ?? "")?.[0];
  const number = named === undefined ? (osmNumber ?? ownNumber) : ownNumber;
  const implied = isSinglePoint && osmNumber !== undefined ? "node" : "";
  const type = osmTypes[(named ?? tags["osm_type"] ?? tags["@type"] ?? implied).charAt(0).toLowerCase()];
  return type === undefined || number === undefined ? undefined : { type, id: Number(number) };
}

const osmTypes: Readonly<Record<string, "node" | "way" | "relation">> = { n: "node", w: "way", r: "relation" };

/** Tags of OpenStreetMap say more than guessed columns, which fill what they leave open: `amenity` beside `city` and `tel`. */
function withTagsOf(place: PlaceRecord, tags: Record<string, string>, [latitude, longitude]: Point): PlaceRecord {
  const tagged = recordOf({ type: "node", id: 0, tags: { ...tags, name: place.name }, latitude, longitude });
  if (!tagged) return place;
  const { mapsUrl: _, ...details } = tagged.details;
  const { address, details: filled, otherNames } = mergeRecords([{ ...tagged, details }, place]);
  return { ...tagged, sourceId: place.sourceId, otherNames, address, details: filled };
}

const geometryDepthMax = 8;

function centerOfGeometry({ type, coordinates, geometries }: JsonObject, level = 1): Point | undefined {
  if (type === "Point") return pointOf(coordinates);
  if (type === "GeometryCollection" && level > geometryDepthMax) return undefined;
  if (type === "GeometryCollection")
    return listOf(geometries)
      .map((member) => centerOfGeometry(objectOf(member), level + 1))
      .find(Boolean);
  const depth = { MultiPoint: 1, LineString: 1, Polygon: 2, MultiLineString: 2, MultiPolygon: 3 }[String(type)];
  return depth === undefined ? undefined : centerOf(linesOf(coordinates, depth));
}

/** The outlines of a geometry; the holes of a polygon do not move where it is. */
function linesOf(coordinates: unknown, depth: number): Point[][] {
  if (depth === 1)
    return [listOf(coordinates).flatMap((position) => (pointOf(position) ? [pointOf(position) as Point] : []))];
  if (depth === 2)
    return listOf(coordinates)
      .slice(0, 1)
      .flatMap((line) => linesOf(line, 1));
  return listOf(coordinates).flatMap((polygon) => linesOf(polygon, 2));
}

function pointOf(position: unknown): Point | undefined {
  const [longitude, latitude] = listOf(position);
  if (typeof longitude !== "number" || typeof latitude !== "number") return undefined;
  return isPoint(latitude, longitude) ? [latitude, longitude] : undefined;
}
