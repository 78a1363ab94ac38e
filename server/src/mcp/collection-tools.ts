import { Type } from "../platform/schema.ts";
import { Collection, CollectionResults, type Collections, CreateCollection } from "../domains/collections/index.ts";
import { Fields, resultsDefault, TrimmedRecord, trimPage } from "./records.ts";
import { bareSchema, NextCursor, pageInput, pageRequest, Replayed } from "./schemas.ts";
import { creates, defineTool, reads, type Tool } from "./tool.ts";

export type CollectionToolDeps = { collections: Collections };

const CollectionId = Type.String({ description: "The id of a collection, col_…" });
// Without the area: the caller knows it, and a polygon may cost more tokens than all the rest.
const { area: _, ...shown } = Collection.properties;
const Shown = { collection: bareSchema(Type.Object(shown)) };

export function collectionTools({ collections }: CollectionToolDeps): Tool[] {
  return [
    defineTool({
      name: "create_collection",
      title: "Collect everything in an area",
      about:
        'Starts a durable collection of every business for q in an area: a place name, a box, a circle or a polygon. Use it for "all dentists in Graz"; it reads the pages by itself. max_units is your ceiling: about one unit for every 20 businesses and one for each empty corner. Read it with get_collection until its status is succeeded, partial, failed or canceled.',
      costs:
        "Costs one request unit for each page it stores, never more than max_units; test keys get made-up data and pay nothing.",
      operation: "createCollection",
      hints: { ...creates, openWorldHint: true },
      input: CreateCollection,
      output: Type.Object({ ...Shown, ...Replayed }),
      async run({ principal, requestId, traceparent }, { idempotency_key: idempotencyKey, ...request }) {
        const created = await collections.create(principal, request, { idempotencyKey, requestId, traceparent });
        return { ...show(created.collection), replayed: created.replayed };
      },
    }),
    defineTool({
      name: "get_collection",
      title: "Read a collection",
      about:
        "Reads the status and progress of a collection: cells, pages, units and businesses so far. status_reason says why it is paused or partial.",
      operation: "getCollection",
      hints: reads,
      input: Type.Object({ collection_id: CollectionId }),
      output: Type.Object(Shown),
      run: async ({ principal }, { collection_id: id }) => show(await collections.get(principal, id)),
    }),
    defineTool({
      name: "get_collection_results",
      title: "Read the results of a collection",
      about:
        "Reads stored records of a collection, also while it runs, a few at a time and trimmed to the fields you name. Use next_cursor to read on, and create_export with collection_id when you need all records in a file.",
      operation: "getCollectionResults",
      hints: reads,
      input: Type.Object({ collection_id: CollectionId, fields: Type.Optional(Fields), ...pageInput(resultsDefault) }),
      output: Type.Object({
        ...bareSchema(CollectionResults).properties,
        records: Type.Array(TrimmedRecord),
        next_cursor: NextCursor,
      }),
      async run({ principal }, { collection_id: id, fields, ...page }) {
        return trimPage(await collections.results(principal, id, pageRequest(page, resultsDefault)), fields);
      },
    }),
  ];
}

function show({ area: __, ...collection }: Collection) {
  return { collection };
}
