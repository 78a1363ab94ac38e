import { Type } from "../platform/schema.ts";
import type { Members } from "../domains/members/index.ts";
import type { HttpServer } from "../platform/http/server.ts";
import { originOf } from "./origin.ts";
import { clearSessionCookie, setSessionCookie } from "./session-cookie.ts";

const Text = (max: number) => Type.String({ minLength: 1, maxLength: max });
const Password = Text(1_000);
const Token = Text(100);

const SignIn = Type.Object({ email: Text(300), password: Password }, { additionalProperties: false });
const LinkToken = Type.Object({ token: Token }, { additionalProperties: false });
const AcceptLink = Type.Object(
  { token: Token, password: Password, name: Type.Optional(Text(300)), email: Type.Optional(Text(300)) },
  { additionalProperties: false },
);
const ChangePassword = Type.Object({ current: Password, next: Password }, { additionalProperties: false });

/** Signing in and out, one-time links, and the sessions of the person who is signed in. */
export function signInRoutes(app: HttpServer, members: Members) {
  app.post("/session", {
    schema: { body: SignIn },
    config: { public: true },
    async handler(request, reply) {
      setSessionCookie(request, reply, await members.signIn(request.body, originOf(request)));
      return { signed_in: true };
    },
  });

  app.get("/session", {
    config: { role: "viewer" },
    async handler({ signedIn }) {
      const { email, name, personId, organizationId, organizationName, role, entitled } = signedIn;
      const organizations = await members.sessions.organizations(signedIn);
      return {
        person: { id: personId, email, name },
        organization: { id: organizationId, name: organizationName, entitled },
        role,
        organizations: organizations.map((each) => ({
          id: each.organizationId,
          name: each.organizationName,
          role: each.role,
        })),
      };
    },
  });

  app.delete("/session", {
    config: { role: "viewer" },
    async handler(request, reply) {
      await members.sessions.signOut(request.signedIn);
      clearSessionCookie(request, reply);
      return { signed_in: false };
    },
  });

  app.post("/session/organization", {
    schema: { body: Type.Object({ organization_id: Text(100) }, { additionalProperties: false }) },
    config: { role: "viewer" },
    async handler({ signedIn, body }) {
      await members.sessions.switchTo(signedIn, body.organization_id);
      return { organization_id: body.organization_id };
    },
  });

  // The token travels in the body: paths end up in logs.
  app.post("/links/read", {
    schema: { body: LinkToken },
    config: { public: true },
    async handler({ body }) {
      const { purpose, organizationName, email, role, isKnown } = await members.read(body.token);
      return { purpose, organization: organizationName, email, role, has_account: isKnown };
    },
  });

  app.post("/links/accept", {
    schema: { body: AcceptLink },
    config: { public: true },
    async handler(request, reply) {
      const { token, ...answer } = request.body;
      setSessionCookie(request, reply, await members.accept(token, answer, originOf(request)));
      return { signed_in: true };
    },
  });

  app.get("/sessions", {
    config: { role: "viewer" },
    async handler({ signedIn }) {
      const sessions = await members.sessions.list(signedIn);
      return sessions.map(({ id, userAgent, address, createdAt, lastSeenAt, expiresAt }) => ({
        id,
        is_current: id === signedIn.sessionId,
        user_agent: userAgent,
        address,
        created_at: createdAt.toISOString(),
        last_seen_at: lastSeenAt.toISOString(),
        expires_at: expiresAt.toISOString(),
      }));
    },
  });

  app.delete("/sessions/:sessionId", {
    schema: { params: Type.Object({ sessionId: Type.String() }) },
    config: { role: "viewer" },
    async handler({ signedIn, params }) {
      await members.sessions.revoke(signedIn, params.sessionId);
      return { id: params.sessionId, revoked: true };
    },
  });

  app.delete("/sessions", {
    config: { role: "viewer" },
    async handler({ signedIn }) {
      await members.sessions.revokeOthers(signedIn);
      return { revoked: true };
    },
  });

  app.post("/password", {
    schema: { body: ChangePassword },
    config: { role: "viewer" },
    async handler(request) {
      await members.changePassword(request.signedIn, request.body, originOf(request).address);
      return { changed: true };
    },
  });
}
