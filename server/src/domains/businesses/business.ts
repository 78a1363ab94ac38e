import { createHash } from "node:crypto";
import { schemaVersion } from "../../platform/contract.ts";
import { memoizeByObject } from "../../platform/memoize.ts";
import type { Place } from "../../places/place.ts";
import type { Business } from "./schema.ts";

/** A business that does not exist: its id follows from its listing, and nothing is stored. */
export const simulatedBusiness = memoizeByObject((place: Place): Business => {
  const name = place.placeId ?? place.dataId ?? place.cid ?? JSON.stringify(place);
  return { schemaVersion, businessId: fixedUuid(name), revision: 1, place };
});

/** A business as it is sent. Listings of fixtures and the catalog are the same objects in many answers. */
export const businessBytes = memoizeByObject((business: Business) => Buffer.from(JSON.stringify(business)));

/** A version 8 UUID, the kind whose meaning its maker defines: here, a hash of a name. */
export function fixedUuid(name: string): string {
  const hex = createHash("sha256").update(name).digest("hex");
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 0x3) | 0x8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
