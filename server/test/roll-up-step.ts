import { createBilling } from "../src/domains/billing/index.ts";
import { silentLog } from "../src/platform/log.ts";
import { createDatabase } from "../src/platform/postgres/database.ts";

// One step of a ledger's roll-up in a process that a test kills: roll-up-step.ts CONNECTION NOW STEP_ENTRIES
const [connection = "", now = "", stepEntries = ""] = process.argv.slice(2);
const db = createDatabase({ connection: JSON.parse(connection), connectionsMax: 1, log: silentLog });
const clock = { now: () => new Date(now) };
await createBilling({ db, clock, defaultAllowance: 0 }).rollUpLedger(clock.now(), 1, Number(stepEntries));
await db.end();
