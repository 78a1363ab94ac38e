import assert from "node:assert/strict";
import { test } from "node:test";
import { startCollections } from "../../../test/collections.ts";
import { aPlace } from "../../../test/place.ts";
import { type NamedArea, type Source, SourceFailure } from "../../sources/source.ts";

type Spot = { name: string; latitude: number; longitude: number };

/** A source that honors bounds, and knows these place names. */
function townSource(spots: readonly Spot[], areas: Record<string, NamedArea | SourceFailure> = {}) {
  const places = spots.map(({ name, ...location }) => aPlace({ placeId: `town:${name}`, name, location }));
  const lookedUp: { name: string; hl: string; gl?: string }[] = [];
  const source: Source = {
    name: "town",
    async search({ within, page }) {
      const [south, west, north, east] = within?.box ?? [-90, -180, 90, 180];
      const matching = places.filter(({ location }) => {
        const { latitude = 0, longitude = 0 } = location ?? {};
        const isInBox = latitude >= south && latitude <= north && longitude >= west && longitude <= east;
        return isInBox && within?.contains(latitude, longitude) !== false;
      });
      const listings = matching.slice((page - 1) * 20, page * 20);
      return { listings, verdict: listings.length > 0 ? "ok" : "empty", matching: matching.length };
    },
    async findArea(name, options) {
      lookedUp.push({ name, ...options });
      const found = areas[name];
      if (found instanceof SourceFailure) throw found;
      return found;
    },
  };
  return { source, lookedUp };
}

const graz: Spot[] = [
  { name: "center", latitude: 47.07, longitude: 15.44 },
  { name: "edge of the box", latitude: 47.1, longitude: 15.5 },
  { name: "corner, outside of the circle", latitude: 47.099, longitude: 15.499 },
  { name: "another town", latitude: 48.2, longitude: 16.37 },
];
const box: NamedArea = { kind: "box", box: [47, 15.3, 47.1, 15.5] };
const circle: NamedArea = { kind: "circle", center: { latitude: 47.07, longitude: 15.44 }, radiusM: 4_000 };

test("a place name is looked up at the source, and its box or circle is collected", async (t) => {
  const town = townSource(graz, { Graz: box, "Graz, Austria": circle });
  const api = await startCollections(t, { source: town.source });
  const { text: key } = await api.givenKey({ environment: "live" });
  api.givenWorker();
  const namesIn = async (place: string, more: object = {}) => {
    const { status, body, text } = await api.collect(key, { area: { place }, ...more });
    assert.equal(status, 202, text);
    assert.deepEqual(body["data"].area, { place });
    const { id, status: end } = await api.collected(key, body["data"].id);
    assert.equal(end, "succeeded");
    return (await api.recordsOf(key, id)).map((record): string => record.place.name).sort();
  };

  const inBox = await namesIn("Graz");
  const inCircle = await namesIn("Graz, Austria", { hl: "de", gl: "at" });

  assert.deepEqual(inBox, ["center", "corner, outside of the circle", "edge of the box"]);
  assert.deepEqual(inCircle, ["center"]);
  assert.deepEqual(town.lookedUp, [
    { name: "Graz", hl: "en" },
    { name: "Graz, Austria", hl: "de", gl: "at" },
  ]);
});

test("a place that nobody knows, and a lookup that fails, leave no collection behind", async (t) => {
  const busy = new SourceFailure("slow_down", "source_unavailable", "The source is busy.");
  const api = await startCollections(t, { source: townSource(graz, { Busytown: busy }).source });
  const { text: key } = await api.givenKey({ environment: "live" });

  const unknown = await api.collect(key, { area: { place: "Atlantis" } });
  const failed = await api.collect(key, { area: { place: "Busytown" } });
  const { body } = await api.call("/api/v1/collections", { key });

  assert.equal(unknown.status, 400);
  assert.match(
    unknown.body["error"].details[0],
    /^\/area\/place: must be a town, region or country that the source knows/,
  );
  assert.equal(failed.status, 503);
  assert.equal(failed.body["error"].code, "source_unavailable");
  assert.equal(failed.headers.get("retry-after"), "5");
  assert.deepEqual(body["data"], []);
});

