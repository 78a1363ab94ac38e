import assert from "node:assert/strict";
import { test } from "node:test";
import type { PlaceRecord } from "../../../places/record.ts";
import { recordOf } from "../../../places/osm-tags/index.ts";
import { givenCatalog, town } from "../testing.ts";

type Spot = { latitude: number; longitude: number; countryCode: string };

const cities = {
  Երևան: { latitude: 40.179, longitude: 44.499, countryCode: "AM" },
  ঢাকা: { latitude: 23.81, longitude: 90.412, countryCode: "BD" },
  पोखरा: { latitude: 28.21, longitude: 83.986, countryCode: "NP" },
  اصفهان: { latitude: 32.655, longitude: 51.668, countryCode: "IR" },
  Ankara: { latitude: 39.933, longitude: 32.86, countryCode: "TR" },
  Tiranë: { latitude: 41.328, longitude: 19.819, countryCode: "AL" },
  "Kuala Lumpur": { latitude: 3.139, longitude: 101.687, countryCode: "MY" },
  Samarqand: { latitude: 39.627, longitude: 66.975, countryCode: "UZ" },
  "Hà Nội": { latitude: 21.028, longitude: 105.854, countryCode: "VN" },
  Vilnius: { latitude: 54.687, longitude: 25.28, countryCode: "LT" },
  Reykjavík: { latitude: 64.147, longitude: -21.943, countryCode: "IS" },
  ירושלים: { latitude: 31.768, longitude: 35.214, countryCode: "IL" },
  කොළඹ: { latitude: 6.927, longitude: 79.861, countryCode: "LK" },
  "አዲስ አበባ": { latitude: 9.03, longitude: 38.74, countryCode: "ET" },
  Oslo: { latitude: 59.914, longitude: 10.752, countryCode: "NO" },
  Nairobi: { latitude: -1.292, longitude: 36.822, countryCode: "KE" },
} as const satisfies Record<string, Spot>;

type City = keyof typeof cities;

const kinds = {
  hotel: { tourism: "hotel" },
  nightPharmacy: { amenity: "pharmacy", opening_hours: "24/7" },
  // Open on no day that tests run on.
  pharmacy: { amenity: "pharmacy", opening_hours: "1999 Jan 01 10:00-11:00" },
  restaurant: { amenity: "restaurant" },
  kosher: { amenity: "restaurant", "diet:kosher": "yes" },
  school: { amenity: "school" },
  fuel: { amenity: "fuel" },
  cafe: { amenity: "cafe" },
  pizza: { amenity: "restaurant", cuisine: "pizza" },
} as const satisfies Record<string, Record<string, string>>;

type Kind = keyof typeof kinds;

const nameOf = (kind: Kind, city: City) => `Qq${kind} ${Object.keys(cities).indexOf(city)}`;

test("kinds of place are known in languages that the tagging schema lacks, one and many, in the forms of their towns", async (t) => {
  const { load, names } = await givenCatalog(t);
  await load(everythingEverywhere());

  const questions: [q: string, hl: string, kind: Kind, city: City][] = [
    ["հյուրանոցներ Երևանում", "hy", "hotel", "Երևան"],
    ["բենզալցակայան Երևանում", "en", "fuel", "Երևան"],
    ["ঢাকায় হোটেল", "bn", "hotel", "ঢাকা"],
    ["ঢাকার হোটেলগুলো", "en", "hotel", "ঢাকা"],
    ["ঢাকায় স্কুল", "en", "school", "ঢাকা"],
    ["पोखराका होटलहरू", "ne", "hotel", "पोखरा"],
    ["पोखरामा विद्यालय", "ne", "school", "पोखरा"],
    ["هتل‌های اصفهان", "en", "hotel", "اصفهان"],
    ["مدرسه اصفهان", "fa", "school", "اصفهان"],
    ["Ankara otelleri", "en", "hotel", "Ankara"],
    ["ankara okulları", "tr", "school", "Ankara"],
    ["hotele në Tiranë", "sq", "hotel", "Tiranë"],
    ["shkollë Tiranë", "en", "school", "Tiranë"],
    ["stesen minyak di Kuala Lumpur", "ms", "fuel", "Kuala Lumpur"],
    ["sekolah kuala lumpur", "en", "school", "Kuala Lumpur"],
    ["Samarqanddagi mehmonxonalar", "uz", "hotel", "Samarqand"],
    ["Samarqandda maktab", "en", "school", "Samarqand"],
    ["කොළඹ හෝටල්", "en", "hotel", "කොළඹ"],
    ["ትምህርት ቤት በአዲስ አበባ", "am", "school", "አዲስ አበባ"],
    ["בית ספר ירושלים", "he", "school", "ירושלים"],
    ["Vilniaus viešbučiai", "en", "hotel", "Vilnius"],
  ];
  for (const [q, hl, kind, city] of questions) {
    assert.equal((await names(q, { hl }))[0], nameOf(kind, city), `${q} (${hl})`);
  }
});

