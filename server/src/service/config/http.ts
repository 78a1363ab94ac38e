import { parseNetwork } from "../../platform/net/networks.ts";
import { address, integer, list, setting, text } from "../../platform/settings.ts";

export const httpSettings = {
  port: setting("WAYPOST_PORT", "8080", integer(0, 65_535), "The port to listen on; 0 takes any free one."),
  host: setting("WAYPOST_HOST", "127.0.0.1", text(), "The address to listen on; 0.0.0.0 for every interface."),
  publicUrl: setting(
    "WAYPOST_PUBLIC_URL",
    undefined,
    address,
    "The address under which clients reach this service, such as https://api.example.com; download links begin with it. The dashboard and `/mcp` answer to its name, to addresses and to names without a dot, and to no other. Unset: links begin with the host that the request names.",
  ),
  drainSeconds: setting(
    "WAYPOST_DRAIN_SECONDS",
    "0",
    integer(0, 300),
    "How long, after SIGTERM, `/readyz` says 503 and requests are still answered before the port closes. Behind a balancer: a little longer than it takes to notice.",
  ),
  rateLimitPerSecond: setting(
    "WAYPOST_RATE_LIMIT",
    "50",
    integer(1, 1_000_000),
    "Requests per second for each API key, counted by each process; bursts may reach twice that.",
  ),
  processorMsPerSecond: setting(
    "WAYPOST_PROCESSOR_LIMIT",
    "1000",
    integer(10, 1_000_000),
    "Milliseconds of processor time that the bodies, areas and agents' messages of one organization may take in a second, counted by each process; bursts may take three times that.",
  ),
  connectionsMax: setting(
    "WAYPOST_CONNECTIONS_MAX",
    "4000",
    integer(10, 1_000_000),
    "The most connections that clients may hold to one process; further ones are closed as they come.",
  ),
  connectionsPerAddressMax: setting(
    "WAYPOST_CONNECTIONS_PER_ADDRESS",
    "1000",
    integer(1, 1_000_000),
    "The most connections of one IPv4 address or one IPv6 /64. Those of WAYPOST_TRUSTED_PROXIES are not counted.",
  ),
  stalledReaderSeconds: setting(
    "WAYPOST_STALLED_READER_SECONDS",
    "30",
    integer(1, 3_600),
    "How long a client may read nothing of an answer that waits for it before its connection is closed.",
  ),
  unreadMegabytesMax: setting(
    "WAYPOST_UNREAD_ANSWERS_MEMORY",
    "256",
    integer(1, 1_048_576),
    "Megabytes of answers that may wait for slow readers in one process; past that, connections with the longest waiting answers are closed.",
  ),
  trustedProxies: setting(
    "WAYPOST_TRUSTED_PROXIES",
    "",
    networks,
    "CIDR blocks of the proxies whose X-Forwarded-For counts, separated by commas.",
  ),
};

function networks(value: string): string[] {
  for (const item of list(value)) {
    if (!parseNetwork(item)) {
      throw new Error(`has ${item}, which is not a CIDR block; write blocks such as 10.0.0.0/8 or fd00::/8`);
    }
  }
  return list(value);
}
