export { businessBytes, simulatedBusiness } from "./business.ts";
export { Business } from "./schema.ts";
export { type Businesses, createBusinesses } from "./service.ts";
