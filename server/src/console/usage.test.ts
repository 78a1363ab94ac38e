import assert from "node:assert/strict";
import { test } from "node:test";
import { givenPerson } from "../../test/console.ts";
import { startApi } from "../../test/harness.ts";
import { newId, newUuid } from "../platform/ids.ts";

test("usage is counted by day and by what it paid for, net of refunds, for one's own organization", async (t) => {
  const api = await startApi(t, { allowance: 100 });
  const [mine, theirs] = [await api.givenOrganization(), await api.givenOrganization()];
  const viewer = await givenPerson(api, "viewer", mine);
  const refunded = `search/${newUuid()}`;
  await api.billing.charge(api.db, mine, 1, `search/${newUuid()}`);
  await api.billing.charge(api.db, mine, 1, refunded);
  await api.billing.release(api.db, mine, 1, refunded);
  await api.billing.charge(api.db, mine, 1, newId("job"));
  await api.billing.charge(api.db, theirs, 5, newId("job"));

  const { status, body } = await viewer.call("/usage");

  assert.equal(status, 200);
  assert.deepEqual(body["data"].actors, [
    { operation: "job", actor: null, units: 1 },
    { operation: "search", actor: null, units: 1 },
  ]);
  const { used, allowance, remaining, days, ledger } = body["data"];
  assert.deepEqual([used, allowance - remaining], [2, 2]);
  assert.equal(days.length, 30);
  const today = new Date().toISOString().slice(0, 10);
  assert.deepEqual(days.at(-1), { day: today, searches: 1, jobs: 1, other: 0 });
  assert.equal(ledger.length, 4);
});

test("a key and its replacement, which share a name, are told apart", async (t) => {
  const api = await startApi(t);
  const organizationId = await api.givenOrganization();
  const { call } = await givenPerson(api, "owner", organizationId);
  const { data: old } = (await call("/keys", { json: { name: "billing service" } })).body;
  const { data: replacement } = (await call(`/keys/${old.id}/rotate`, { json: {} })).body;
  await api.billing.charge(api.db, organizationId, 1, newId("job"), old.id);
  await api.billing.charge(api.db, organizationId, 2, newId("job"), replacement.id);

  const { body } = await call("/usage");

  const actorOf = ({ id, masked }: { id: string; masked: string }) => ({
    operation: "job",
    actor: { kind: "key", id, name: "billing service", masked },
  });
  assert.deepEqual(body["data"].actors, [
    { ...actorOf(replacement), units: 2 },
    { ...actorOf(old), units: 1 },
  ]);
});

test("the catalog page tells the data sets and the source that answers live searches", async (t) => {
  const api = await startApi(t, {
    source: { name: "scripted", search: async () => ({ listings: [], verdict: "empty" }) },
  });
  const viewer = await givenPerson(api, "viewer", await api.givenOrganization());

  const { body } = await viewer.call("/catalog");

  assert.deepEqual(body["data"].data_sets, []);
  assert.deepEqual([body["data"].source.name, body["data"].source.status], ["scripted", "ready"]);
});
