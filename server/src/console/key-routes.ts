import { Type } from "../platform/schema.ts";
import { type ApiKey, type ApiKeys, keyStatus, type RevealedKey } from "../domains/api-keys/index.ts";
import type { Clock } from "../platform/clock.ts";
import { type HttpServer, OptionalIdempotencyKey, readIdempotencyKey } from "../platform/http/server.ts";

const CreateKey = Type.Object({ name: Type.String({ maxLength: 300 }) }, { additionalProperties: false });
const RotateKey = Type.Object(
  { overlap_hours: Type.Optional(Type.Number({ minimum: 0, maximum: 24 })) },
  { additionalProperties: false },
);
const RevokeKey = Type.Object({ reason: Type.String({ maxLength: 5_000 }) }, { additionalProperties: false });
const KeyParams = Type.Object({ keyId: Type.String() });

/** API keys. What is created here is live, with every scope, no restriction and no expiry. */
export function keyRoutes(app: HttpServer, apiKeys: ApiKeys, clock: Clock) {
  app.get("/keys", {
    config: { role: "viewer" },
    async handler({ signedIn }) {
      const keys = await apiKeys.list(signedIn.organizationId);
      return keys.map((key) => shown(key, clock.now()));
    },
  });

  app.post("/keys", {
    schema: { headers: OptionalIdempotencyKey, body: CreateKey },
    config: { role: "owner" },
    async handler(request, reply) {
      const revealed = await apiKeys.create(request.signedIn.organizationId, {
        name: request.body.name,
        environment: "live",
        idempotencyKey: readIdempotencyKey(request),
      });
      reply.code(201);
      return revealedOnce(revealed, clock.now());
    },
  });

  app.post("/keys/:keyId/rotate", {
    schema: { headers: OptionalIdempotencyKey, params: KeyParams, body: RotateKey },
    config: { role: "owner" },
    async handler(request) {
      const { signedIn, params, body } = request;
      const idempotencyKey = readIdempotencyKey(request);
      const revealed = await apiKeys.rotate(signedIn.organizationId, params.keyId, body.overlap_hours, idempotencyKey);
      return revealedOnce(revealed, clock.now());
    },
  });

  app.post("/keys/:keyId/revoke", {
    schema: { params: KeyParams, body: RevokeKey },
    config: { role: "owner" },
    async handler({ signedIn, params, body }) {
      return shown(await apiKeys.revoke(signedIn.organizationId, params.keyId, body.reason), clock.now());
    },
  });
}

function revealedOnce({ key, text }: RevealedKey, now: Date) {
  return { ...shown(key, now), key: text };
}

function shown(key: ApiKey, now: Date) {
  return {
    id: key.id,
    name: key.name,
    masked: key.maskedPrefix,
    environment: key.environment,
    status: keyStatus(key, now),
    scopes: key.scopes,
    allowed_networks: key.allowedNetworks,
    expires_at: key.expiresAt?.toISOString() ?? null,
    last_used_at: key.lastUsedAt?.toISOString() ?? null,
    created_at: key.createdAt.toISOString(),
    replaced_by: key.replacedBy,
    revoked_at: key.revokedAt?.toISOString() ?? null,
    revoked_reason: key.revokedReason,
  };
}