test("near me means what the map shows in further languages", async (t) => {
  const { load, names } = await givenCatalog(t);
  await load(everythingEverywhere());

  const questions: [q: string, hl: string, kind: Kind, city: City][] = [
    ["quán cà phê gần đây nhất", "vi", "cafe", "Hà Nội"],
    ["quán cà phê gần chỗ tôi", "vi", "cafe", "Hà Nội"],
    ["viešbutis šalia manęs", "lt", "hotel", "Vilnius"],
    ["hótel nálægt mér", "is", "hotel", "Reykjavík"],
    ["kaffihús í nágrenninu", "is", "cafe", "Reykjavík"],
    ["hotel afër meje", "sq", "hotel", "Tiranë"],
    ["hotel berhampiran saya", "ms", "hotel", "Kuala Lumpur"],
    ["yaqin atrofdagi mehmonxona", "uz", "hotel", "Samarqand"],
    ["नजिकको विद्यालय", "ne", "school", "पोखरा"],
    ["কাছাকাছি হোটেল", "bn", "hotel", "ঢাকা"],
  ];
  for (const [q, hl, kind, city] of questions) {
    const { latitude, longitude } = cities[city];
    const found = await names(q, { hl, ll: `@${latitude},${longitude},14z` });
    assert.equal(found[0], nameOf(kind, city), `${q} (${hl})`);
  }
});

test("a place open around the clock, open now or kosher comes first in languages that questions are not read in", async (t) => {
  const { load, names } = await givenCatalog(t);
  await load(everythingEverywhere());

  const questions: [q: string, hl: string, kind: Kind, city: City][] = [
    ["24 saat açık eczane ankara", "tr", "nightPharmacy", "Ankara"],
    ["şu an açık eczane ankara", "tr", "nightPharmacy", "Ankara"],
    ["شبانه‌روزی داروخانه اصفهان", "fa", "nightPharmacy", "اصفهان"],
    ["døgnåpent apotek Oslo", "no", "nightPharmacy", "Oslo"],
    ["apotek åpent nå i Oslo", "no", "nightPharmacy", "Oslo"],
    ["visą parą vaistinė Vilniuje", "lt", "nightPharmacy", "Vilnius"],
    ["farmasi 24 jam Kuala Lumpur", "ms", "nightPharmacy", "Kuala Lumpur"],
    ["nhà thuốc mở cửa 24h Hà Nội", "vi", "nightPharmacy", "Hà Nội"],
    ["בית מרקחת פתוח עכשיו ירושלים", "he", "nightPharmacy", "ירושלים"],
    ["מסעדה כשרה בירושלים", "he", "kosher", "ירושלים"],
  ];
  for (const [q, hl, kind, city] of questions) {
    assert.equal((await names(q, { hl }))[0], nameOf(kind, city), `${q} (${hl})`);
  }
});

