import type { Static } from "typebox";
import { Type } from "../../platform/schema.ts";
import { type Deleted, deleted } from "../../platform/http/deleted.ts";
import { pageParameters } from "../../platform/http/page-query.ts";
import { basePath } from "../../platform/contract.ts";
import { idFromUuid, idPattern } from "../../platform/ids.ts";
import type { Box } from "../../geography/points.ts";
import type { Business } from "../businesses/index.ts";
import { SearchRequest } from "../search/index.ts";
import { pointsMax } from "./area/area.ts";
import { cellStates, type ShownCollection, statuses, statusReasons, unitsMax } from "./collection.ts";

// Any text in the path: one that is no id names nothing, and is answered as such.
export const CollectionParams = Type.Object({
  collectionId: Type.String({
    description: "the id of a collection, col_…",
    examples: ["col_01k91vd4f4fhas3m2ybt5prxcg"],
  }),
});

const closed = { additionalProperties: false };
const Latitude = Type.Number({ minimum: -90, maximum: 90 });
const Longitude = Type.Number({ minimum: -180, maximum: 180 });

export const CollectionArea = Type.Object(
  {
    place: Type.Optional(
      Type.String({
        minLength: 2,
        maxLength: 200,
        pattern: "^[^\\u0000\\uD800-\\uDFFF]*$",
        description:
          "text without NUL or unpaired surrogates: the name of a town, region or country, a town with its country after a comma",
        examples: ["Vaduz, Liechtenstein"],
      }),
    ),
    bbox: Type.Optional(
      Type.Array(Longitude, {
        minItems: 4,
        maxItems: 4,
        description:
          "[south, west, north, east] in degrees, latitudes from -90 to 90 and longitudes from -180 to 180, south below north; west above east crosses the antimeridian",
        examples: [[47.05, 9.47, 47.27, 9.64]],
      }),
    ),
    circle: Type.Optional(
      Type.Object(
        { latitude: Latitude, longitude: Longitude, radius_m: Type.Number({ minimum: 10, maximum: 500_000 }) },
        closed,
      ),
    ),
    polygon: Type.Optional(
      Type.Object(
        {
          type: Type.Enum(["Polygon", "MultiPolygon"]),
          coordinates: Type.Array(Type.Unknown(), {
            description: `the rings as GeoJSON has them, closed, of [longitude, latitude] from -180 to 180 and -90 to 90, at most ${pointsMax} points together; inside and outside alternate at each ring`,
          }),
        },
        closed,
      ),
    ),
  },
  { ...closed, description: "Exactly one of place, bbox, circle and polygon is given." },
);

const { q, hl, gl, extra } = SearchRequest.properties;
const WebhookEndpointId = Type.String({
  pattern: idPattern("whe"),
  description:
    "the id of a webhook endpoint of the organization, whe_…, that gets the collection's events; live keys only",
});
const MaxUnits = Type.Integer({
  minimum: 1,
  maximum: unitsMax,
  description: "The ceiling: the collection never takes more request units than this.",
});

export const CreateCollection = Type.Object(
  {
    q,
    area: CollectionArea,
    hl,
    gl,
    extra,
    max_units: MaxUnits,
    webhook_endpoint_id: Type.Optional(WebhookEndpointId),
  },
  { $id: "CreateCollection", additionalProperties: false },
);
export type CreateCollection = Static<typeof CreateCollection>;

const { max_units: _, ...countable } = CreateCollection.properties;

/** What would be collected; what changes nothing about its size may stand there too. */
export const EstimateCollection = Type.Object(countable, { ...closed, $id: "EstimateCollection" });
export type EstimateCollection = Static<typeof EstimateCollection>;

const countOrNull = (description: string) => Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], { description });

export const CollectionEstimate = Type.Object(
  {
    units: countOrNull("The request units that collecting would take; null when the source cannot count for free."),
    businesses: countOrNull("How many businesses it would find; null when the source cannot count for free."),
    is_complete: Type.Boolean({ description: "False when the counting stopped early: it takes at least that much." }),
    bounds: Type.Unsafe<readonly Box[]>(
      Type.Array(Type.Array(Type.Number(), { minItems: 4, maxItems: 4 }), {
        description: "Boxes that hold the area: [south, west, north, east].",
      }),
    ),
    source: Type.String({ description: "The source that would answer." }),
    source_as_of: Type.Union([Type.String({ format: "date-time" }), Type.Null()], {
      description: "The newest observation among the businesses that were looked at; null when none was.",
    }),
  },
  { $id: "CollectionEstimate", additionalProperties: false },
);
export type CollectionEstimate = Static<typeof CollectionEstimate>;

const timeOrNull = (description: string) =>
  Type.Union([Type.String({ format: "date-time" }), Type.Null()], { description });
const count = (description: string) => Type.Integer({ minimum: 0, description });

