import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { createBusinesses } from "../src/domains/businesses/index.ts";
import { silentLog } from "../src/platform/log.ts";
import { createDatabase } from "../src/platform/postgres/database.ts";
import type { Place } from "../src/places/place.ts";
import { fileDatabase } from "./harness.ts";

/** A contact as a visit to a website finds it. */
export const contact = {
  type: "email" as const,
  value: "a@b.example",
  sourceUrl: "https://b.example/",
  seenAt: "2026-01-01T00:00:00.000Z",
};

/** The businesses of the file's database, and listings as the catalog shows them. */
export async function startBusinesses(t: TestContext) {
  const db = createDatabase({ connection: await fileDatabase(), connectionsMax: 20, log: silentLog });
  t.after(() => db.end());
  const businesses = createBusinesses({ db });
  const see = (...listings: Place[]) => db.transaction((tx) => businesses.identify(tx, "catalog", listings));
  async function seeOne(place: Place) {
    const [business] = await see(place);
    assert.ok(business);
    return business;
  }
  return { db, businesses, see, seeOne };
}
