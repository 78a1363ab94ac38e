import { parseAllowedTarget } from "../../platform/net/allowed-targets.ts";
import { list } from "../../platform/settings.ts";

/** What outbound calls are made for; the operator's exceptions to the public-address rule differ by it. */
const purposes = ["webhooks", "sources", "enrichment", "imports", "oidc"] as const;
export type Purpose = (typeof purposes)[number];

export type OutboundAllow = Readonly<Record<Purpose, readonly string[]>>;

/**
 * Reads `10.0.0.0/8, enrichment=10.1.0.0/16:8443`. A block without a purpose counts for webhooks and
 * sources: a customer who registers a webhook can be asked who they are, the owner of a website cannot.
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
