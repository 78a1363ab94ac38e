import assert from "node:assert/strict";
import { test } from "node:test";
import { givenCatalog, place, town } from "../testing.ts";

type Spot = { latitude: number; longitude: number; countryCode: string };

const vaduz = { latitude: 47.141, longitude: 9.521, countryCode: "LI" };
const tokyo = { latitude: 35.681, longitude: 139.767, countryCode: "JP" };
const warsaw = { latitude: 52.229, longitude: 21.012, countryCode: "PL" };
const columbia = { latitude: 34.0007, longitude: -81.0348, countryCode: "US" };

let count = 0;
function spot(name: string, category: string, { latitude, longitude, countryCode }: Spot) {
  const address = { street: null, city: null, region: null, postalCode: null, countryCode };
  count += 1;
  return place({ sourceId: `osm:n${count}`, name, categories: [category], latitude, longitude, address });
}

test("a kind of place in a country is looked for there, whatever the language of its name", async (t) => {
  const { load, names } = await givenCatalog(t);
  await load([
    spot("Residence", "tourism/hotel", vaduz),
    spot("帝国", "tourism/hotel", tokyo),
    spot("Bristol", "tourism/hotel", warsaw),
  ]);

  assert.deepEqual(await names("ホテル 日本", { hl: "ja" }), ["帝国"]);
  assert.deepEqual(await names("日本 ホテル", { hl: "ja" }), ["帝国"]);
  assert.deepEqual(await names("отель Япония", { hl: "ru" }), ["帝国"]);
  assert.deepEqual(await names("hotel Polska", { hl: "pl" }), ["Bristol"]);
  assert.deepEqual(await names("hotell Polen", { hl: "sv" }), ["Bristol"]);
});

test("a country's name in a foreign language gives way to a town among places of the catalog", async (t) => {
  const { load, names } = await givenCatalog(t);
  const corners = [-0.01, 0.01].map((off) => ({
    ...columbia,
    latitude: columbia.latitude + off,
    longitude: columbia.longitude + off,
  }));
  const inns = corners.map((corner) => spot("Inn", "tourism/hotel", corner));
  await load([...inns, spot("Bogotana", "tourism/hotel", { latitude: 4.6, longitude: -74.1, countryCode: "CO" })]);

  assert.equal((await names("hotel Columbia"))[0], "Inn"); // Colombia in Romanian
});

const krakow = { latitude: 50.064, longitude: 19.945, countryCode: "PL" };
const prague = { latitude: 50.075, longitude: 14.437, countryCode: "CZ" };
const moscow = { latitude: 55.755, longitude: 37.617, countryCode: "RU" };
const lviv = { latitude: 49.839, longitude: 24.029, countryCode: "UA" };
const debrecen = { latitude: 47.531, longitude: 21.627, countryCode: "HU" };

const towns = [
  town("Kraków", krakow.latitude, krakow.longitude, { countryCode: "PL" }),
  town("Praha", prague.latitude, prague.longitude, { countryCode: "CZ" }),
  town("Москва", moscow.latitude, moscow.longitude, { countryCode: "RU" }),
  town("Львів", lviv.latitude, lviv.longitude, { countryCode: "UA" }),
  town("Debrecen", debrecen.latitude, debrecen.longitude, { countryCode: "HU" }),
];

test("a town is found in the form that its language inflects its name into", async (t) => {
  const { load, names } = await givenCatalog(t);
  await load([
    ...towns,
    spot("Residence", "tourism/hotel", vaduz),
    spot("Stary", "tourism/hotel", krakow),
    spot("Slavia", "tourism/hotel", prague),
    spot("Метрополь", "tourism/hotel", moscow),
    spot("Жорж", "tourism/hotel", lviv),
    spot("Aranybika", "tourism/hotel", debrecen),
  ]);

  const questions: [q: string, hl: string, name: string][] = [
    ["hotel w Krakowie", "pl", "Stary"],
    ["hotel niedaleko Krakowa", "pl", "Stary"],
    ["hotel w Polsce", "pl", "Stary"],
    ["hotel v Praze", "cs", "Slavia"],
    ["гостиница в Москве", "ru", "Метрополь"],
    ["отель рядом с Москвой", "ru", "Метрополь"],
    ["готель у Львові", "uk", "Жорж"],
    ["szálloda Debrecenben", "hu", "Aranybika"],
    ["hotel w Krakowie", "en", "Stary"],
    ["hotel v Praze", "en", "Slavia"],
  ];
  for (const [q, hl, name] of questions) assert.deepEqual(await names(q, { hl }), [name], `${q} (${hl})`);
});

