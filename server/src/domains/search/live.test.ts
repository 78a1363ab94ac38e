import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { fileDatabase, startApi } from "../../../test/harness.ts";
import { callTool } from "../../../test/mcp.ts";
import { aPlace } from "../../../test/place.ts";
import { databaseUrl } from "../../../test/postgres.ts";
import { heldPage, nothing, onePlace, scriptedSource } from "../../../test/scripted-source.ts";
import { unitsUsed } from "../../../test/units.ts";
import { newUuid } from "../../platform/ids.ts";
import { sql } from "../../platform/postgres/sql.ts";
import { SourceFailure } from "../../sources/source.ts";

type Api = Awaited<ReturnType<typeof startApi>>;

const coffee = { q: "coffee in Vaduz" };
const idempotent = () => ({ "Idempotency-Key": newUuid() });

const used = (api: Api, organizationId: string) => unitsUsed(api.db, organizationId);

function units(headers: Headers) {
  return [headers.get("X-SVC-Units-Charged"), headers.get("X-SVC-Units-Remaining")];
}

// The number is the contract's for an organization without a ceiling.
test("without a default allowance there is no ceiling, and units are counted all the same", async (t) => {
  const { source } = scriptedSource(onePlace());
  const api = await startApi(t, { sources: { osm: source } });
  const { text: key, organizationId } = await api.givenKey({ environment: "live" });

  const first = await api.searchAs(key, coffee);
  const second = await api.searchAs(key, coffee);

  for (const { headers } of [first, second]) assert.deepEqual(units(headers), ["1", "9007199254740991"]);
  assert.equal(await used(api, organizationId), 2);
  await api.billing.setAllowance(organizationId, 3);
  assert.deepEqual(units((await api.searchAs(key, coffee)).headers), ["1", "0"]);
  assert.equal((await api.searchAs(key, coffee)).status, 402);
});

test("a live search answers with real businesses and costs one unit", async (t) => {
  const place = aPlace({ name: "Café Amann" });
  const { source, told } = scriptedSource(onePlace(place));
  const api = await startApi(t, { sources: { osm: source }, allowance: 5 });
  const { text: key, organizationId } = await api.givenKey({ environment: "live" });

  const { status, body, headers } = await api.searchAs(key, { ...coffee, gl: "li" });

  assert.equal(status, 200);
  assert.deepEqual(units(headers), ["1", "4"]);
  assert.deepEqual(body["data"].params, { q: coffee.q, page: 1, hl: "en", extra: false, gl: "li" });
  assert.equal(body["data"].total, 1);
  assert.deepEqual(Object.entries(body["data"])[0], ["simulated", false]);
  assert.deepEqual(body["data"].businesses[0].place, place);
  assert.deepEqual(told.asked, [{ q: coffee.q, page: 1, hl: "en", extra: false, gl: "li" }]);
  assert.equal(await used(api, organizationId), 1);
});

