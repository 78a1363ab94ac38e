export { createOrganizations, type Organizations } from "./service.ts";
export type { Organization } from "./store.ts";
