import { createNetworkCheck, parseNetwork } from "./networks.ts";

/** A block that may be reached although it is not public, and the one port there, or any. */
type AllowedTarget = { block: string; port: number | undefined };

/** Reads `10.0.0.0/8`, `10.0.0.0/8:8443`, `fd00::/8` or `[fd00::/8]:8443`. */
export function parseAllowedTarget(text: string): AllowedTarget | undefined {
  const [, bracketed, plain, port] = /^(?:\[([^\]]+)\]|([^:[\]]+))(?::(\d{1,5}))?$/.exec(text) ?? [];
  const block = bracketed ?? plain ?? text;
  if (!parseNetwork(block)) return undefined;
  if (port === undefined) return { block, port: undefined };
  return Number(port) >= 1 && Number(port) <= 65_535 ? { block, port: Number(port) } : undefined;
}

/** Whether one of the targets covers an address and a port. */
export function createAllowedCheck(allow: readonly string[]): (address: string, port: number) => boolean {
  const checks = allow.map((text) => {
    const target = parseAllowedTarget(text);
    if (!target) throw new Error(`${text} is not a CIDR block with or without a port`);
    return { port: target.port, isInside: createNetworkCheck([target.block]) };
  });
  return (address, port) =>
    checks.some((check) => (check.port === undefined || check.port === port) && check.isInside(address));
}
