import { BlockList, isIP, isIPv6 } from "node:net";

/** A CIDR block such as `10.0.0.0/8` or `2001:db8::/32`; a bare address is a block of one. */
export type Network = { address: string; prefix: number; family: "ipv4" | "ipv6" };

export function parseNetwork(text: string): Network | undefined {
  const [address = "", length, ...rest] = text.split("/");
  const version = isIP(address);
  if (version === 0 || rest.length > 0 || address.includes("%")) return undefined;

  const longest = version === 4 ? 32 : 128;
  if (length !== undefined && !/^\d{1,3}$/.test(length)) return undefined;
  const prefix = length === undefined ? longest : Number(length);
  if (prefix > longest) return undefined;

  return { address, prefix, family: version === 4 ? "ipv4" : "ipv6" };
}

/** Whether an address lies in one of the blocks. IPv4 inside IPv6 (`::ffff:1.2.3.4`) counts as IPv4. */
export function createNetworkCheck(blocks: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const text of blocks) {
    const network = parseNetwork(text);
    if (!network) throw new Error(`${text} is not a CIDR block`);
    list.addSubnet(network.address, network.prefix, network.family);
  }
  return (address) => {
    const plain = address.toLowerCase().startsWith("::ffff:") && address.includes(".") ? address.slice(7) : address;
    return list.check(plain, isIPv6(plain) ? "ipv6" : "ipv4");
  };
}
