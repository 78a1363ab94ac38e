export { RoleRequired } from "./errors.ts";
export type { Identity } from "./identities.ts";
export type { RevealedLink } from "./links.ts";
export { hasRole, principalOf, type Role, roles, type SignedIn } from "./member.ts";
export { createMembers, type Members } from "./service.ts";
export type { OpenedSession, Origin } from "./sessions.ts";
