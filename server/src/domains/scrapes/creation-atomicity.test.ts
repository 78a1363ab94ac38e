import assert from "node:assert/strict";
import { test } from "node:test";
import { scriptedSource } from "../../../test/scripted-source.ts";
import { startScrapes } from "../../../test/scrapes.ts";
import { newUuid } from "../../platform/ids.ts";
import { type Sql, sql } from "../../platform/postgres/sql.ts";

// Where a creation can be undone: when its unit is written down, which comes last, and at the very
// end, when everything has been written and the commit is refused.
const faults: readonly (readonly [string, Sql])[] = [
  [
    "the ledger takes no entry",
    sql`
      create trigger doomed
      before insert on ledger_entries
      for each row execute function refuse_doomed()
    `,
  ],
  [
    "the commit of the job is refused",
    sql`
      create constraint trigger doomed
      after insert on scrapes
      deferrable initially deferred
      for each row execute function refuse_doomed()
    `,
  ],
  [
    "the commit of the unit is refused",
    sql`
      create constraint trigger doomed
      after insert on ledger_entries
      deferrable initially deferred
      for each row execute function refuse_doomed()
    `,
  ],
];

for (const [name, trigger] of faults) {
  test(`of a creation nothing is left when ${name}, and its key can be used again`, async (t) => {
    const api = await startScrapes(t, { source: scriptedSource().source });
    const organizationId = (await api.organizations.create("doomed")).id;
    const { text: key } = await api.givenKey({ organizationId, environment: "live" });
    const idempotencyKey = newUuid();
    await api.db.query(refuseDoomed);
    await api.db.query(trigger);

    const refused = await api.create(key, {}, { "Idempotency-Key": idempotencyKey });
    const left = await countLeft(api, organizationId);
    await api.db.query(sql`drop function refuse_doomed cascade`);
    const accepted = await api.create(key, {}, { "Idempotency-Key": idempotencyKey });

    assert.equal(refused.status, 500);
    assert.deepEqual(left, { jobs: 0, units: 0, entries: 0, keys: 0 });
    assert.equal(accepted.status, 202);
    assert.equal(accepted.headers.get("Idempotent-Replayed"), null);
    assert.deepEqual(await countLeft(api, organizationId), { jobs: 1, units: 1, entries: 1, keys: 1 });
  });
}

const refuseDoomed = sql`
  create function refuse_doomed() returns trigger language plpgsql as '
    begin
      if exists (select from organizations where id = new.organization_id and name = ''doomed'') then
        raise ''this is not written'';
      end if;
      return new;
    end
  '
`;

async function countLeft({ db }: Awaited<ReturnType<typeof startScrapes>>, organizationId: string) {
  const { rows } = await db.query<{ jobs: number; units: number; entries: number; keys: number }>(sql`
    select
      (select count(*) from scrapes where organization_id = ${organizationId}) as jobs,
      (select coalesce(sum(used), 0)::bigint from usage_months where organization_id = ${organizationId}) as units,
      (select coalesce(sum(units), 0)::bigint from ledger_entries where organization_id = ${organizationId}) as entries,
      (select count(*) from idempotency_records where starts_with(owner, ${organizationId}::text)) as keys
  `);
  return rows[0];
}
