import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { startExports } from "../../../test/exports.ts";
import { aPlace } from "../../../test/place.ts";
import { newUuid } from "../../platform/ids.ts";
import { otherIds, type Place } from "../../places/place.ts";
import { givenCatalog, place } from "../../sources/catalog/testing.ts";
import { createOwnersRequests } from "./index.ts";
import { asRequested, readSuppression } from "./owners-requests.ts";
import { readRequests } from "./owners-requests-store.ts";

async function startWith(t: TestContext, listings: readonly Place[]) {
  const api = await startExports(t, {
    source: { name: "steady", search: async () => ({ listings: [...listings], verdict: "ok" }) },
  });
  api.givenWorker();
  const { text: key } = await api.givenKey({ environment: "live" });
  const namesOf = async (jobId: string): Promise<(string | null)[]> => {
    const { data } = (await api.results(key, jobId)).body;
    return data.records.map((record: { place: Place }) => record.place.name);
  };
  return { ...api, key, namesOf, requests: createOwnersRequests({ db: api.db }) };
}

const leaving = () =>
  aPlace({
    placeId: `osm:n${newUuid()}`,
    name: "Amann",
    phones: ["+423 232 11 11"],
    phone: "+423 232 11 11",
    emails: ["Info@amann.example"],
    website: "https://www.amann.example/",
    domain: "amann.example",
  });

const ways: [string, (listing: Place) => string][] = [
  ["id", ({ placeId }) => placeId ?? ""],
  ["phone", () => "+4232321111"],
  ["email", () => "info@amann.example"],
  ["domain", () => "https://amann.example"],
];

for (const [kind, askedBy] of ways) {
  test(`a business suppressed by its ${kind} is in no new result, and stored ones and exports lose it`, async (t) => {
    const listing = leaving();
    const asked = askedBy(listing);
    const { key, namesOf, requests, ...api } = await startWith(t, [listing, aPlace({ name: "Beck" })]);
    const before = await api.givenJob(key);
    const created = await api.createExport(key, { job_id: before, format: "ndjson" });
    const exported = await api.finished(key, created.body["data"].id);

    const done = await requests.suppress(asked);

    assert.deepEqual(done, { asked, kind, results: 1, exports: 1 });
    assert.deepEqual(await namesOf(before), [null, "Beck"]);
    const stored = JSON.stringify((await api.results(key, before)).body);
    for (const trace of ["Amann", "232 11 11", "amann.example", listing.placeId ?? ""]) {
      assert.ok(!stored.includes(trace), trace);
    }
    assert.equal((await api.download(exported.download_url)).status, 410);
    assert.deepEqual(await namesOf(await api.givenJob(key)), ["Beck"]);
    assert.deepEqual(
      (await requests.list()).suppressions.map((each) => [each.asked, each.kind]),
      [[asked, kind]],
    );

    await requests.undoSuppression(asked);

    assert.deepEqual((await requests.list()).suppressions, []);
    await assert.rejects(requests.undoSuppression(asked), /Nothing was asked for/);
  });
}

test("an id stands for every record that is merged with it, whichever of them leads later", async (t) => {
  const { db, load } = await givenCatalog(t);
  const shop = { name: "Backstube Amann", categories: ["shop/bakery"] };
  await load([place({ sourceId: "osm:n101", ...shop })], "country");
  await load([place({ sourceId: "overture:08f", ...shop })], "overture");
  const requests = createOwnersRequests({ db });

  await requests.suppress("overture:08f");

  const listed = await readRequests(db);
  for (const id of ["osm:n101", "overture:08f"]) {
    assert.equal(asRequested(aPlace({ placeId: id }), listed), undefined);
    assert.equal(asRequested({ ...aPlace(), [otherIds]: [id] }, listed), undefined);
  }
  const other = aPlace();
  assert.equal(asRequested(other, listed), other);
});

test("a correction shows in new results, whatever the source says, until it is undone", async (t) => {
  const listing = leaving();
  const { key, requests, ...api } = await startWith(t, [listing]);
  const id = listing.placeId ?? "";
  await requests.correct(id, ["name=Amann & Söhne", "phone=+423 232 22 22", "website=", "businessStatus=OPERATIONAL"]);

  const { data } = (await api.results(key, await api.givenJob(key))).body;

  const shown: Place = data.records[0].place;
  assert.deepEqual(
    [shown.name, shown.phone, shown.phones, shown.website, shown.domain, shown.businessStatus],
    ["Amann & Söhne", "+423 232 22 22", ["+423 232 22 22"], null, null, "OPERATIONAL"],
  );
  assert.equal((await requests.list()).corrections.length, 4);
  await requests.undoCorrections(id);
  assert.deepEqual((await requests.list()).corrections, []);
});

test("a correction that is none is refused with the fields there are", async (t) => {
  const { requests } = await startWith(t, []);

  for (const text of ["rating=5", "phone=12", "website=::", "email=nobody", "businessStatus=OPEN", "name"]) {
    await assert.rejects(requests.correct("osm:n1", [text]), /cannot be set.*Fields: name, description/);
  }
});

test("what is asked for is an e-mail address, a phone number, a domain or an id", () => {
  const kindOf = (asked: string) => readSuppression(asked).kind;

  assert.deepEqual(["a@b.example", "+423 232 11 11", "www.b.example", "https://b.example/"].map(kindOf), [
    "email",
    "phone",
    "domain",
    "domain",
  ]);
  assert.deepEqual(["osm:n1", "csv:ab/b.example", newUuid(), "123456789"].map(kindOf), ["id", "id", "id", "id"]);
});
