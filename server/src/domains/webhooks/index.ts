export { createDeliveries, type Deliveries } from "./deliveries/service.ts";
export { createDispatcher, type Dispatcher, type DispatcherDeps, type DispatchLimits } from "./dispatch/dispatcher.ts";
export { createEndpoints, type Endpoints } from "./endpoints/service.ts";
export type { EventOf, NewEvent } from "./events/event.ts";
export { createWebhooks, type Webhooks } from "./service.ts";
export { webhookRoutes, webhookSchemas } from "./routes.ts";
export { resealSecrets } from "./endpoints/secret.ts";
export { runUpkeep } from "./upkeep.ts";
