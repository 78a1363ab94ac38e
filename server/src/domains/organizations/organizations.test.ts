import assert from "node:assert/strict";
import { test } from "node:test";
import { startApi } from "../../../test/harness.ts";
import { newUuid } from "../../platform/ids.ts";

test("an entitlement that ends or begins is heeded at once by every process that listens", async (t) => {
  const api = await startApi(t);
  const other = await startApi(t);
  const { text: key, organizationId } = await api.givenKey({ environment: "live" });
  const codes = async () =>
    Promise.all([api, other].map(async (each) => (await each.searchAs(key, { q: "coffee" })).body["error"].code));
  assert.deepEqual(await codes(), ["capability_unavailable", "capability_unavailable"]);

  // The cache of a verifier lasts half a second; the deadline of this wait is the promised second.
  const within = performance.now() + 1_000;
  await api.organizations.setEntitlement(organizationId, "inactive");
  let seen = await codes();
  while (seen.some((code) => code !== "entitlement_required") && performance.now() < within) seen = await codes();
  assert.deepEqual(seen, ["entitlement_required", "entitlement_required"]);

  await api.organizations.setEntitlement(organizationId, "active");
  const again = performance.now() + 1_000;
  while (seen.includes("entitlement_required") && performance.now() < again) seen = await codes();
  assert.deepEqual(seen, ["capability_unavailable", "capability_unavailable"]);
});

test("what is not given is not changed", async (t) => {
  const { organizations, db } = await startApi(t);
  const { id } = await organizations.create("Old name", db, "inactive");

  const renamed = await organizations.change(id, { name: "New name" });
  const activated = await organizations.change(id, { entitlement: "active" });

  assert.deepEqual([renamed.name, renamed.entitlement], ["New name", "inactive"]);
  assert.deepEqual([activated.name, activated.entitlement], ["New name", "active"]);
});

test("an id names its organization, also where another has it for a name", async (t) => {
  const { organizations } = await startApi(t);
  const victim = await organizations.create("victim");

  await organizations.create(victim.id);

  assert.equal((await organizations.choose(victim.id)).name, "victim");
});

test("a name has 1 to 100 characters, and an entitlement is one of two", async (t) => {
  const { organizations } = await startApi(t);
  const { id } = await organizations.create("x");
  await organizations.change(id, { name: "😀".repeat(100) });

  await assert.rejects(organizations.create(""), { code: "invalid_request" });
  await assert.rejects(organizations.change(id, { name: " \t" }), { code: "invalid_request" });
  await assert.rejects(organizations.change(id, { name: "😀".repeat(101) }), { code: "invalid_request" });
  await assert.rejects(organizations.change(id, { entitlement: "maybe" }), { code: "invalid_request" });
  await assert.rejects(organizations.change(newUuid(), { name: "nobody" }), { code: "not_found" });
});
