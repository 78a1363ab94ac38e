import * as client from "openid-client";
import type { Identity } from "../../domains/members/index.ts";
import { type Clock, elapsedMs } from "../../platform/clock.ts";
import type { Outbound } from "../../platform/net/outbound.ts";

export type OidcSettings = {
  issuer: string;
  clientId: string;
  /** Undefined for a public client. */
  clientSecret: string | undefined;
  /** What people call the provider. */
  name: string;
};

/** What the browser keeps between leaving for the provider and coming back. */
export type PendingSignIn = { state: string; nonce: string; verifier: string };

/**
 * Why the provider's answer opens no session. `denied`: the person or the provider said no. `stale`: the answer
 * belongs to no sign-in of this browser, or was used already. `refused`: the answer does not hold up.
 */
export type ProviderProblem = "denied" | "stale" | "refused" | "unavailable";

export type Answer = { identity: Identity } | { problem: ProviderProblem; cause?: unknown };

type ProviderDeps = { settings: OidcSettings; outbound: Outbound; clock: Clock };

const deadlineMs = 10_000;
const bytesMax = 1_000_000;
/** How long the provider's own description of itself is trusted. */
const discoveryMs = 3_600_000;
const scope = "openid email profile";

/** An OpenID Connect provider: the authorization code flow with PKCE, state and nonce. */
export function createIdentityProvider({ settings, outbound, clock }: ProviderDeps) {
  const { issuer, clientId, clientSecret, name } = settings;
  const isPlain = issuer.startsWith("http:");
  let known: { at: number; configuration: Promise<client.Configuration> } | undefined;

  /** Where the browser is sent, and what it must bring back; undefined when the provider is away. */
  async function begin(redirectUri: string): Promise<{ url: string; pending: PendingSignIn } | undefined> {
    const configuration = await discovered().catch(() => undefined);
    if (!configuration) return undefined;
    const pending = {
      state: client.randomState(),
      nonce: client.randomNonce(),
      verifier: client.randomPKCECodeVerifier(),
    };
    const url = client.buildAuthorizationUrl(configuration, {
      redirect_uri: redirectUri,
      scope,
      state: pending.state,
      nonce: pending.nonce,
      code_challenge: await client.calculatePKCECodeChallenge(pending.verifier),
      code_challenge_method: "S256",
    });
    return { url: url.href, pending };
  }

  /** Reads the provider's answer, which came with the browser to `callback`, and verifies all of it. */
  async function finish(callback: URL, pending: PendingSignIn): Promise<Answer> {
    // Checked before anything is sent: an answer to somebody else's sign-in costs no call.
    if (callback.searchParams.get("state") !== pending.state) return { problem: "stale" };
    try {
      const configuration = await discovered();
      const tokens = await client.authorizationCodeGrant(configuration, callback, {
        pkceCodeVerifier: pending.verifier,
        expectedState: pending.state,
        expectedNonce: pending.nonce,
        idTokenExpected: true,
      });
      const claims = tokens.claims();
      if (!claims) return { problem: "refused" };
      // Many providers keep the address out of the ID token.
      const profile =
        claims["email"] === undefined && configuration.serverMetadata().userinfo_endpoint !== undefined
          ? await client.fetchUserInfo(configuration, tokens.access_token, claims.sub)
          : claims;
      return { identity: { issuer: claims.iss, subject: claims.sub, ...profileOf(profile) } };
    } catch (cause) {
      return { problem: problemOf(cause), cause };
    }
  }

  /** A failed discovery is forgotten, so that a provider that was away is found when it is back. */
  function discovered(): Promise<client.Configuration> {
    const now = elapsedMs(clock);
    if (known && now - known.at < discoveryMs) return known.configuration;
    const fresh = { at: now, configuration: discover() };
    known = fresh;
    fresh.configuration.catch(() => {
      if (known === fresh) known = undefined;
    });
    return fresh.configuration;
  }

  function discover(): Promise<client.Configuration> {
    const authentication = clientSecret === undefined ? client.None() : client.ClientSecretBasic(clientSecret);
    return client.discovery(new URL(issuer), clientId, undefined, authentication, {
      [client.customFetch]: send,
      // Verifies the ID token's signature as well, although TLS already names its sender.
      execute: [client.enableNonRepudiationChecks, ...(isPlain ? [client.allowInsecureRequests] : [])],
    });
  }

  async function send(url: string, { method, headers, body, signal }: client.CustomFetchOptions): Promise<Response> {
    const response = await outbound
      .request({
        url,
        method,
        headers,
        ...(body === null || body === undefined ? {} : { body: textOf(body) }),
        ...(signal ? { signal } : {}),
        deadlineMs,
        bytesMax,
        protocols: isPlain ? ["http:", "https:"] : ["https:"],
        localNames: true,
      })
      .catch((cause: unknown) => {
        throw new ProviderAway(cause);
      });
    if (response.status >= 500 || response.truncated) throw new ProviderAway(`HTTP ${response.status}`);
    const { "content-encoding": _, ...rest } = response.headers;
    return new Response(hasNoBody(response.status) ? null : new Uint8Array(response.body), {
      status: response.status,
      headers: rest,
    });
  }

  return { name, begin, finish };
}

export type IdentityProvider = ReturnType<typeof createIdentityProvider>;

/** The provider gave no answer, or one of its own faults. */
class ProviderAway extends Error {
  constructor(cause: unknown) {
    super("The identity provider did not answer.", { cause });
    this.name = "ProviderAway";
  }
}

function problemOf(error: unknown): ProviderProblem {
  if (error instanceof ProviderAway || (error instanceof Error && error.cause instanceof ProviderAway))
    return "unavailable";
  if (error instanceof client.AuthorizationResponseError) return error.error === "access_denied" ? "denied" : "refused";
  // A code that was used already, or whose time has passed.
  if (error instanceof client.ResponseBodyError && error.error === "invalid_grant") return "stale";
  return "refused";
}

function profileOf(claims: Readonly<Record<string, unknown>>) {
  const { email, email_verified: verified, name } = claims;
  return {
    email: typeof email === "string" ? email : undefined,
    emailVerified: verified === true,
    name: typeof name === "string" ? name : undefined,
  };
}

function textOf(body: client.FetchBody): string | Buffer {
  if (typeof body === "string") return body;
  if (body instanceof URLSearchParams) return body.toString();
  throw new Error("the client sends text to a provider");
}

function hasNoBody(status: number): boolean {
  return status === 204 || status === 205 || status === 304;
}
