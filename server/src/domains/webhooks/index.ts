export { createDeliveries, type Deliveries } from "./deliveries.ts";
export { createDispatcher, type Dispatcher, type DispatchLimits } from "./dispatcher.ts";
export { createEndpoints, type Endpoints } from "./endpoints.ts";
export type { NewEvent } from "./event.ts";
export { createWebhooks, type Webhooks } from "./events.ts";
export { webhookRoutes, webhookSchemas } from "./routes.ts";
export { resealSecrets } from "./secret.ts";
export { createUpkeep } from "./upkeep.ts";
