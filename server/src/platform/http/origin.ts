import type { FastifyRequest } from "fastify";

const hostPattern = /^(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/;

/** Whether a text has the form of a name or an address, with or without a port, and nothing else. */
export function isHost(text: string): boolean {
  return hostPattern.test(text);
}

/** What links to this service begin with: the host that the request names, else the address that it reached. */
export function baseUrlOf({ protocol, host, raw: { socket } }: FastifyRequest): string {
  const named = `${protocol}://${host}`;
  if (isHost(host) && URL.canParse(named)) return named;
  const { localAddress = "localhost", localPort } = socket;
  const address = localAddress.startsWith("::ffff:") ? localAddress.slice(7) : localAddress;
  return `${protocol}://${address.includes(":") ? `[${address}]` : address}:${localPort}`;
}