test("a live search says how it was read, and a replay does not", async (t) => {
  const reading = 'Café; not understood: "flummery"';
  const { source } = scriptedSource(async () => ({ listings: [], verdict: "empty", reading }));
  const api = await startApi(t, { sources: { osm: source } });
  const { text: key } = await api.givenKey({ environment: "live" });
  const same = idempotent();

  const first = await api.searchAs(key, coffee, same);
  const again = await api.searchAs(key, coffee, same);
  const agent = await callTool(api, key, "search_businesses", coffee);

  assert.equal(first.headers.get("X-SVC-Query-Reading"), '%"Caf%c3%a9; not understood: %22flummery%22"');
  assert.equal(again.headers.get("X-SVC-Query-Reading"), null);
  assert.equal(agent.structuredContent["query_reading"], reading);
  assert.match(agent.content[0]?.text ?? "", /\n\{"query_reading":"Café; not understood: /);
});

test("the same business found by another organization has the same id and revision", async (t) => {
  const { source } = scriptedSource();
  const api = await startApi(t, { sources: { osm: source } });
  const [one, other] = [await api.givenKey({ environment: "live" }), await api.givenKey({ environment: "live" })];

  const first = await api.searchAs(one.text, coffee);
  const second = await api.searchAs(other.text, { q: "cafés" });

  assert.deepEqual(second.body["data"].businesses, first.body["data"].businesses);
});

test("an empty page costs one unit", async (t) => {
  const { source } = scriptedSource(nothing);
  const api = await startApi(t, { sources: { osm: source } });
  const { text: key, organizationId } = await api.givenKey({ environment: "live" });

  const { status, body, headers } = await api.searchAs(key, coffee);

  assert.equal(status, 200);
  assert.deepEqual(body["data"].businesses, []);
  assert.equal(headers.get("X-SVC-Units-Charged"), "1");
  assert.equal(await used(api, organizationId), 1);
});

// A retry could never help: the error says what to change instead.
test("a question without a place is refused where the source needs one, and costs nothing", async (t) => {
  const { source, told } = scriptedSource();
  const needy = { ...source, lacksPlace: ({ gl }: { gl?: string }) => gl === undefined };
  const api = await startApi(t, { sources: { osm: needy } });
  const { text: key, organizationId } = await api.givenKey({ environment: "live" });

  const refused = await api.searchAs(key, { q: "restaurant" });
  const placed = await api.searchAs(key, { q: "restaurant", gl: "li" });

  assert.equal(refused.status, 400);
  const { code, message, details, retryable } = refused.body["error"];
  assert.deepEqual([code, retryable], ["invalid_request", false]);
  assert.match(message, /name a place in q, or send ll or gl/);
  assert.match(details[0], /^\/q: must name a place/);
  assert.equal(placed.status, 200);
  assert.equal(told.asked.length, 1);
  assert.equal(await used(api, organizationId), 1);
});

test("a source that gives more than 20 is cut at 20", async (t) => {
  const places = Array.from({ length: 25 }, () => aPlace());
  const { source } = scriptedSource(async () => ({ listings: places, verdict: "ok" }));
  const api = await startApi(t, { sources: { osm: source } });
  const { text: key } = await api.givenKey({ environment: "live" });

  const { body } = await api.searchAs(key, coffee);

  assert.equal(body["data"].total, 20);
  assert.equal(body["data"].businesses.length, 20);
});

test("a replay is the same answer, free, and asks no source", async (t) => {
  const { source, told } = scriptedSource();
  const api = await startApi(t, { sources: { osm: source }, allowance: 5 });
  const { text: key, organizationId } = await api.givenKey({ environment: "live" });
  const headers = idempotent();

  const first = await api.searchAs(key, coffee, headers);
  told.script = onePlace(aPlace({ name: "Something else" }));
  const replay = await api.searchAs(key, coffee, headers);

  assert.deepEqual(replay.body["data"], first.body["data"]);
  assert.equal(replay.headers.get("Idempotent-Replayed"), "true");
  assert.deepEqual(units(first.headers), ["1", "4"]);
  assert.deepEqual(units(replay.headers), ["0", "4"]);
  assert.equal(told.asked.length, 1);
  assert.equal(await used(api, organizationId), 1);
});

test("a replay is answered also when the allowance is used up", async (t) => {
  const { source } = scriptedSource();
  const api = await startApi(t, { sources: { osm: source }, allowance: 1 });
  const { text: key } = await api.givenKey({ environment: "live" });
  const headers = idempotent();
  await api.searchAs(key, coffee, headers);

  assert.equal((await api.searchAs(key, coffee, headers)).status, 200);
  assert.equal((await api.searchAs(key, coffee, idempotent())).status, 402);
});

test("another organization's idempotency key does not meet", async (t) => {
  const { source, told } = scriptedSource();
  const api = await startApi(t, { sources: { osm: source } });
  const [one, other] = [await api.givenKey({ environment: "live" }), await api.givenKey({ environment: "live" })];
  const headers = idempotent();

  await api.searchAs(one.text, coffee, headers);
  const second = await api.searchAs(other.text, { q: "another body" }, headers);

  assert.equal(second.status, 200);
  assert.equal(second.headers.get("Idempotent-Replayed"), null);
  assert.equal(told.asked.length, 2);
  assert.equal(await used(api, other.organizationId), 1);
});

test("a twin that comes while the first is running waits, and both together cost one", async (t) => {
  const held = heldPage();
  const { source } = scriptedSource(held.script);
  const api = await startApi(t, { sources: { osm: source } });
  const { text: key, organizationId } = await api.givenKey({ environment: "live" });
  const headers = idempotent();

  const first = api.searchAs(key, coffee, headers);
  await held.asked;
  const twin = await api.searchAs(key, coffee, headers);
  held.letGo();

  assert.equal(twin.status, 409);
  assert.equal(twin.body["error"].code, "idempotency_in_progress");
  assert.equal((await first).status, 200);
  assert.equal(await used(api, organizationId), 1);
});

test("an allowance that is used up is 402, says when it resets, and asks no source", async (t) => {
  const { source, told } = scriptedSource();
  const api = await startApi(t, { sources: { osm: source }, allowance: 1 });
  const { text: key, organizationId } = await api.givenKey({ environment: "live" });
  await api.searchAs(key, coffee);

  const { status, body } = await api.searchAs(key, coffee);

  assert.equal(status, 402);
  assert.equal(body["error"].code, "allowance_exhausted");
  assert.equal(body["error"].retryable, false);
  assert.match(body["error"].message, /\d{4}-\d{2}-01T00:00:00\.000Z/);
  assert.equal(told.asked.length, 1);
  assert.equal(await used(api, organizationId), 1);
});

test("many searches at once get exactly as many pages as the allowance holds", async (t) => {
  const { source } = scriptedSource();
  const api = await startApi(t, { sources: { osm: source }, allowance: 10 });
  const { text: key, organizationId } = await api.givenKey({ environment: "live" });

  const answers = await Promise.all(Array.from({ length: 30 }, () => api.searchAs(key, coffee)));

  assert.equal(answers.filter(({ status }) => status === 200).length, 10);
  assert.equal(answers.filter(({ status }) => status === 402).length, 20);
  assert.equal(await used(api, organizationId), 10);
});

const failures = [
  { thrown: new SourceFailure("give_up", "source_failed", "a block page"), status: 502, code: "source_failed" },
  { thrown: new SourceFailure("try_again", "source_unavailable", "refused"), status: 503, code: "source_unavailable" },
  { thrown: new SourceFailure("try_again", "source_timeout", "slow"), status: 504, code: "source_timeout" },
  { thrown: new TypeError("a bug of ours"), status: 500, code: "internal_error" },
];
for (const { thrown, status, code } of failures) {
  test(`a page that ended with ${code} costs nothing and frees its key`, async (t) => {
    const { source, told } = scriptedSource(() => Promise.reject(thrown));
    const api = await startApi(t, { sources: { osm: source } });
    const { text: key, organizationId } = await api.givenKey({ environment: "live" });
    const headers = idempotent();

    const failed = await api.searchAs(key, coffee, headers);

    assert.equal(failed.status, status);
    assert.equal(failed.body["error"].code, code);
    assert.equal(failed.body["error"].retryable, true);
    assert.equal(failed.headers.get("Retry-After"), status === 503 ? "30" : null);
    assert.doesNotMatch(failed.text, /block page|refused|slow|bug/);
    assert.equal(await used(api, organizationId), 0);

    told.script = onePlace();
    const again = await api.searchAs(key, coffee, headers);
    assert.equal(again.status, 200);
    assert.equal(await used(api, organizationId), 1);
  });
}

test("a source in trouble is left alone, and Retry-After says for how long", async (t) => {
  const busy = new SourceFailure("slow_down", "source_unavailable", "too busy", { retryAfterSeconds: 17 });
  const { source, told } = scriptedSource(() => Promise.reject(busy));
  const api = await startApi(t, { sources: { osm: source } });
  const { text: key, organizationId } = await api.givenKey({ environment: "live" });
  await api.searchAs(key, coffee);

  const { status, headers } = await api.searchAs(key, coffee);

  assert.equal(status, 503);
  assert.equal(headers.get("Retry-After"), "17");
  assert.equal(told.asked.length, 1);
  assert.equal(await used(api, organizationId), 0);
  const { rows } = await api.db.query<{ kind: string }>(sql`
    select kind from ledger_entries where organization_id = ${organizationId} order by id
  `);
  assert.deepEqual(
    rows.map(({ kind }) => kind),
    ["reserve", "release"],
    "what was refused without asking leaves nothing in the ledger",
  );
});

test("a process killed while it waits for the source leaves nothing charged", async (t) => {
  const api = await startApi(t);
  const organizationId = await api.givenOrganization();
  const victim = spawn(process.execPath, [fileURLToPath(new URL("../../../test/search-victim.ts", import.meta.url))], {
    env: { ...process.env, DATABASE_URL: databaseUrl(await fileDatabase()), ORGANIZATION_ID: organizationId },
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(victim.stdout, "data");
  victim.kill("SIGKILL");
  await once(victim, "exit");
  assert.equal(await used(api, organizationId), 1);

  api.clock.advance(600_000);
  await api.billing.releaseLapsed();

  assert.equal(await used(api, organizationId), 0);
});

test("an answer that comes after its reservation was given back is not handed out", async (t) => {
  const held = heldPage();
  const { source } = scriptedSource(held.script);
  const api = await startApi(t, { sources: { osm: source } });
  const { text: key, organizationId } = await api.givenKey({ environment: "live" });

  const late = api.searchAs(key, coffee);
  await held.asked;
  api.clock.advance(600_000);
  await api.billing.releaseLapsed();
  held.letGo();

  assert.equal((await late).status, 504);
  assert.equal(await used(api, organizationId), 0);
});

test("test keys cost nothing, ask no source, and are told what is left", async (t) => {
  const { source, told } = scriptedSource();
  const api = await startApi(t, { sources: { osm: source }, allowance: 7 });
  const { text: key, organizationId } = await api.givenKey();

  const { body, headers } = await api.searchAs(key, coffee);

  assert.equal(body["data"].simulated, true);
  assert.deepEqual(units(headers), ["0", "7"]);
  assert.equal(told.asked.length, 0);
  assert.equal(await used(api, organizationId), 0);
});

test("test keys are answered when the allowance is used up, and the live key's page is none of theirs", async (t) => {
  const { source } = scriptedSource();
  const api = await startApi(t, { sources: { osm: source }, allowance: 0 });
  const live = await api.givenKey({ environment: "live" });
  const simulated = await api.givenKey({ organizationId: live.organizationId });
  const headers = idempotent();

  assert.equal((await api.searchAs(live.text, coffee, headers)).status, 402);
  assert.equal((await api.searchAs(simulated.text, coffee, headers)).status, 200);
});

test("the checks come in order: entitlement, capability, idempotency, allowance", async (t) => {
  const { source } = scriptedSource();
  const bare = await startApi(t, { allowance: 0 });
  const api = await startApi(t, { sources: { osm: source }, allowance: 1 });
  const { text: key, organizationId } = await api.givenKey({ environment: "live" });
  const headers = idempotent();

  assert.equal((await bare.searchAs(key, coffee)).body["error"].code, "capability_unavailable");
  assert.equal((await api.searchAs(key, coffee, headers)).status, 200);
  const reused = await api.searchAs(key, { q: "other" }, headers);
  assert.equal(reused.body["error"].code, "idempotency_key_reused");

  await api.organizations.setEntitlement(organizationId, "inactive");
  const other = await api.givenKey({ environment: "live", organizationId });
  assert.equal((await bare.searchAs(other.text, coffee)).body["error"].code, "entitlement_required");
});