test("a city of the world is found in its inflected form, with places and without", async (t) => {
  const { load, names } = await givenCatalog(t);
  await load([spot("Residence", "tourism/hotel", vaduz), spot("Stary", "tourism/hotel", krakow)]);

  assert.deepEqual(await names("hotel w Krakowie", { hl: "pl" }), ["Stary"]);
  assert.deepEqual(await names("отель в Берлине", { hl: "ru" }), []);
  assert.deepEqual(await names("готель у Львові", { hl: "uk" }), []);
});

test("a where that nobody knows behind a preposition of the request's language is an empty page", async (t) => {
  const { load, names } = await givenCatalog(t);
  await load([spot("Residence", "tourism/hotel", vaduz)]);

  assert.deepEqual(await names("hotel w Nibylandii", { hl: "pl" }), []);
  assert.deepEqual(await names("гостиница в Тридевятом", { hl: "ru" }), []);
  assert.deepEqual(await names("гостиница с бассейном", { hl: "ru" }), ["Residence"]);
});

const hanoi = { latitude: 21.028, longitude: 105.854, countryCode: "VN" };
const bangkok = { latitude: 13.756, longitude: 100.501, countryCode: "TH" };
const seoul = { latitude: 37.566, longitude: 126.978, countryCode: "KR" };
const telAviv = { latitude: 32.085, longitude: 34.781, countryCode: "IL" };

test("kinds of place are known as people ask for them, one or many", async (t) => {
  const { load, names } = await givenCatalog(t);
  await load([
    ...towns,
    town("Hà Nội", hanoi.latitude, hanoi.longitude, { countryCode: "VN" }),
    town("กรุงเทพ", bangkok.latitude, bangkok.longitude, { countryCode: "TH" }),
    town("서울", seoul.latitude, seoul.longitude, { countryCode: "KR" }),
    town("תל אביב", telAviv.latitude, telAviv.longitude, { countryCode: "IL" }),
    spot("Thìn", "amenity/restaurant", hanoi),
    spot("Giảng", "amenity/cafe", hanoi),
    spot("ศิริราช", "amenity/hospital", bangkok),
    spot("세브란스", "amenity/hospital", seoul),
    spot("명동", "amenity/restaurant", seoul),
    spot("דן", "tourism/hotel", telAviv),
    spot("ליד הים", "amenity/pharmacy", telAviv),
    spot("Pod Orłem", "amenity/pharmacy", krakow),
    spot("Ригла", "amenity/pharmacy", moscow),
  ]);

  const questions: [q: string, hl: string, name: string][] = [
    ["nhà hàng Hà Nội", "vi", "Thìn"],
    ["quán cà phê ở Hà Nội", "vi", "Giảng"],
    ["โรงพยาบาล กรุงเทพ", "th", "ศิริราช"],
    ["서울 병원", "ko", "세브란스"],
    ["서울 맛집", "ko", "명동"],
    ["מלונות בתל אביב", "he", "דן"],
    ["בית מרקחת תל אביב", "he", "ליד הים"],
    ["apteki w Krakowie", "pl", "Pod Orłem"],
    ["аптеки Москвы", "ru", "Ригла"],
  ];
  for (const [q, hl, name] of questions) assert.equal((await names(q, { hl }))[0], name, `${q} (${hl})`);
});

test("a kind of place needs no hl where its letters or the country asked about tell its language", async (t) => {
  const { load, names } = await givenCatalog(t);
  await load([
    ...towns,
    spot("Residence", "amenity/pharmacy", vaduz),
    spot("Ригла", "amenity/pharmacy", moscow),
    spot("Pod Orłem", "amenity/pharmacy", krakow),
    spot("Kígyó", "amenity/pharmacy", debrecen),
  ]);

  assert.equal((await names("аптека Москва"))[0], "Ригла");
  assert.equal((await names("apteka Kraków"))[0], "Pod Orłem");
  assert.equal((await names("gyógyszertár Debrecen"))[0], "Kígyó");
  assert.deepEqual(await names("apteka", { gl: "pl" }), ["Pod Orłem"]);
});

const istanbul = { latitude: 41.01, longitude: 28.95, countryCode: "TR" };
const turku = { latitude: 60.451, longitude: 22.267, countryCode: "FI" };
const malmo = { latitude: 55.606, longitude: 13.001, countryCode: "SE" };

