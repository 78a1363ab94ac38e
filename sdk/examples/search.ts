// Finds businesses at once.
import { Waypost } from "@waypost/sdk";

const waypost = new Waypost(); // reads WAYPOST_API_KEY and WAYPOST_URL

const { businesses, total } = await waypost.search({ q: "coffee in Vaduz", hl: "de" });

console.log(`${total} businesses`);
for (const { businessId, place } of businesses) {
  console.log(businessId, place.name, place.address.formatted, place.phone);
}
