import { isIP } from "node:net";
import { ForeignHost } from "./errors.ts";

/**
 * Refuses what a website could make a browser send by letting its own name resolve to this machine.
 * Such a request carries the website's name as Host; addresses, localhost and names without a dot
 * are nobody's to point elsewhere, and the public name is the operator's own.
 */
export function requireOwnHost(host: string | undefined, publicUrl: string | undefined): void {
  const name = nameOf(`http://${host ?? ""}`);
  if (name === undefined || !(name === ownName(publicUrl) || cannotBeRebound(name))) {
    throw ForeignHost({ header: "Host", name });
  }
}

/** Refuses an Origin that is neither the host of the request, nor the public name, nor this machine. */
export function requireOwnOrigin(origin: string, host: string, publicUrl: string | undefined): void {
  const name = nameOf(origin);
  const isOwn = name !== undefined && (name === ownName(publicUrl) || isLoopback(name));
  if (!isOwn && name !== nameOf(`http://${host}`)) throw ForeignHost({ header: "Origin", name });
}

function ownName(publicUrl: string | undefined): string | undefined {
  return publicUrl === undefined ? undefined : nameOf(publicUrl);
}

function nameOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).hostname || undefined : undefined;
}

function cannotBeRebound(name: string): boolean {
  return isLoopback(name) || isIP(name) !== 0 || name.startsWith("[") || !name.includes(".");
}

function isLoopback(name: string): boolean {
  return name === "localhost" || name.endsWith(".localhost") || name === "127.0.0.1" || name === "[::1]";
}
