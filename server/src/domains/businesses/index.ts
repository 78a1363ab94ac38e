export { businessBytes, simulatedBusiness } from "./business.ts";
export { createOwnersRequests } from "./requests-service.ts";
export { recordText, storeSimulated, sweepSimulated } from "./simulated-records.ts";
export { Business } from "./schema.ts";
export { type Businesses, createBusinesses } from "./service.ts";