test("best, cheap and unknown words beside a kind of place keep it in the inflected town", async (t) => {
  const { load, names } = await givenCatalog(t);
  await load(everythingEverywhere());

  const questions: [q: string, hl: string, kind: Kind, city: City][] = [
    ["лучшие отели Еревана", "ru", "hotel", "Երևան"],
    ["լավագույն հյուրանոց Երևանում", "hy", "hotel", "Երևան"],
    ["מלון זול בירושלים", "he", "hotel", "ירושלים"],
    ["מלון מפואר בירושלים", "he", "hotel", "ירושלים"],
    ["Ankara'da ucuz otel", "en", "hotel", "Ankara"],
    ["romantik otel Ankara", "en", "hotel", "Ankara"],
    ["Samarqanddagi eng yaxshi mehmonxonalar", "uz", "hotel", "Samarqand"],
    ["pigus viešbutis Vilniuje", "lt", "hotel", "Vilnius"],
    ["O'zbekistonda mehmonxona", "uz", "hotel", "Samarqand"],
    ["hotel berdekatan sekolah Kuala Lumpur", "ms", "hotel", "Kuala Lumpur"],
  ];
  for (const [q, hl, kind, city] of questions) {
    assert.equal((await names(q, { hl }))[0], nameOf(kind, city), `${q} (${hl})`);
  }
});

test("a kind of place is known in the language that is spoken where the map is, with no hl", async (t) => {
  const { load, names } = await givenCatalog(t);
  await load(everythingEverywhere());

  const questions: [q: string, kind: Kind, city: City][] = [
    ["otel", "hotel", "Ankara"],
    ["okullar yakınımda", "school", "Ankara"],
    ["açık eczane", "nightPharmacy", "Ankara"],
    ["هتل", "hotel", "اصفهان"],
    ["क्याफे", "cafe", "पोखरा"],
    ["mehmonxona", "hotel", "Samarqand"],
    ["sekolah", "school", "Kuala Lumpur"],
    ["kaffihús", "cafe", "Reykjavík"],
    ["viešbutis", "hotel", "Vilnius"],
    ["quán cà phê", "cafe", "Hà Nội"],
    ["duka la dawa", "nightPharmacy", "Nairobi"],
  ];
  for (const [q, kind, city] of questions) {
    const { latitude, longitude } = cities[city];
    assert.equal((await names(q, { ll: `@${latitude},${longitude},14z` }))[0], nameOf(kind, city), q);
  }
});

test("a picture beside a town is a kind of place, and decoration beside words that say what is wanted", async (t) => {
  const { load, names } = await givenCatalog(t);
  await load(everythingEverywhere());
  const ll = "@59.914,10.752,14z";

  const questions: [q: string, kind: Kind, more?: { ll: string }][] = [
    ["☕ Oslo", "cafe"],
    ["Oslo 🍕", "pizza"],
    ["🏨 in Oslo", "hotel"],
    ["⛽ near me", "fuel", { ll }],
    ["☕☕", "cafe", { ll }],
    ["hotel 🍕 Oslo", "hotel"],
    ["Qqschool ☕ Oslo", "school"],
  ];
  for (const [q, kind, more] of questions) assert.equal((await names(q, more))[0], nameOf(kind, "Oslo"), q);
});

test("a town whose inflected name is understood is empty rather than answered from elsewhere", async (t) => {
  const { load, names } = await givenCatalog(t);
  await load([...townsOf(["ঢাকা", "Oslo"]), ...placesOf("Oslo"), placeOf("cafe", "ঢাকা")]);

  assert.deepEqual(await names("ঢাকায় হোটেল", { hl: "bn" }), []);
  assert.deepEqual(await names("ঢাকায় ক্যাফে", { hl: "bn" }), [nameOf("cafe", "ঢাকা")]);
});

function everythingEverywhere() {
  const all = Object.keys(cities) as City[];
  return [...townsOf(all), ...all.flatMap(placesOf)];
}

function townsOf(some: readonly City[]) {
  return some.map((name) => {
    const { latitude, longitude, countryCode } = cities[name];
    return town(name, latitude, longitude, { countryCode, kind: "city", population: 500_000 });
  });
}

function placesOf(city: City): { place: PlaceRecord }[] {
  return (Object.keys(kinds) as Kind[]).map((kind) => placeOf(kind, city));
}

function placeOf(kind: Kind, city: City): { place: PlaceRecord } {
  const { latitude, longitude } = cities[city];
  const away = 1 + Object.keys(kinds).indexOf(kind);
  const record = recordOf({
    type: "node",
    id: 1_000 * Object.keys(cities).indexOf(city) + away,
    tags: { name: nameOf(kind, city), ...kinds[kind] },
    latitude: latitude + away / 2_000,
    longitude,
  });
  assert.ok(record, nameOf(kind, city));
  return { place: record };
}
