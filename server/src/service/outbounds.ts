import type { OutboundAllow, Purpose } from "./config/outbound.ts";
import { createOutbound, type Outbound } from "../platform/net/outbound.ts";
import { createResolver } from "../platform/net/resolver.ts";

export type Outbounds = Readonly<Record<Purpose, Outbound>>;

/** One way out for each purpose, over one resolver. */
export function openOutbounds(allow: OutboundAllow): Outbounds & { close(): Promise<void> } {
  const lookup = createResolver();
  const open = (purpose: Purpose) => createOutbound({ allow: allow[purpose], lookup });
  const outbounds: Outbounds = {
    webhooks: open("webhooks"),
    sources: open("sources"),
    enrichment: open("enrichment"),
    imports: open("imports"),
    oidc: open("oidc"),
  };
  const close = async () => void (await Promise.all(Object.values(outbounds).map((each) => each.close())));
  return { ...outbounds, close };
}
