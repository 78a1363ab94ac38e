import assert from "node:assert/strict";
import { once } from "node:events";
import { request } from "node:http";
import type { Socket } from "node:net";
import { test } from "node:test";
import { startApi } from "../../../test/harness.ts";
import { heldPage, scriptedSource } from "../../../test/scripted-source.ts";
import { unitsUsed } from "../../../test/units.ts";
import { newUuid } from "../../platform/ids.ts";
import { sql } from "../../platform/postgres/sql.ts";

type Api = Awaited<ReturnType<typeof startApi>>;

const coffee = { q: "coffee in Vaduz" };
const idempotent = () => ({ "Idempotency-Key": newUuid() });
const used = (api: Api, organizationId: string) => unitsUsed(api.db, organizationId);

/** Asks on a connection of its own, which can be closed so that the server has seen it when this resolves. */
function askAndLeave(api: Api, key: string, headers: Record<string, string> = {}) {
  const connected = once(api.app.server, "connection");
  const call = request(`${api.address}/api/v1/search`, {
    method: "POST",
    agent: false,
    headers: { "API-KEY": key, "Content-Type": "application/json", ...headers },
  });
  call.on("error", () => undefined);
  call.end(JSON.stringify(coffee));
  return async function leave() {
    const [socket] = (await connected) as [Socket];
    const closed = once(socket, "close");
    call.destroy();
    await closed;
  };
}

test("a client that leaves without a key stops the search and is not charged", async (t) => {
  const held = heldPage();
  const { source } = scriptedSource(held.script);
  const api = await startApi(t, { sources: { osm: source } });
  const { text: key, organizationId } = await api.givenKey({ environment: "live" });

  const leave = askAndLeave(api, key);
  await held.asked;
  assert.equal(await used(api, organizationId), 1);
  await leave();

  assert.match(String(await held.abandoned), /the client closed its connection/);
  while ((await used(api, organizationId)) > 0); // the runner's deadline ends this wait should it fail
  assert.equal((await api.billing.balance(organizationId)).used, 0);
});

test("a client that leaves with a key finds its answer when it comes back", async (t) => {
  const held = heldPage();
  const { source, told } = scriptedSource(held.script);
  const api = await startApi(t, { sources: { osm: source } });
  const { text: key, organizationId } = await api.givenKey({ environment: "live" });
  const headers = idempotent();

  const leave = askAndLeave(api, key, headers);
  await held.asked;
  await leave();
  held.letGo();
  let back = await api.searchAs(key, coffee, headers);
  while (back.status === 409) back = await api.searchAs(key, coffee, headers);

  assert.equal(back.status, 200);
  assert.equal(back.headers.get("Idempotent-Replayed"), "true");
  assert.equal(told.asked.length, 1);
  assert.equal(await used(api, organizationId), 1);
});

/** A page that comes when it is let go, whether or not anybody still waits for it. */
function deafPage() {
  const held = heldPage();
  const script = (query: Parameters<typeof held.script>[0]) => held.script(query, new AbortController().signal);
  return { ...held, script };
}

for (const { isLocal, whose } of [
  { isLocal: true, whose: "our own data" },
  { isLocal: false, whose: "another source" },
]) {
  test(`a page of ${whose} that is found for a client who has left is not charged`, async (t) => {
    const page = deafPage();
    const { source } = scriptedSource(page.script);
    const api = await startApi(t, { source: { ...source, isLocal } });
    const { text: key, organizationId } = await api.givenKey({ environment: "live" });

    const leave = askAndLeave(api, key);
    await page.asked;
    await leave();
    page.letGo();

    while ((await ledgerKinds(api, organizationId)).length < 2); // the runner's deadline ends this wait should it fail
    assert.deepEqual(await ledgerKinds(api, organizationId), [isLocal ? "charge" : "reserve", "release"]);
    assert.equal(await used(api, organizationId), 0);
  });
}

async function ledgerKinds(api: Api, organizationId: string): Promise<string[]> {
  const { rows } = await api.db.query<{ kind: string }>(sql`
    select kind from ledger_entries where organization_id = ${organizationId} order by id
  `);
  return rows.map(({ kind }) => kind);
}
