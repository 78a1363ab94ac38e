import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { doorTo, until } from "../../../test/database-door.ts";
import { fileDatabase, startApi } from "../../../test/harness.ts";
import { onePlace, scriptedSource } from "../../../test/scripted-source.ts";
import { unitsUsed } from "../../../test/units.ts";
import { newUuid } from "../../platform/ids.ts";

/** The API behind a door to its database, and one page of the source bought already, so that its business is known. */
async function startBehindDoor(t: TestContext, { isLocal }: { isLocal: boolean }) {
  const door = await doorTo(t, await fileDatabase());
  const { source, told } = scriptedSource();
  const api = await startApi(t, { connection: door.through, sources: { scripted: { ...source, isLocal } } });
  const { text: key, organizationId } = await api.givenKey({ environment: "live" });
  const search = (headers = {}) => api.searchAs(key, { q: "coffee in Vaduz" }, headers);
  assert.equal((await search()).status, 200);
  return { door, told, search, used: () => unitsUsed(api.db, organizationId) };
}

test("a page whose commit was answered to nobody is there for its key, and is paid for", async (t) => {
  const { door, search, used } = await startBehindDoor(t, { isLocal: true });
  const withKey = { "Idempotency-Key": newUuid() };

  door.loseAnswerTo("commit\0");
  const lost = await search(withKey);
  const again = await search(withKey);

  assert.deepEqual([lost.status, lost.body["error"].code], [503, "temporarily_unavailable"]);
  assert.match(lost.body["error"].message, /may have been done; send the same request again after Retry-After/);
  assert.match(lost.headers.get("retry-after") ?? "", /^\d+$/);
  assert.deepEqual([again.status, again.headers.get("idempotent-replayed")], [200, "true"]);
  assert.equal(await used(), 2);
});

test("a page that was settled and handed to nobody costs nothing", async (t) => {
  const { door, told, search, used } = await startBehindDoor(t, { isLocal: false });
  told.script = async (query, signal) => {
    door.loseAnswerTo("commit\0"); // the reservation was made before the source was asked
    return onePlace()(query, signal);
  };

  assert.equal((await search()).status, 503);

  await until(async () => (await used()) === 1);
});

test("a charge that arrives after its search has failed is given back", async (t) => {
  const { door, search, used } = await startBehindDoor(t, { isLocal: true });

  door.delay("search/", 500);
  assert.equal((await search()).status, 503);

  await until(async () => (await used()) === 2);
  await until(async () => (await used()) === 1);
});

test("a key is free as soon as the database is there again, and not when its lease ends", async (t) => {
  const { door, told, search } = await startBehindDoor(t, { isLocal: true });
  const [claimed, worked] = [newUuid(), newUuid()];
  const answered = async (key: string) => (await search({ "Idempotency-Key": key })).status === 200;

  door.loseAnswerTo(claimed);
  assert.equal(await answered(claimed), false);
  told.script = async (query, signal) => {
    door.shut();
    return onePlace()(query, signal);
  };
  assert.equal(await answered(worked), false);
  told.script = onePlace();
  door.open();

  await until(() => answered(claimed), 20);
  await until(() => answered(worked), 20);
});
