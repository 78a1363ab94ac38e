export { searchRoutes, searchSchemas } from "./routes.ts";
export { createSearch, type Search } from "./service.ts";
