import assert from "node:assert/strict";
import { test } from "node:test";
import type { PlaceRecord } from "../../../places/record.ts";
import { recordOf } from "../../../places/osm-tags/index.ts";
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

const sarajevo: City = ["Sarajevo", "BA", 43.856, 18.413];
const minsk: City = ["Мінск", "BY", 53.902, 27.562];
const almaty: City = ["Алматы", "KZ", 43.238, 76.946];
const dushanbe: City = ["Душанбе", "TJ", 38.56, 68.774];
const ashgabat: City = ["Aşgabat", "TM", 37.95, 58.383];
const kabul: City = ["کابل", "AF", 34.528, 69.172];
const pune: City = ["पुणे", "IN", 18.52, 73.857];
const yangon: City = ["ရန်ကုန်", "MM", 16.841, 96.173];
const phnomPenh: City = ["ភ្នំពេញ", "KH", 11.556, 104.928];
const vientiane: City = ["ວຽງຈັນ", "LA", 17.976, 102.633];
const cebu: City = ["Cebu City", "PH", 10.316, 123.886];
const port: City = ["Pòtoprens", "HT", 18.594, -72.307];
const kigali: City = ["Kigali", "RW", -1.944, 30.062];
const mogadishu: City = ["Muqdisho", "SO", 2.046, 45.318];
const antananarivo: City = ["Antananarivo", "MG", -18.91, 47.526];

test("kinds of place are known in languages of further countries, with and without hl", async (t) => {
  const cities = [sarajevo, minsk, almaty, bishkek, dushanbe, ashgabat, kabul, pune, yangon, phnomPenh, vientiane];
  await given(
    t,
    [...cities, cebu, port, kigali, mogadishu, antananarivo],
    [
      ["apoteke u Sarajevu", "bs", "pharmacy", sarajevo],
      ["apoteka Sarajevo", "en", "pharmacy", sarajevo],
      ["аптэка Мінск", "en", "pharmacy", minsk],
      ["гатэль у Мінску", "be", "hotel", minsk],
      ["аурухана Алматы", "en", "hospital", almaty],
      ["Алматыдағы дәріхана", "en", "pharmacy", almaty],
      ["аптека Алматы", "en", "pharmacy", almaty],
      ["Бишкектеги мейманканалар", "ky", "hotel", bishkek],
      ["дарыкана Бишкек", "en", "pharmacy", bishkek],
      ["меҳмонхона Душанбе", "en", "hotel", dushanbe],
      ["myhmanhana Aşgabat", "en", "hotel", ashgabat],
      ["روغتون کابل", "ps", "hospital", kabul],
      ["هوتل کابل", "en", "hotel", kabul],
      ["पुण्यातील हॉटेल", "mr", "hotel", pune],
      ["रुग्णालय पुणे", "en", "hospital", pune],
      ["ဆေးရုံ ရန်ကုန်", "en", "hospital", yangon],
      ["សណ្ឋាគារ ភ្នំពេញ", "km", "hotel", phnomPenh],
      ["ໂຮງແຮມ ວຽງຈັນ", "en", "hotel", vientiane],
      ["botika sa Cebu City", "en", "pharmacy", cebu],
      ["botika malapit sa akin", "tl", "pharmacy", cebu, "seen"],
      ["panaderya", "en", "bakery", cebu, "seen"],
      ["famasi Pòtoprens", "fr", "pharmacy", port],
      ["farumasi Kigali", "en", "pharmacy", kigali],
      ["isbitaal Muqdisho", "so", "hospital", mogadishu],
      ["fivarotam-panafody Antananarivo", "fr", "pharmacy", antananarivo],
    ],
  );
});

const hyderabad: City = ["హైదరాబాద్", "IN", 17.385, 78.487];
const mysuru: City = ["ಮೈಸೂರು", "IN", 12.296, 76.639];
const kochi: City = ["കൊച്ചി", "IN", 9.932, 76.267];
const ahmedabad: City = ["અમદાવાદ", "IN", 23.022, 72.571];
const amritsar: City = ["ਅੰਮ੍ਰਿਤਸਰ", "IN", 31.634, 74.873];

test("kinds of place are known in the languages of India, in the forms of their towns", async (t) => {
  await given(
    t,
    [hyderabad, mysuru, kochi, ahmedabad, amritsar],
    [
      ["హైదరాబాద్\u200cలో హోటల్", "te", "hotel", hyderabad],
      ["ఆసుపత్రి హైదరాబాద్", "en", "hospital", hyderabad],
      ["ಮೈಸೂರಿನಲ್ಲಿ ಹೋಟೆಲ್", "kn", "hotel", mysuru],
      ["കൊച്ചിയിലെ ആശുപത്രി", "en", "hospital", kochi],
      ["અમદાવાદમાં હોટેલ", "en", "hotel", ahmedabad],
      ["ਅੰਮ੍ਰਿਤਸਰ ਵਿੱਚ ਹਸਪਤਾਲ", "pa", "hospital", amritsar],
    ],
  );
});

const cairo: City = ["القاهرة", "EG", 30.044, 31.236];

