import assert from "node:assert/strict";
import { test } from "node:test";
import type { PlaceRecord } from "../../open-data/record.ts";
import { recordOf } from "../../open-data/tags/index.ts";
import { givenCatalog, town } from "../testing.ts";

type City = readonly [name: string, countryCode: string, latitude: number, longitude: number];

const kinds = {
  hotel: { tourism: "hotel" },
  pharmacy: { amenity: "pharmacy" },
  restaurant: { amenity: "restaurant" },
  cafe: { amenity: "cafe" },
  hospital: { amenity: "hospital" },
  bakery: { shop: "bakery" },
  hairdresser: { shop: "hairdresser" },
  gym: { leisure: "fitness_centre" },
  fuel: { amenity: "fuel" },
  repair: { shop: "car_repair" },
  lawyer: { office: "lawyer" },
} as const satisfies Record<string, Record<string, string>>;

type Kind = keyof typeof kinds;

const beograd: City = ["Београд", "RS", 44.787, 20.457];
const sofia: City = ["София", "BG", 42.698, 23.322];
const skopje: City = ["Скопје", "MK", 41.998, 21.425];
const athens: City = ["Αθήνα", "GR", 37.984, 23.728];
const tbilisi: City = ["თბილისი", "GE", 41.715, 44.827];
const bishkek: City = ["Бишкек", "KG", 42.876, 74.604];

test("kinds of place are known in Latin letters where people write Cyrillic, Greek or Georgian ones", async (t) => {
  await given(
    t,
    [beograd, sofia, skopje, athens, tbilisi, bishkek],
    [
      ["frizer Beograd", "sr", "hairdresser", beograd],
      ["teretana u Beogradu", "en", "gym", beograd],
      ["apteka sofia", "bg", "pharmacy", sofia],
      ["bolnitsa Sofia", "en", "hospital", sofia],
      ["apteka Skopje", "en", "pharmacy", skopje],
      ["farmakeio Athina", "el", "pharmacy", athens],
      ["ksenodoxeio Athina", "en", "hotel", athens],
      ["aptiaki tbilisi", "en", "pharmacy", tbilisi],
      ["gostinitsa Bishkek", "ru", "hotel", bishkek],
      ["gostinica Bishkek", "ru", "hotel", bishkek],
    ],
  );
});

type Asked = readonly [q: string, hl: string, kind: Kind, city: City, seen?: "seen"];

/** Cities with one place of each kind, and questions whose first answer is of the kind in the city, or on the map of it. */
async function given(t: Parameters<typeof givenCatalog>[0], cities: readonly City[], questions: readonly Asked[]) {
  const { load, names } = await givenCatalog(t);
  const everything = cities.flatMap((city) => (Object.keys(kinds) as Kind[]).map((kind) => placeOf(kind, city)));
  await load([...cities.map(townOf), ...everything]);
  for (const [q, hl, kind, city, seen] of questions) {
    const found = await names(q, { hl, ...(seen ? { ll: `@${city[2]},${city[3]},14z` } : {}) });
    assert.equal(found[0], nameOf(kind, city), `${q} (${hl})`);
  }
}

function nameOf(kind: Kind, [, countryCode]: City) {
  return `Qq${kind} ${countryCode}`;
}

function townOf([name, countryCode, latitude, longitude]: City) {
  return town(name, latitude, longitude, { countryCode, kind: "city", population: 500_000 });
}

let count = 0;
function placeOf(kind: Kind, city: City): { place: PlaceRecord } {
  const [, , latitude, longitude] = city;
  count += 1;
  const record = recordOf({
    type: "node",
    id: count,
    tags: { name: nameOf(kind, city), ...kinds[kind] },
    latitude: latitude + (1 + Object.keys(kinds).indexOf(kind)) / 4_000,
    longitude,
  });
  assert.ok(record, nameOf(kind, city));
  return { place: record };
}
