import { isIP } from "node:net";
import { ForeignHost } from "./errors.ts";

type Named = { host: string | undefined; origin: string | undefined; publicUrl: string | undefined };

/**
 * Refuses what a website could make a browser send by letting its own name resolve to this machine.
 * Such a request carries the website's name as Host and Origin; addresses, localhost and names
 * without a dot are nobody's to point elsewhere, and the public name is the operator's own.
 */
export function requireKnownHost({ host, origin, publicUrl }: Named): void {
  const ownName = publicUrl === undefined ? undefined : new URL(publicUrl).hostname;
  const hostName = nameOf(`http://${host ?? ""}`);
  if (hostName === undefined || !(hostName === ownName || cannotBeRebound(hostName))) {
    throw ForeignHost({ header: "Host", name: hostName });
  }
  if (origin === undefined) return;

  const originName = nameOf(origin);
  const isKnown = originName !== undefined && (originName === ownName || isLoopback(originName));
  if (!isKnown && originName !== hostName) throw ForeignHost({ header: "Origin", name: originName });
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
