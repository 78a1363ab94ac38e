export { requirePlace } from "./errors.ts";
export { rehearsals, rehearseError } from "./rehearsal.ts";
export { searchRoutes, searchSchemas } from "./routes.ts";
export { SearchParams, SearchRequest } from "./schema.ts";
export { slowSeconds, type TestScenario, testScenarioOf } from "./test-scenarios.ts";
export { createSearch, effectiveParams, type Search } from "./service.ts";