test("what links a kind of place with a town is read in the language that is spoken there", async (t) => {
  const { load, names } = await givenCatalog(t);
  await load([
    spot("Residence", "amenity/pharmacy", vaduz),
    spot("Pod Orłem", "amenity/pharmacy", krakow),
    spot("Lokman", "amenity/pharmacy", istanbul),
    spot("Aura", "amenity/pharmacy", turku),
    spot("Lejonet", "amenity/pharmacy", malmo),
    spot("Kígyó", "amenity/pharmacy", debrecen),
    spot("丸の内", "amenity/pharmacy", tokyo),
    spot("Жасмин", "shop/hairdresser", lviv),
  ]);

  const questions: [q: string, name: string][] = [
    ["apteka w Krakowie", "Pod Orłem"],
    ["İstanbul'da eczane", "Lokman"],
    ["istanbulda eczane", "Lokman"],
    ["apteekki Turussa", "Aura"],
    ["apotek nära Malmö", "Lejonet"],
    ["gyógyszertár Debrecenben", "Kígyó"],
    ["перукарні Львова", "Жасмин"],
    ["東京の薬局", "丸の内"],
    ["東京都の薬局", "丸の内"],
  ];
  for (const [q, name] of questions) assert.deepEqual(await names(q), [name], q);
});

test("near me means what the map shows in other languages too", async (t) => {
  const { load, names } = await givenCatalog(t);
  await load([...towns, spot("Residence", "amenity/pharmacy", vaduz), spot("Pod Orłem", "amenity/pharmacy", krakow)]);
  const ll = `@${krakow.latitude},${krakow.longitude},14z`;

  const questions: [q: string, hl: string][] = [
    ["apteki w pobliżu", "pl"],
    ["najbliższa apteka", "pl"],
    ["аптека рядом со мной", "ru"],
    ["yakınımdaki eczane", "tr"],
    ["lékárna v okolí", "cs"],
    ["近くの薬局", "ja"],
    ["내 주변 약국", "ko"],
    ["附近的药店", "zh-CN"],
    ["صيدلية قريبة مني", "ar"],
    ["בתי מרקחת לידי", "he"],
    ["ร้านขายยาใกล้ฉัน", "th"],
    ["nhà thuốc gần đây", "vi"],
  ];
  for (const [q, hl] of questions) assert.equal((await names(q, { hl, ll }))[0], "Pod Orłem", `${q} (${hl})`);
});

test("languages that the tagging schema lacks are known by everyday words", async (t) => {
  const { load, names } = await givenCatalog(t);
  const tbilisi = { latitude: 41.715, longitude: 44.827, countryCode: "GE" };
  const nairobi = { latitude: -1.292, longitude: 36.821, countryCode: "KE" };
  const delhi = { latitude: 28.613, longitude: 77.209, countryCode: "IN" };
  await load([
    town("თბილისი", tbilisi.latitude, tbilisi.longitude, { countryCode: "GE" }),
    town("Nairobi", nairobi.latitude, nairobi.longitude, { countryCode: "KE" }),
    town("दिल्ली", delhi.latitude, delhi.longitude, { countryCode: "IN" }),
    spot("Leila", "amenity/cafe", tbilisi),
    spot("Goodlife", "amenity/pharmacy", nairobi),
    spot("Karim", "amenity/restaurant", delhi),
  ]);

  assert.deepEqual(await names("კაფე თბილისში", { hl: "ka" }), ["Leila"]);
  assert.deepEqual(await names("კაფე თბილისი"), ["Leila"]);
  assert.deepEqual(await names("duka la dawa Nairobi", { hl: "sw" }), ["Goodlife"]);
  assert.deepEqual(await names("pharmacy Nairobi", { hl: "sw" }), ["Goodlife"]);
  assert.deepEqual(await names("दिल्ली में रेस्टोरेंट", { hl: "hi" }), ["Karim"]);
});

test("what an Arabic, a Persian and an Urdu keyboard write differently is the same", async (t) => {
  const { load, names } = await givenCatalog(t);
  const tehran = { latitude: 35.7, longitude: 51.4, countryCode: "IR" };
  await load([
    town("تبریز", 38.08, 46.29, { countryCode: "IR" }),
    spot("کافی ۲۴", "amenity/cafe", tehran),
    spot("مكتبة الى", "shop/books", tehran),
    spot("Tabriz Pharmacy", "amenity/pharmacy", { ...tehran, latitude: 38.08, longitude: 46.29 }),
  ]);

  assert.deepEqual(await names("كافي 24"), ["کافی ۲۴"]);
  assert.deepEqual(await names("مكتبه الي"), ["مكتبة الى"]);
  assert.deepEqual(await names("داروخانه تبريز", { hl: "fa" }), ["Tabriz Pharmacy"]);
  assert.deepEqual(await names("كتابفروشي", { hl: "fa" }), ["مكتبة الى"]);
  assert.deepEqual(await names("کافی‌شاپ"), ["کافی ۲۴"], "letters of Persian alone tell the language");
});