test("an area that the first source has no data of is looked up and collected at the next one", async (t) => {
  const covered = townSource(graz, { Graz: box });
  const everywhere = townSource([{ name: "Sliema", latitude: 35.912, longitude: 14.504 }], {
    Sliema: { kind: "box", box: [35.9, 14.49, 35.92, 14.52] },
  });
  const hasDataFor: Source["hasDataFor"] = async ({ q, ll = "" }) => q === "Graz" || ll.startsWith("@47.");
  const sources = { town: { ...covered.source, hasDataFor }, world: { ...everywhere.source, name: "world" } };
  const api = await startCollections(t, { sources });
  const { text: key } = await api.givenKey({ environment: "live" });
  api.givenWorker();
  const namesIn = async (area: object) => {
    const { status, body, text } = await api.collect(key, { area });
    assert.equal(status, 202, text);
    const { id } = await api.collected(key, body["data"].id);
    return (await api.recordsOf(key, id)).map((record): string => record.place.name);
  };

  assert.equal((await namesIn({ place: "Graz" })).length, 3);
  assert.deepEqual(await namesIn({ place: "Sliema" }), ["Sliema"]);
  assert.deepEqual(await namesIn({ bbox: [35.9, 14.49, 35.92, 14.52] }), ["Sliema"]);
  assert.deepEqual(await namesIn({ bbox: [47, 15.3, 47.08, 15.45] }), ["center"]);
});

test("a box over the antimeridian is collected on both sides, and nowhere between them", async (t) => {
  const fiji: Spot[] = [
    { name: "west of it", latitude: -17, longitude: 179.5 },
    { name: "on it", latitude: -17, longitude: 180 },
    { name: "east of it", latitude: -16.8, longitude: -179.9 },
    { name: "beyond the east edge", latitude: -17, longitude: -178.9 },
    { name: "before the west edge", latitude: -17, longitude: 178.9 },
    { name: "the other half of the earth", latitude: -17, longitude: 0 },
  ];
  const api = await startCollections(t, { source: townSource(fiji).source });
  const { text: key } = await api.givenKey({ environment: "live" });
  api.givenWorker();

  const { body } = await api.collect(key, { area: { bbox: [-19, 179, -16, -179] } });
  const { id, status, progress } = await api.collected(key, body["data"].id);

  assert.equal(status, "succeeded");
  const names = (await api.recordsOf(key, id)).map(({ place }): string => place.name).sort();
  assert.deepEqual(names, ["east of it", "on it", "west of it"]);
  assert.equal(progress.units_charged, 2);
  const bounds = (await api.cellsOf(key, id)).map(({ bbox }) => bbox).sort((one, other) => one[0] - other[0]);
  assert.deepEqual(bounds, [
    [-180, -19, -179, -16],
    [179, -19, 180, -16],
  ]);
});

test("ten collections of two organizations share the workers evenly, and ordinary jobs pass by them", async (t) => {
  const { source } = townSource(graz);
  const begun = new Set<string>();
  const release = Promise.withResolvers<void>();
  const held: Source = {
    ...source,
    async search(query, signal) {
      if (query.within) {
        begun.add(query.q);
        await release.promise;
      }
      return source.search(query, signal);
    },
  };
  const api = await startCollections(t, { source: held });
  const created: { key: string; id: string }[] = [];
  const keys = [await api.givenKey({ environment: "live" }), await api.givenKey({ environment: "live" })];
  // The first organization creates all of its collections before the second begins.
  for (const [number, { text: key }] of keys.entries()) {
    for (let count = 0; count < 5; count += 1) {
      const { body } = await api.collect(key, {
        q: `dentist ${number} ${count}`,
        area: { bbox: [47, 15, 47.2, 15.6] },
      });
      created.push({ key, id: body["data"].id });
    }
  }

  api.givenWorker();
  const [first] = keys;
  const jobs = await Promise.all(
    Array.from({ length: 3 }, async () => {
      const { body } = await api.create(first?.text ?? "", { q: "dentist" });
      return api.ended(first?.text ?? "", body["data"].id);
    }),
  );
  while (begun.size < 4) await new Promise((resolve) => setTimeout(resolve, 10));
  const byOrganization = Map.groupBy(begun, (q) => q.split(" ")[1]);
  release.resolve();
  const ends = await Promise.all(created.map(({ key, id }) => api.collected(key, id)));

  assert.deepEqual(
    jobs.map(({ status }) => status),
    ["succeeded", "succeeded", "succeeded"],
  );
  assert.deepEqual([byOrganization.get("0")?.length, byOrganization.get("1")?.length], [2, 2]);
  assert.deepEqual(new Set(ends.map(({ status }) => status)), new Set(["succeeded"]));
  assert.deepEqual(new Set(ends.map(({ progress }) => progress.businesses)), new Set([3]));
});
