// Asks a source that never answers, for one organization, until it is killed. Started by a test with
// DATABASE_URL and ORGANIZATION_ID; says "asked" when the unit is reserved and the source is at work.
import { onlySource } from "../src/sources/selection.ts";
import { createBilling, createTestQuota } from "../src/domains/billing/index.ts";
import { createBusinesses } from "../src/domains/businesses/index.ts";
import { createSearch } from "../src/domains/search/index.ts";
import { systemClock } from "../src/platform/clock.ts";
import { silentLog } from "../src/platform/log.ts";
import { createDatabase } from "../src/platform/postgres/database.ts";
import { createFixtures } from "../src/sources/fixtures/index.ts";
import type { Source } from "../src/sources/source.ts";

const db = createDatabase({
  connection: { url: process.env["DATABASE_URL"] ?? "" },
  connectionsMax: 2,
  log: silentLog,
});
const source: Source = {
  name: "silent",
  search() {
    process.stdout.write("asked\n");
    return new Promise(() => setInterval(() => undefined, 60_000));
  },
};
const search = createSearch({
  db,
  log: silentLog,
  fixtures: createFixtures(),
  sources: onlySource(source),
  billing: createBilling({ db, clock: systemClock }),
  testQuota: createTestQuota({ clock: systemClock }),
  businesses: createBusinesses({ db }),
});
await search.find(
  {
    organizationId: process.env["ORGANIZATION_ID"] ?? "",
    keyId: "key_of_a_victim",
    environment: "live",
    scopes: new Set(),
    entitled: true,
  },
  { q: "coffee" },
  { idempotencyKey: "a-key-of-a-victim", whenGone: () => new AbortController().signal },
);
