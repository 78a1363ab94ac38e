export { createDeliveries, type Deliveries } from "./deliveries/service.ts";
export { countEndpoints, readDeliveryBacklog } from "./dispatch/backlog-store.ts";
export { createDispatcher, type Dispatcher, type DispatchLimits } from "./dispatch/dispatcher.ts";
export { DeliveryRecord } from "./deliveries/schema.ts";
export {
  CreateEndpoint,
  DeletedEndpoint,
  EndpointRecord,
  RevealedEndpoint,
  RotateSecret,
  UpdateEndpoint,
} from "./endpoints/schema.ts";
export { createEndpoints, type Endpoints } from "./endpoints/service.ts";
export { schemaId } from "./events/body-schemas.ts";
export { exampleBody } from "./events/examples.ts";
export { eventDefinitions, type EventName, eventNames } from "./events/event-types.ts";
export { deliveryHeaderSchemas } from "./events/signature.ts";
export type { EventOf, NewEvent } from "./events/event.ts";
export { createWebhooks, type Webhooks } from "./service.ts";
export { plainFrames } from "./stream/frames.ts";
export { eventStreamRoutes, ResumeHeader, sinkOf } from "./stream/routes.ts";
export { createEventStreams, type EventStreams, type StreamLimits } from "./stream/streams.ts";
export { webhookRoutes, webhookSchemas } from "./routes.ts";
export { resealSecrets } from "./endpoints/secret.ts";
export { runUpkeep } from "./upkeep.ts";
