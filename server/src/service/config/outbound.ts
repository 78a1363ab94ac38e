import { parseAllowedTarget } from "../../platform/net/allowed-targets.ts";
import { integer, list, setting } from "../../platform/settings.ts";

export const outboundSettings = {
  outboundAllow: setting(
    "WAYPOST_OUTBOUND_ALLOW",
    "",
    parseOutboundAllow,
    "What outbound calls may reach although it is not public, separated by commas: CIDR blocks for webhooks and the operator's own source URLs, `enrichment=`, `imports=` or `oidc=` before a block for those alone (`webhooks=` and `sources=` too), and a port after it for that port alone, as in `10.0.0.0/8:8443`.",
  ),
  webhookPorts: setting(
    "WAYPOST_WEBHOOK_PORTS",
    "443,8443",
    ports,
    "The ports a webhook URL may name, separated by commas.",
  ),
  crawlsMax: setting(
    "WAYPOST_CRAWLS_MAX",
    "50",
    integer(1, 10_000),
    "How many websites of businesses one process visits at once, for `extra: true`; further visits wait.",
  ),
};

/** Purposes of outbound calls. Each has its own exceptions to the rule that only public addresses are reached. */
const purposes = ["webhooks", "sources", "enrichment", "imports", "oidc"] as const;
export type Purpose = (typeof purposes)[number];

export type OutboundAllow = Readonly<Record<Purpose, readonly string[]>>;

/**
 * Reads `10.0.0.0/8, enrichment=10.1.0.0/16:8443`. A block without a purpose counts for webhooks and
 * sources: the operator knows the customers who register webhooks, not the owners of websites.
 */
export function parseOutboundAllow(value: string): OutboundAllow {
  const allow: Record<Purpose, string[]> = { webhooks: [], sources: [], enrichment: [], imports: [], oidc: [] };
  for (const item of list(value)) {
    const [before = "", ...after] = item.split("=");
    const target = (after.length === 0 ? before : after.join("=")).trim();
    const named =
      after.length === 0 ? (["webhooks", "sources"] as const) : purposes.filter((each) => each === before.trim());
    if (named.length === 0)
      throw new Error(`has ${item}, whose purpose is none of ${purposes.join(", ")}; write enrichment=10.0.0.0/8`);
    if (!parseAllowedTarget(target))
      throw new Error(
        `has ${item}, which is not a CIDR block with or without a port; write 10.0.0.0/8, 10.0.0.0/8:8443 or [fd00::/8]:8443`,
      );
    for (const purpose of named) allow[purpose].push(target);
  }
  return allow;
}

/** The exceptions as an operator reads them; empty when there are none. */
export function describeOutboundAllow(allow: OutboundAllow): string {
  const named = purposes.filter((purpose) => allow[purpose].length > 0);
  return named.map((purpose) => `${purpose}: ${allow[purpose].join(", ")}`).join("; ");
}

function ports(value: string): number[] {
  const named = list(value);
  const bad = named.find((item) => !/^[1-9]\d{0,4}$/.test(item) || Number(item) > 65_535);
  if (named.length > 0 && bad === undefined) return named.map(Number);
  throw new Error(`has ${bad ?? "no port"}; write ports from 1 to 65535 such as 443,8443, or unset it for the default`);
}