test("Arabic kinds of place are known with their article", async (t) => {
  await given(
    t,
    [cairo],
    [
      ["أفضل المطاعم في القاهرة", "ar", "restaurant", cairo],
      ["الفنادق في القاهرة", "en", "hotel", cairo],
      ["المستشفى القريب", "ar", "hospital", cairo, "seen"],
      ["محطة البنزين القريبة مني", "ar", "fuel", cairo, "seen"],
    ],
  );
});

const riga: City = ["Rīga", "LV", 56.949, 24.105];
const cluj: City = ["Cluj-Napoca", "RO", 46.77, 23.589];
const cusco: City = ["Cusco", "PE", -13.532, -71.967];
const accra: City = ["Accra", "GH", 5.56, -0.206];
const algiers: City = ["Alger", "DZ", 36.754, 3.059];
const lahore: City = ["لاہور", "PK", 31.55, 74.343];
const jaipur: City = ["जयपुर", "IN", 26.912, 75.787];
const bandung: City = ["Bandung", "ID", -6.917, 107.619];

test("what people ask for by an everyday word of their country is found as it is mapped", async (t) => {
  await given(
    t,
    [cairo, riga, beograd, sofia, cluj, cusco, accra, algiers, lahore, jaipur, bandung],
    [
      ["محامي القاهرة", "ar", "lawyer", cairo],
      ["جيم القاهرة", "en", "gym", cairo],
      ["frizētava Rīgā", "lv", "hairdresser", riga],
      ["kur paēst Rīgā", "en", "restaurant", riga],
      ["kafana Beograd", "sr", "restaurant", beograd],
      ["къде да хапнем в София", "bg", "restaurant", sofia],
      ["unde mancam in Cluj-Napoca", "ro", "restaurant", cluj],
      ["grifo Cusco", "es", "fuel", cusco],
      ["cevichería Cusco", "en", "restaurant", cusco],
      ["filling station Accra", "en", "fuel", accra],
      ["service station near me", "en", "fuel", accra, "seen"],
      ["barbering shop Accra", "en", "hairdresser", accra],
      ["vulcanizer Accra", "en", "repair", accra],
      ["mécanicien Alger", "fr", "repair", algiers],
      ["نائی کی دکان لاہور", "en", "hairdresser", lahore],
      ["dawai ki dukan", "en", "pharmacy", jaipur, "seen"],
      ["potong rambut Bandung", "en", "hairdresser", bandung],
      ["pom bensin terdekat dari sini", "id", "fuel", bandung, "seen"],
    ],
  );
});

const tallinn: City = ["Tallinn", "EE", 59.437, 24.754];
const kaunas: City = ["Kaunas", "LT", 54.898, 23.904];

test("the middle of a town in its language is no far town called Centre", async (t) => {
  await given(
    t,
    [riga, tallinn, kaunas],
    [
      ["viesnīcas Rīgas centrā", "lv", "hotel", riga],
      ["viesnīcas Rīgas centrā", "en", "hotel", riga],
      ["restoranid Tallinna kesklinnas", "et", "restaurant", tallinn],
      ["Tallinna kohvikud", "en", "cafe", tallinn],
      ["kavinės Kauno centre", "en", "cafe", kaunas],
    ],
  );
});

const papeete: City = ["Papeete", "PF", -17.535, -149.569];

test("a town is found between the words for a kind in its own language and further ones", async (t) => {
  await given(
    t,
    [riga, sarajevo, papeete, kaunas],
    [
      ["dežurna apoteka Sarajevo 24h", "en", "pharmacy", sarajevo],
      ["pharmacie Papeete tahiti", "en", "pharmacy", papeete],
      ["vaistinė Kaunas Laisvės alėja", "en", "pharmacy", kaunas],
    ],
  );
});

test("an inflected town between a kind and further words is found behind a preposition of the request's language", async (t) => {
  await given(
    t,
    [minsk, riga, beograd, cairo],
    [
      ["гасцініца ў Мінску недорого", "be", "hotel", minsk],
      ["аптека в Београде круглосуточно", "ru", "pharmacy", beograd],
      ["apoteka u Beogradu otvoreno sada", "sr", "pharmacy", beograd],
    ],
  );
});

test("near me may stand between a kind and what it has", async (t) => {
  await given(
    t,
    [minsk, riga, beograd, cairo],
    [
      ["аптека рядом круглосуточно", "ru", "pharmacy", minsk, "seen"],
      ["apoteka u blizini otvoreno sada", "sr", "pharmacy", beograd, "seen"],
      ["صيدلية قريبة مني مفتوحة الان", "ar", "pharmacy", cairo, "seen"],
      ["ресторан поблизости недорого", "ru", "restaurant", minsk, "seen"],
    ],
  );
});

test("a drug store is a pharmacy where there is no other", async (t) => {
  await given(
    t,
    [accra],
    [
      ["drug store", "en", "pharmacy", accra, "seen"],
      ["chemist shop near me", "en", "pharmacy", accra, "seen"],
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

function nameOf(kind: Kind, [, countryCode, latitude]: City) {
  return `Qq${kind} ${countryCode} ${latitude}`;
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
