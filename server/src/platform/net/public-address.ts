import { isIPv4, isIPv6 } from "node:net";
import { createNetworkCheck } from "./networks.ts";

/** What the IPv4 special-purpose registries set aside, and the address where Azure serves its hosts. */
const isSpecialIPv4 = createNetworkCheck([
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "168.63.129.16/32",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4",
]);

// Only this block is handed out for use on the public Internet. What lies outside it includes the
// forms that carry an IPv4 address: compatible (::/96), mapped (::ffff:0:0/96), translated
// (::ffff:0:0:0/96) and NAT64 (64:ff9b::/96, 64:ff9b:1::/48).
const isGlobalUnicast = createNetworkCheck(["2000::/3"]);

const isSpecialIPv6 = createNetworkCheck([
  "2001::/23", // protocol assignments; Teredo, 2001::/32, is one of them
  "2001:db8::/32",
  "2002::/16", // 6to4
  "2620:4f:8000::/48",
  "3fff::/20",
]);

/** Whether an address, as text without brackets, is one that anybody on the Internet can reach. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !isSpecialIPv4(address);
  if (!isIPv6(address) || address.includes("%")) return false;
  if (!isGlobalUnicast(address) || isSpecialIPv6(address)) return false;

  const tunneled = isatapAddress(address);
  return tunneled === undefined || !isSpecialIPv4(tunneled);
}

/** Whether two spellings name one address: `::1` and `0:0:0:0:0:0:0:1` do. */
export function isSameAddress(one: string, other: string): boolean {
  if (one === other) return true;
  return isIPv6(one) && isIPv6(other) && groupsOf(one).join(":") === groupsOf(other).join(":");
}

/** The IPv4 address at the end of an ISATAP address (…:0:5efe:a.b.c.d), which any prefix can carry. */
function isatapAddress(address: string): string | undefined {
  const [, , , , kind = 0, marker, high = 0, low = 0] = groupsOf(address);
  const universalAndGroupBits = 0x0300;
  if (marker !== 0x5efe || (kind & ~universalAndGroupBits) !== 0) return undefined;
  return [high >> 8, high & 0xff, low >> 8, low & 0xff].join(".");
}

/** The eight 16-bit groups of a valid IPv6 address. */
export function groupsOf(address: string): number[] {
  const [plain = ""] = address.split("%");
  const hexadecimal = plain.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, ...bytes) => {
    const [a = 0, b = 0, c = 0, d = 0] = bytes.slice(0, 4).map(Number);
    return `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
  });
  const [head = "", tail] = hexadecimal.split("::");
  const front = numbersOf(head);
  const back = numbersOf(tail ?? "");
  return [...front, ...Array.from({ length: 8 - front.length - back.length }, () => 0), ...back];
}

function numbersOf(groups: string): number[] {
  return groups === "" ? [] : groups.split(":").map((group) => Number.parseInt(group, 16));
}
