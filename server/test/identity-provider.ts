import { generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type Context, Provider } from "oidc-provider";

export const clientId = "waypost-dashboard";
export const clientSecret = "a secret of the dashboard at the provider";

type Account = { email?: string; email_verified?: boolean; name?: string };

/** A real OpenID Connect provider on loopback, where `person` is signed in without a question. */
export async function startIdentityProvider() {
  const state: { person: Account & { sub: string }; refuses: boolean; isAway: boolean } = {
    person: { sub: "nobody" },
    refuses: false,
    isAway: false,
  };
  let provider: Provider | undefined;
  let handle: ReturnType<Provider["callback"]> | undefined;
  const server = createServer((request, response) => {
    if (!provider || !handle || state.isAway) response.writeHead(503).end();
    else if (request.url?.startsWith("/interaction/")) void decide(provider, request, response);
    else handle(request, response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  /** Registers the dashboard; until then the provider answers 503. */
  function register(redirectUri: string) {
    provider = new Provider(
      issuer,
      configurationFor(redirectUri, (id) => (id === state.person.sub ? state.person : {})),
    );
    handle = provider.callback();
  }

  async function decide(from: Provider, request: IncomingMessage, response: ServerResponse) {
    const result = state.refuses
      ? { error: "access_denied", error_description: "the person said no" }
      : { login: { accountId: state.person.sub } };
    await from.interactionFinished(request, response, result);
  }

  async function close() {
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  }

  return { issuer, state, register, close };
}

function configurationFor(redirectUri: string, accountOf: (id: string) => Account) {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const client = {
    client_id: clientId,
    client_secret: clientSecret,
    redirect_uris: [redirectUri],
    id_token_signed_response_alg: "ES256",
  };
  return {
    clients: [client],
    jwks: { keys: [{ ...privateKey.export({ format: "jwk" }), alg: "ES256", use: "sig" }] },
    cookies: { keys: ["only tests sign cookies with this"] },
    claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name"] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    ttl: { AccessToken: 600, AuthorizationCode: 60, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
    findAccount: (_context: unknown, id: string) => ({
      accountId: id,
      claims: () => ({ sub: id, ...accountOf(id) }),
    }),
    async loadExistingGrant({ oidc: { provider, client: asking, session } }: Context) {
      const grant = new provider.Grant({ clientId: asking.clientId, accountId: session.accountId });
      grant.addOIDCScope("openid email profile");
      await grant.save();
      return grant;
    },
  };
}
