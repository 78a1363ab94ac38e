import { createHash } from "node:crypto";
import { schemaVersion } from "../../platform/http/envelope.ts";
import type { Place } from "../../sources/place.ts";
import type { Business } from "./schema.ts";

// Fixture listings are the same frozen objects in every answer, so each becomes a business, and
// its text, once.
const simulated = new WeakMap<Place, Business>();
const texts = new WeakMap<Business, string>();

/** A business that does not exist: its id follows from its listing, and nothing is stored. */
export function simulatedBusiness(place: Place): Business {
  let business = simulated.get(place);
  if (!business) {
    const name = place.placeId ?? place.dataId ?? place.cid ?? JSON.stringify(place);
    business = { schemaVersion, businessId: fixedUuid(name), revision: 1, place };
    simulated.set(place, business);
    texts.set(business, JSON.stringify(business));
  }
  return business;
}

export function businessText(business: Business): string {
  return texts.get(business) ?? JSON.stringify(business);
}

/** A version 8 UUID, the kind whose meaning its maker defines: here, a hash of a name. */
function fixedUuid(name: string): string {
  const hex = createHash("sha256").update(name).digest("hex");
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 0x3) | 0x8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
