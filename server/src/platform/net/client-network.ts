import { isIPv6 } from "node:net";
import { groupsOf } from "./public-address.ts";

/** What counts as one client: an IPv4 address, or the /64 that a provider gives one customer. */
export function clientNetwork(address: string): string {
  if (!isIPv6(address)) return address;
  const groups = groupsOf(address);
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  return (isMapped ? groups.slice(6) : groups.slice(0, 4)).join(":");
}
