export { businessBytes, simulatedBusiness } from "./business.ts";
export { Business } from "./schema.ts";