export const Collection = Type.Object(
  {
    id: Type.String({ pattern: idPattern("col"), description: "the id of the collection, col_…" }),
    q: Type.String(),
    area: CollectionArea,
    hl: Type.String(),
    gl: Type.Optional(Type.String()),
    extra: Type.Boolean(),
    webhook_endpoint_id: Type.Optional(WebhookEndpointId),
    status: Type.Enum([...statuses]),
    status_reason: Type.Union([Type.Enum([...statusReasons]), Type.Null()], {
      description: "Why it is paused, partial, failed or canceled, where there is more to say.",
    }),
    query_reading: Type.Union([Type.String(), Type.Null()], {
      description: "How the source read the question, and what it did not understand; null until it is known.",
    }),
    progress: Type.Object(
      {
        cells_done: count("The cells whose pages have been read, or that were split."),
        cells_total: count("The cells so far; splitting adds more."),
        pages: count("The pages stored."),
        units_charged: count("The request units taken, one per page."),
        businesses: count("The businesses stored, each once."),
      },
      closed,
    ),
    max_units: MaxUnits,
    created_at: Type.String({ format: "date-time" }),
    started_at: timeOrNull("When a worker began; null before."),
    finished_at: timeOrNull("When the collection ended; null before."),
    links: Type.Object({ self: Type.String(), results: Type.String(), coverage: Type.String() }, closed),
  },
  { $id: "Collection", additionalProperties: false },
);
/** The area is text, which `collectionText` puts in its place: 10,000 points are parsed and written for nobody. */
export type Collection = Omit<Static<typeof Collection>, "area"> & { areaText: string };

/** A collection as JSON. */
export function collectionText({ id, areaText, ...rest }: Collection): string {
  return `{"id":${JSON.stringify(id)},"area":${areaText},${JSON.stringify(rest).slice(1)}`;
}

export const CollectionResults = Type.Object(
  {
    records: Type.Array(Type.Unsafe<Business>(Type.Ref("Business")), { maxItems: 100 }),
    job_status: Type.Enum([...statuses], { description: "The status of the collection." }),
    is_complete: Type.Boolean({ description: "True only for a collection that succeeded." }),
    next_cursor: Type.Union([Type.String(), Type.Null()], {
      description: "Null only when the collection has ended and everything stored has been read.",
    }),
  },
  closed,
);

export const DeletedCollection = deleted("col");
export type DeletedCollection = Deleted;

/** A page of results whose records are the text that was stored. */
export type ResultsPage = Omit<Static<typeof CollectionResults>, "records"> & { recordTexts: readonly string[] };

export const cellsPerPage = 1_000;

export const ReadCoverage = Type.Object({ cursor: pageParameters.cursor }, closed);
export type ReadCoverage = Static<typeof ReadCoverage>;

export const Coverage = Type.Object(
  {
    type: Type.Literal("FeatureCollection"),
    features: Type.Array(
      Type.Object(
        {
          type: Type.Literal("Feature"),
          bbox: Type.Array(Type.Number(), { minItems: 4, maxItems: 4, description: "West, south, east, north." }),
          geometry: Type.Object(
            { type: Type.Literal("Polygon"), coordinates: Type.Array(Type.Array(Type.Array(Type.Number()))) },
            closed,
          ),
          properties: Type.Object(
            {
              state: Type.Enum([...cellStates], {
                description:
                  "done: exhausted. split: continued by smaller cells. full: too small to split, with more than ten pages. failed: the source kept failing. left_out: the collection ended first.",
              }),
              pages: count("The pages read."),
              found: count("The businesses of these pages that lie in the area."),
              depth: count("How often the area was split to get here."),
            },
            closed,
          ),
        },
        closed,
      ),
      { maxItems: cellsPerPage },
    ),
    next_cursor: Type.Union([Type.String(), Type.Null()], {
      description: `Send it as cursor for the next cells; null when there are none. A page has up to ${cellsPerPage}.`,
    }),
  },
  closed,
);
export type Coverage = Static<typeof Coverage>;

export function toResource(collection: ShownCollection): Collection {
  const self = `${basePath}/collections/${collection.id}`;
  const { params, webhookEndpointId: endpoint } = collection;
  return {
    id: collection.id,
    ...params,
    areaText: collection.areaText,
    ...(endpoint === null ? {} : { webhook_endpoint_id: idFromUuid("whe", endpoint) }),
    status: collection.status,
    status_reason: collection.statusReason,
    query_reading: collection.queryReading,
    progress: {
      cells_done: collection.cellsDone,
      cells_total: collection.cellsTotal,
      pages: collection.pages,
      units_charged: collection.unitsCharged,
      businesses: collection.resultCount,
    },
    max_units: collection.maxUnits,
    created_at: collection.createdAt.toISOString(),
    started_at: collection.startedAt?.toISOString() ?? null,
    finished_at: collection.finishedAt?.toISOString() ?? null,
    links: { self, results: `${self}/results`, coverage: `${self}/coverage` },
  };
}
