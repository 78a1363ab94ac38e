export { collectionRows } from "./export-rows.ts";
export { readCollectionBacklog } from "./queue/backlog-store.ts";
export { createCollectionQueue } from "./queue/queue.ts";
export { areaBodyBytesMax, collectionRoutes, collectionSchemas } from "./routes.ts";
export { Collection, CollectionArea, CollectionResults, CreateCollection, EstimateCollection } from "./schema.ts";
export { type Collections, createCollections, sweepCollections } from "./service.ts";
