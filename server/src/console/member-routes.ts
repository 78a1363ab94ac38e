import { Type } from "../platform/schema.ts";
import type { Members, RevealedLink } from "../domains/members/index.ts";
import type { Organizations } from "../domains/organizations/index.ts";
import type { HttpServer } from "../platform/http/server.ts";

const Invite = Type.Object(
  { email: Type.String({ maxLength: 300 }), role: Type.String({ maxLength: 20 }) },
  { additionalProperties: false },
);
const ChangeRole = Type.Object({ role: Type.String({ maxLength: 20 }) }, { additionalProperties: false });
const Rename = Type.Object({ name: Type.String({ minLength: 1, maxLength: 300 }) }, { additionalProperties: false });
const MemberParams = Type.Object({ personId: Type.String() });

/** The members of the organization, and its settings. Viewers see who is there; owners change it. */
export function memberRoutes(app: HttpServer, members: Members, organizations: Organizations) {
  app.get("/members", {
    config: { role: "viewer" },
    async handler({ signedIn }) {
      const all = await members.list(signedIn.organizationId);
      return all.map(({ personId, email, name, role, joinedAt, isLinked }) => ({
        id: personId,
        email,
        name,
        role,
        is_you: personId === signedIn.personId,
        is_linked: isLinked,
        joined_at: joinedAt.toISOString(),
      }));
    },
  });

  app.patch("/members/:personId", {
    schema: { params: MemberParams, body: ChangeRole },
    config: { role: "owner" },
    async handler({ signedIn, params, body }) {
      await members.setRole(signedIn.organizationId, params.personId, body.role);
      return { id: params.personId, role: body.role };
    },
  });

  app.delete("/members/:personId", {
    schema: { params: MemberParams },
    config: { role: "owner" },
    async handler({ signedIn, params }) {
      await members.remove(signedIn.organizationId, params.personId);
      return { id: params.personId, removed: true };
    },
  });

  app.post("/members/:personId/reset", {
    schema: { params: MemberParams },
    config: { role: "owner" },
    async handler({ signedIn, params }) {
      return shown(await members.reset(signedIn.organizationId, params.personId));
    },
  });

  app.post("/members/:personId/release", {
    schema: { params: MemberParams },
    config: { role: "owner" },
    async handler({ signedIn, params }) {
      await members.releaseIdentity(signedIn.organizationId, params.personId);
      return { id: params.personId, released: true };
    },
  });

  app.get("/invitations", {
    config: { role: "owner" },
    async handler({ signedIn }) {
      const invitations = await members.invitations(signedIn.organizationId);
      return invitations.map(({ id, email, role, expiresAt }) => ({
        id,
        email,
        role,
        expires_at: expiresAt.toISOString(),
      }));
    },
  });

  app.post("/invitations", {
    schema: { body: Invite },
    config: { role: "owner" },
    async handler({ signedIn, body }, reply) {
      const link = await members.invite(signedIn.organizationId, body);
      reply.code(201);
      return shown(link);
    },
  });

  app.delete("/invitations/:invitationId", {
    schema: { params: Type.Object({ invitationId: Type.String() }) },
    config: { role: "owner" },
    async handler({ signedIn, params }) {
      await members.withdraw(signedIn.organizationId, params.invitationId);
      return { id: params.invitationId, withdrawn: true };
    },
  });

  app.patch("/organization", {
    schema: { body: Rename },
    config: { role: "owner" },
    async handler({ signedIn, body }) {
      const { id, name } = await organizations.change(signedIn.organizationId, { name: body.name });
      return { id, name };
    },
  });
}

/** The page adds its own address in front of the token; it is shown once. */
function shown({ token, email, role, expiresAt }: RevealedLink) {
  return { token, email, role, expires_at: expiresAt.toISOString() };
}
