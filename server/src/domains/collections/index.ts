export { createAreaReader } from "./area/area-reader.ts";
export { collectionRows } from "./export-rows.ts";
export { readCollectionBacklog } from "./queue/backlog-store.ts";
export { createCollectionQueue } from "./queue/queue.ts";
export { areaBodyBytesMax, collectionRoutes, collectionSchemas } from "./routes.ts";
export { type Collection, CollectionArea, CreateCollection } from "./schema.ts";
export { sweepRemovedCollections } from "./remove.ts";
export { type Collections, createCollections, sweepCollections } from "./service.ts";
