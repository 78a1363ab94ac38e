import { isIP } from "node:net";
import { createAllowedCheck } from "./allowed-targets.ts";
import { OutboundFailure } from "./outbound-failure.ts";
import { isPublicAddress } from "./public-address.ts";
import { isLocalName, type Lookup } from "./resolver.ts";

export type Protocol = "https:" | "http:";

/** What a caller lets a URL be. */
export type TargetLimits = {
  protocols?: readonly Protocol[] | undefined;
  ports?: readonly number[] | undefined;
  /** Allows single-label and .local names, for hosts that the operator configured. */
  localNames?: boolean | undefined;
};

/** A URL whose every address passed the rule, and those addresses. Nothing else is connected to. */
export type Target = {
  url: URL;
  /** A name or an address, without brackets. */
  host: string;
  port: number;
  secure: boolean;
  addresses: readonly string[];
  /** Where the addresses are those of a proxy: how to ask it for the target. */
  tunnel?: Tunnel;
};

export type Tunnel = { host: string; port: number; authorization: string | undefined };

export type Targets = {
  resolve(url: string, limits: TargetLimits, signal: AbortSignal): Promise<Target>;
  /** By way of a proxy that the operator named, itself checked like a target. */
  resolveThrough(proxy: string, url: string, limits: TargetLimits, signal: AbortSignal): Promise<Target>;
};

/** The public-address rule, with the operator's exceptions. */
export function createTargets(options: { allow: readonly string[]; lookup: Lookup }): Targets {
  const isAllowed = createAllowedCheck(options.allow);
  // Only where the operator lets something be reached that is not public can a local name stand for it.
  const mayBeLocal = options.allow.length > 0;

  async function resolve(address: string, limits: TargetLimits, signal: AbortSignal): Promise<Target> {
    const url = parseUrl(address, limits);
    const host = hostOf(url);
    const secure = url.protocol === "https:";
    const isName = isIP(host) === 0;
    if (isName && isLocalName(host) && !limits.localNames && !mayBeLocal) throw new OutboundFailure("not_public");
    const addresses = isName ? await options.lookup(host, signal) : [host];
    if (addresses.length === 0) throw new OutboundFailure("name_not_found");

    // One bad answer spoils them all: a name that mixes public and private addresses is a trick or a
    // mistake, and choosing the good ones would leave the outcome to the order of the answers.
    if (!addresses.every((each) => mayReach(each, portOf(url)))) throw new OutboundFailure("not_public");
    return { url, host, port: portOf(url), secure, addresses };
  }

  // The proxy looks names up itself, often in a network where nobody else can: of the target, only
  // an address written into the URL can be checked here.
  async function resolveThrough(proxy: string, address: string, limits: TargetLimits, signal: AbortSignal) {
    const url = parseUrl(address, limits);
    const host = hostOf(url);
    if (isIP(host) !== 0 && !mayReach(host, portOf(url))) throw new OutboundFailure("not_public");
    const { bare, authorization } = splitCredentials(proxy);
    const via = await resolve(bare, { protocols: ["http:"], localNames: true }, signal);
    const tunnel = { host: via.host, port: via.port, authorization };
    return { url, host, port: portOf(url), secure: url.protocol === "https:", addresses: via.addresses, tunnel };
  }

  function mayReach(address: string, port: number): boolean {
    return isPublicAddress(address) || (isIP(address) !== 0 && !address.includes("%") && isAllowed(address, port));
  }

  return { resolve, resolveThrough };
}

/** Reads a URL as a browser does, so that what is checked here is what is connected to later. */
function parseUrl(address: string, { protocols = ["https:"], ports }: TargetLimits): URL {
  const url = URL.parse(address);
  if (!url) throw new OutboundFailure("bad_url", "The URL cannot be read.");
  if (!protocols.some((protocol) => protocol === url.protocol))
    throw new OutboundFailure(
      "bad_url",
      `The URL must begin with ${protocols.map((name) => `${name}//`).join(" or ")}.`,
    );
  if (url.username !== "" || url.password !== "")
    throw new OutboundFailure("bad_url", "The URL must not contain a user name or password.");
  if (url.hostname.endsWith(".")) throw new OutboundFailure("bad_url", "The URL's host must not end with a dot.");

  const port = portOf(url);
  if (port === 0 || (ports && !ports.includes(port)))
    throw new OutboundFailure("bad_url", `The URL's port ${port} is not allowed.`);
  return url;
}

function hostOf({ hostname }: URL): string {
  return hostname.startsWith("[") ? hostname.slice(1, -1) : hostname;
}

/** A proxy's URL may hold a user name and password, which go into a header. */
function splitCredentials(proxy: string): { bare: string; authorization: string | undefined } {
  const url = URL.parse(proxy);
  if (!url) throw new OutboundFailure("bad_url", "The proxy's URL cannot be read.");
  const credentials = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
  const hasCredentials = url.username !== "" || url.password !== "";
  url.username = "";
  url.password = "";
  const authorization = hasCredentials ? `Basic ${Buffer.from(credentials).toString("base64")}` : undefined;
  return { bare: url.href, authorization };
}

function portOf(url: URL): number {
  if (url.port !== "") return Number(url.port);
  return url.protocol === "https:" ? 443 : 80;
}
