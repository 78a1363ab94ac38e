import type { OidcSettings } from "../../console/index.ts";
import { secret, setting, text } from "../../platform/settings.ts";

export const oidcSettings = {
  oidcIssuer: setting(
    "WAYPOST_OIDC_ISSUER",
    undefined,
    issuerUrl,
    "The OpenID Connect provider through which people may sign in to the dashboard, such as https://id.example.com. Unset: passwords only.",
  ),
  oidcClientId: setting(
    "WAYPOST_OIDC_CLIENT_ID",
    undefined,
    text(),
    "The id under which the dashboard is registered at the provider; required with WAYPOST_OIDC_ISSUER.",
  ),
  oidcClientSecret: secret(
    setting(
      "WAYPOST_OIDC_CLIENT_SECRET",
      undefined,
      text(),
      "The secret that belongs to the client id. Unset: the dashboard is a public client, proved by PKCE alone.",
    ),
  ),
  oidcName: setting(
    "WAYPOST_OIDC_NAME",
    "single sign-on",
    text(),
    "What the button on the sign-in page calls the provider: Sign in with NAME.",
  ),
};

type OidcConfig = { [Name in keyof typeof oidcSettings]: ReturnType<(typeof oidcSettings)[Name]["read"]> };

/** The provider that is configured; undefined when people sign in by password only. */
export function oidcSettingsOf(config: OidcConfig): OidcSettings | undefined {
  const { oidcIssuer: issuer, oidcClientId: clientId, oidcClientSecret: clientSecret, oidcName: name } = config;
  return issuer === undefined || clientId === undefined ? undefined : { issuer, clientId, clientSecret, name };
}

/** A line for each setting that is missing, or useless without another. */
export function oidcProblems(config: Partial<OidcConfig>): string[] {
  const { oidcIssuer: issuer, oidcClientId: clientId, oidcClientSecret: clientSecret } = config;
  if (issuer !== undefined && clientId === undefined)
    return ["WAYPOST_OIDC_CLIENT_ID is unset, and WAYPOST_OIDC_ISSUER needs it: set both, or neither."];
  if (issuer === undefined && (clientId !== undefined || clientSecret !== undefined))
    return ["WAYPOST_OIDC_ISSUER is unset, and the other WAYPOST_OIDC_ settings need it: set it, or unset them."];
  return [];
}

/** Anyone on the way could read a sign-in over plain HTTP. On this machine it never leaves. */
function issuerUrl(value: string): string {
  const url = URL.parse(value);
  const isLoopback = url !== null && /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname);
  if (url?.protocol === "https:" || (url?.protocol === "http:" && isLoopback)) return value;
  throw new Error("must be a URL that begins with https://; set the issuer as the provider writes it, or unset it");
}
