import { Type } from "../platform/schema.ts";
import { type Collection, CollectionArea, type Collections, CreateCollection } from "../domains/collections/index.ts";
import { Fields, trimPage } from "./records.ts";
import { pageInput, pageRequest } from "./schemas.ts";
import { creates, defineTool, destroys, reads, type Tool } from "./tool.ts";

export type CollectionToolDeps = { collections: Collections };

const collectionId = { collection_id: Type.String() };
const { area: _, q, hl, gl, ...more } = CreateCollection.properties;
/** What to collect, with the area beside the rest. */
const Wanted = { q, ...CollectionArea.properties, hl, gl };

export function collectionTools({ collections }: CollectionToolDeps): Tool[] {
  return [
    defineTool({
      name: "create_collection",
      title: "Collect everything in an area",
      about:
        'Starts a durable collection of every business for q in an area, such as "all dentists in Graz". Name one of place, bbox, circle and polygon; read get_collection until it is succeeded, partial, failed or canceled. Costs one request unit for each page of up to 20 businesses, never more than max_units.',
      operation: "createCollection",
      hints: { ...creates, openWorldHint: true },
      flattened: "area",
      input: Type.Object({ ...Wanted, ...more }),
      async run({ principal, requestId, traceparent }, { idempotency_key: idempotencyKey, ...input }) {
        const context = { idempotencyKey, requestId, traceparent };
        const { collection, replayed } = await collections.create(principal, withArea(input), context);
        return { collection: withoutArea(collection), replayed };
      },
    }),
    defineTool({
      name: "estimate_collection",
      title: "Estimate a collection",
      about:
        "Counts the units and businesses that create_collection would take, where the source can count, and starts nothing.",
      operation: "estimateCollection",
      hints: reads,
      flattened: "area",
      input: Type.Object(Wanted),
      run: async ({ principal }, input) => ({ estimate: await collections.estimate(principal, withArea(input)) }),
    }),
    defineTool({
      name: "list_collections",
      title: "List collections",
      about: "Lists collections, newest first.",
      operation: "listCollections",
      hints: reads,
      input: Type.Object(pageInput),
      async run({ principal }, page) {
        const { items, nextCursor } = await collections.list(principal, pageRequest(page));
        return { collections: items.map(withoutArea), next_cursor: nextCursor };
      },
    }),
    defineTool({
      name: "get_collection",
      title: "Read a collection",
      about: "Reads the status and progress of a collection; status_reason says why it is paused or partial.",
      operation: "getCollection",
      hints: reads,
      input: Type.Object(collectionId),
      run: async ({ principal }, { collection_id: id }) => ({
        collection: withoutArea(await collections.get(principal, id)),
      }),
    }),
    defineTool({
      name: "get_collection_results",
      title: "Read collection results",
      about: "Reads stored records of a collection, also while it runs. create_export writes them all to a file.",
      operation: "getCollectionResults",
      hints: reads,
      input: Type.Object({ ...collectionId, fields: Type.Optional(Fields), ...pageInput }),
      run: async ({ principal }, { collection_id: id, fields, ...page }) =>
        trimPage(await collections.results(principal, id, pageRequest(page)), fields),
    }),
    ...controls.map(({ verb, title, about, hints }) =>
      defineTool({
        name: `${verb}_collection`,
        title,
        about,
        operation: `${verb}Collection`,
        hints,
        input: Type.Object(collectionId),
        run: async ({ principal }, { collection_id: id }) => ({
          collection: withoutArea(await collections[verb](principal, id)),
        }),
      }),
    ),
    defineTool({
      name: "delete_collection",
      title: "Delete a collection",
      about: "Deletes a collection, its records and their exports for good.",
      operation: "deleteCollection",
      hints: destroys,
      input: Type.Object(collectionId),
      run: async ({ principal }, { collection_id: id }) => collections.remove(principal, id),
    }),
  ];
}

const controls = [
  {
    verb: "pause",
    title: "Pause a collection",
    about: "Stops a collection, and what it costs, until resume_collection.",
    hints: creates,
  },
  {
    verb: "resume",
    title: "Resume a collection",
    about: "Lets a paused collection go on, which takes units again.",
    hints: { ...creates, openWorldHint: true },
  },
  {
    verb: "cancel",
    title: "Cancel a collection",
    about: "Stops a collection for good. Its stored records stay.",
    hints: destroys,
  },
] as const;

type Area = CreateCollection["area"];

/** The body that REST has: the ways to name an area in an object of their own. */
function withArea<Input extends Area>({ place, bbox, circle, polygon, ...rest }: Input) {
  const ways = Object.entries({ place, bbox, circle, polygon }).filter(([, way]) => way !== undefined);
  return { ...rest, area: Object.fromEntries(ways) as Area };
}

/** The caller knows its area, and a polygon may cost more tokens than all the rest. */
function withoutArea({ areaText: __, ...collection }: Collection) {
  return collection;
}
