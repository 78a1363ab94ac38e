import { networkNames } from "../contacts.ts";

export const otherNameKeys = ["official_name", "alt_name", "short_name", "old_name", "int_name", "loc_name", "brand"];
export const phoneKeys = ["phone", "contact:phone", "mobile", "contact:mobile"];
export const siteKeys = ["website", "contact:website", "url"];
export const emailKeys = ["email", "contact:email"];
export const profileKeys = networkNames.flatMap((network) => [
  { network, key: `contact:${network}` },
  { network, key: network },
]);

export const goneKeys: readonly string[] = ["disused", "abandoned", "demolished", "removed"];
