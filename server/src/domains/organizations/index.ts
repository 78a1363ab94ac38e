export { createOrganizations, type Organizations } from "./service.ts";
