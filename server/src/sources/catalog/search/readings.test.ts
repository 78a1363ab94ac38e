import assert from "node:assert/strict";
import { test } from "node:test";
import { herePhrases } from "../../query/here.ts";
import { readLanguages } from "../../vocabulary/index.ts";
import { givenCatalog, place, town } from "../testing.ts";

const vaduz = { latitude: 47.141, longitude: 9.521 };
const far = { latitude: 47.35, longitude: 9.7 };
const ll = "@47.141,9.521,14z";

const items = [
  town("Vaduz", vaduz.latitude, vaduz.longitude),
  place({ sourceId: "osm:n1", name: "Postplatz", categories: ["amenity/pharmacy"], ...vaduz }),
  place({ sourceId: "osm:n2", name: "Am See", categories: ["amenity/pharmacy"], ...far }),
  place({ sourceId: "osm:n3", name: "Residence", categories: ["tourism/hotel"], ...vaduz }),
  place({ sourceId: "osm:n4", name: "Schalter", categories: ["amenity/post_office"], ...vaduz }),
  place({ sourceId: "osm:n5", name: "Luce", categories: ["amenity/restaurant"], ...vaduz }),
  place({ sourceId: "osm:n6", name: "Cafe Nearby", categories: ["amenity/cafe"], ...far }),
  place({ sourceId: "osm:n7", name: "Amann", categories: ["amenity/cafe"], ...vaduz }),
];

const pharmacy = {
  en: "pharmacy",
  de: "Apotheke",
  fr: "pharmacie",
  es: "farmacia",
  it: "farmacia",
  pt: "farmácia",
  nl: "apotheek",
  ca: "farmàcia",
};

test("near me means what the map shows, in every form and language read", async (t) => {
  const { load, names } = await givenCatalog(t);
  await load(items);

  for (const hl of readLanguages) {
    for (const phrase of herePhrases[hl]) {
      for (const q of [`${pharmacy[hl]} ${phrase}`, `${phrase} ${pharmacy[hl]}`]) {
        assert.equal((await names(q, { hl, ll }))[0], "Postplatz", `${q} (${hl})`);
      }
    }
  }
  assert.ok((await names("near me", { ll })).length > 3);
  const others: [q: string, hl: string][] = [
    ["pharmacy near my hotel", "en"],
    ["pharmacy within 2 km", "en"],
    ["Apotheke in meiner Straße", "de"],
    ["Apotheke im Umkreis von 5 km", "de"],
    ["pharmacie près de ma position", "fr"],
    ["farmacia vicino alla mia posizione", "it"],
    ["farmàcia a la meva ciutat", "ca"],
  ];
  for (const [q, hl] of others) assert.equal((await names(q, { hl, ll }))[0], "Postplatz", q);
});

test("near me without a map means the country, and without one everywhere", async (t) => {
  const { load, names } = await givenCatalog(t);
  const elsewhere = { ...place({ sourceId: "osm:n9", name: "Sydney", categories: ["amenity/pharmacy"] }).place };
  const address = { ...elsewhere.address, countryCode: "AU" };
  await load([...items, { place: { ...elsewhere, latitude: -33.9, longitude: 151.2, address } }]);

  assert.deepEqual((await names("pharmacy near me", { gl: "au" })).toSorted(), ["Sydney"]);
  assert.deepEqual((await names("pharmacy near me")).toSorted(), ["Am See", "Postplatz", "Sydney"]);
});

test("the words for a kind of place are not taken apart to make a town of the world", async (t) => {
  const { load, names } = await givenCatalog(t);
  await load(items);

  assert.deepEqual(await names("post office"), ["Schalter"]);
  assert.deepEqual(await names("post office", { ll }), ["Schalter"]);
  assert.deepEqual(await names("post office in Vaduz"), ["Schalter"]);
  assert.deepEqual(await names("post office Vaduz"), ["Schalter"]);
});

test("a town that the catalog does not cover is an empty page, not its neighbor's places", async (t) => {
  const { load, names } = await givenCatalog(t);
  await load(items);

  for (const q of [
    "restaurants in Paris",
    "restaurant Zürich",
    "restaurants, Springfield",
    "restaurants in Xyzzyville",
  ]) {
    assert.deepEqual(await names(q), [], q);
  }

  // One word of a name is not enough to answer for a far town.
  await load([...items, place({ sourceId: "osm:n8", name: "Hotel Krone", categories: ["tourism/hotel"], ...vaduz })]);
  assert.deepEqual(await names("hotel Berlin"), []);
});

test("the town's own word is no half of a name", async (t) => {
  const { load, names } = await givenCatalog(t);
  await load([
    ...items,
    place({ sourceId: "osm:n8", name: "Kunstmuseum Vaduz", categories: ["tourism/museum"], ...vaduz }),
    place({ sourceId: "osm:n9", name: "IKEA", categories: ["shop/furniture"], latitude: 29.8, longitude: -95.8 }),
  ]);

  for (const q of ["vet Vaduz", "locksmith Vaduz", "opticien Vaduz", "ikea Vaduz", "Vaduz taxi"]) {
    assert.deepEqual(await names(q), [], q);
  }
  assert.equal((await names("Museum Kunst Vaduz"))[0], "Kunstmuseum Vaduz");
});

test("a town behind a preposition, with nothing before it, is the town", async (t) => {
  const { load, names } = await givenCatalog(t);
  await load(items);
  const found = await names("Vaduz");

  for (const q of ["in Vaduz", "near Vaduz", "around Vaduz", "in der Nähe von Vaduz", "rund um Vaduz", "à Vaduz"]) {
    assert.deepEqual(await names(q), found, q);
  }
});

test("the kind is found in long sentences, and what of it was asked for", async (t) => {
  const { load, names } = await givenCatalog(t);
  await load([
    ...items,
    place({ sourceId: "osm:n8", name: "Hof", categories: ["amenity/recycling_centre"], ...vaduz }),
    place({ sourceId: "osm:n9", name: "Ofen", categories: ["amenity/restaurant/pizza"], ...vaduz }),
  ]);

  const polite = "please could you tell me where I can find a good and not too expensive";
  assert.deepEqual((await names(`${polite} restaurant in Vaduz`)).toSorted(), ["Luce", "Ofen"]);
  assert.equal((await names(`${polite} post office near here`, { ll }))[0], "Schalter");
  assert.deepEqual(await names("where can I eat pizza in Vaduz"), ["Ofen"]);
});

test("words that no place has do not empty the page of a known kind", async (t) => {
  const { load, names } = await givenCatalog(t);
  await load(items);

  assert.deepEqual(await names("hotel flummery", { ll }), ["Residence"]);
  assert.deepEqual(await names("flummery hotel Vaduz"), ["Residence"]);
});

test("a name that holds words for here is found by them", async (t) => {
  const { load, names } = await givenCatalog(t);
  await load(items);

  assert.deepEqual((await names("cafe nearby", { ll })).toSorted(), ["Amann", "Cafe Nearby"]);
});

test("a kind of place in another language than that of the request is understood, and names come before it", async (t) => {
  const { load, names } = await givenCatalog(t);
  const bakery = place({ sourceId: "osm:n20", name: "Wanger", categories: ["shop/bakery"], ...vaduz });
  const called = place({ sourceId: "osm:n21", name: "Boulangerie", categories: ["shop/art"], ...vaduz });
  await load([...items, bakery, called]);

  assert.deepEqual(await names("boulangerie", { ll }), ["Boulangerie", "Wanger"]);
  assert.deepEqual(await names("farmàcia in Vaduz"), ["Postplatz", "Am See"]);
  assert.deepEqual(await names("panaderías", { hl: "sv", ll }), ["Wanger"]);
});

test("what is a kind in part in the language of the request may be a whole one in another", async (t) => {
  const { load, names } = await givenCatalog(t);
  await load([
    ...items,
    place({ sourceId: "osm:n20", name: "Bianchi", categories: ["amenity/dentist"], ...vaduz }),
    place({ sourceId: "osm:n21", name: "Nova", categories: ["shop/hairdresser"], ...vaduz }),
    place({ sourceId: "osm:n22", name: "Rapida", categories: ["amenity/car_rental"], ...vaduz }),
  ]);

  for (const [q, expected] of [
    ["studio dentistico", "Bianchi"],
    ["studio dentistico Vaduz", "Bianchi"],
    ["salon de coiffure à Vaduz", "Nova"],
    ["noleggio auto nei dintorni", "Rapida"],
  ] as const) {
    assert.deepEqual(await names(q, { hl: "en", ll }), [expected], q);
  }
});

test("a playground or a bench is found by its category, and not among businesses", async (t) => {
  const { load, names } = await givenCatalog(t);
  const playground = place({
    sourceId: "osm:n30",
    name: "Residence Spielwiese",
    categories: ["leisure/playground"],
    ...vaduz,
  });
  await load([...items, playground]);

  assert.deepEqual(await names("playground in Vaduz"), ["Residence Spielwiese"]);
  assert.deepEqual(await names("Residence", { ll }), ["Residence"]);
  assert.ok(!(await names("Vaduz")).includes("Residence Spielwiese"));
});

const esch = { latitude: 49.49, longitude: 5.98 };
const other = { latitude: 49.61, longitude: 6.13 };
const luxembourg = [
  town("Esch-sur-Alzette", esch.latitude, esch.longitude, { countryCode: "LU" }),
  town("Kayl", other.latitude, other.longitude, { countryCode: "LU" }),
  ...[esch, other].flatMap((at, index) => {
    const where = index === 0 ? "Esch" : "Kayl";
    return [
      place({ sourceId: `osm:n${index}1`, name: `Zahn ${where}`, categories: ["amenity/dentist"], ...at }),
      place({ sourceId: `osm:n${index}2`, name: `Stuff ${where}`, categories: ["amenity/restaurant"], ...at }),
      place({ sourceId: `osm:n${index}3`, name: `Bett ${where}`, categories: ["tourism/hotel"], ...at }),
    ];
  }),
];

test("words around a town do not hide it", async (t) => {
  const { load, names } = await givenCatalog(t);
  await load(luxembourg);

  const questions: [q: string, first: string][] = [
    ["dentist Esch", "Zahn Esch"],
    ["a good dentist in Kayl please", "Zahn Kayl"],
    ["dentist in Kayl Luxembourg", "Zahn Kayl"],
    ["dentist Kayl 3601", "Zahn Kayl"],
    ["restaurant in Kayl with outdoor seating", "Stuff Kayl"],
    ["hotels in Kayl city centre", "Bett Kayl"],
    ["hoteles baratos en Kayl", "Bett Kayl"],
    ["where to eat in Kayl", "Stuff Kayl"],
    ["donde comer en Kayl", "Stuff Kayl"],
    ["food in Kayl", "Stuff Kayl"],
    ["dentista Kayll", "Zahn Kayl"],
  ];
  for (const [q, first] of questions) assert.equal((await names(q))[0], first, q);
});

test("a cuisine that nobody has is answered with other places to eat", async (t) => {
  const { load, names } = await givenCatalog(t);
  await load(luxembourg);

  assert.equal((await names("italian restaurant in Kayl"))[0], "Stuff Kayl");
  assert.equal((await names("sushi Kayl"))[0], "Stuff Kayl");
  assert.deepEqual(await names("yoga studio in Kayl"), []);
});

test("seafood is eaten, or bought", async (t) => {
  const { load, names } = await givenCatalog(t);
  const restaurant = place({
    sourceId: "osm:n8",
    name: "La Marée",
    categories: ["amenity/restaurant/seafood"],
    ...vaduz,
  });
  await load([...items, restaurant]);

  assert.deepEqual(await names("seafood Vaduz"), ["La Marée"]);
  assert.deepEqual(await names("fruits de mer à Vaduz", { hl: "fr" }), ["La Marée"]);
});

test("what is wanted near a landmark is looked for around it", async (t) => {
  const { load, names } = await givenCatalog(t);
  const station = { latitude: esch.latitude + 0.03, longitude: esch.longitude };
  await load([
    ...luxembourg,
    place({ sourceId: "osm:n50", name: "Gare", categories: ["amenity/bus_station"], ...station }),
    place({ sourceId: "osm:n51", name: "Zur Gare", categories: ["tourism/hotel"], ...station }),
    place({ sourceId: "osm:n52", name: "Bergfried", categories: ["historic/castle"], ...other }),
    place({ sourceId: "osm:n53", name: "Lehrbad", categories: ["leisure/swimming_pool"], ...other }),
  ]);

  const questions: [q: string, first: string, hl?: string][] = [
    ["hotel near Esch-sur-Alzette bus station", "Zur Gare"],
    ["hotel near the bus station in Esch-sur-Alzette", "Zur Gare"],
    ["hotel near the bus station", "Zur Gare"],
    ["hôtel près de la gare routière", "Zur Gare", "fr"],
    ["restaurant near Bergfried castle", "Stuff Kayl"],
    ["restaurant near the castle", "Stuff Kayl"],
    ["hotel in Kayl with pool", "Bett Kayl"],
    ["hotel near Kayl airport", "Bett Kayl"],
    ["castle in Kayl", "Bergfried"],
  ];
  for (const [q, first, hl = "en"] of questions) assert.equal((await names(q, { hl }))[0], first, q);
  assert.deepEqual(await names("restaurant near Xyzzyville"), []);
  assert.deepEqual(await names("Bergfried"), []);
});

test("with a map, a kind of landmark is one near by and not a far town of that name", async (t) => {
  const { load, names } = await givenCatalog(t);
  const away = { latitude: vaduz.latitude + 0.02, longitude: vaduz.longitude };
  await load([
    ...items,
    place({ sourceId: "osm:n80", name: "Roulette", categories: ["amenity/casino"], ...away }),
    place({ sourceId: "osm:n81", name: "St. Florin", categories: ["amenity/place_of_worship"], ...away }),
    place({ sourceId: "osm:n82", name: "Nachtfalter", categories: ["amenity/cafe"], ...away }),
    place({ sourceId: "osm:n83", name: "Stadthaus", categories: ["amenity/theatre"], ...away }),
  ]);

  const questions: [q: string, hl: string][] = [
    ["cafe near the casino", "en"],
    ["cafe near casino", "en"],
    ["cafe near the church", "en"],
    ["cafe near the opera", "en"],
    ["café près du casino", "fr"],
    ["Café beim Casino", "de"],
  ];
  for (const [q, hl] of questions) assert.equal((await names(q, { hl, ll }))[0], "Nachtfalter", q);
  // Where there is none, the question is about what the map shows.
  for (const q of ["cafe near the university", "cafe near the beach", "cafe near the lake"]) {
    assert.equal((await names(q, { ll }))[0], "Amann", q);
  }
  // A town that people know is one.
  for (const q of ["cafe near Bath", "cafe near The Hague", "cafe near Essen", "cafe near Casino, Australia"]) {
    assert.deepEqual(await names(q, { ll }), [], q);
  }
});

test("where the first meaning of the words has nothing, another one answers", async (t) => {
  const { load, names } = await givenCatalog(t);
  const cafe = place({ sourceId: "osm:n60", name: "Bohne", categories: ["amenity/cafe"], ...other });
  await load([...luxembourg, cafe]);

  const questions: [q: string, first: string][] = [
    // A cafeteria is a canteen in English, and a café in Spanish.
    ["cafeterías en Kayl", "Bohne"],
    ["dentiste autour de Kayl", "Zahn Kayl"],
    ["dentista nei dintorni di Kayl", "Zahn Kayl"],
    ["Zahnarzt in Kayl bitte", "Zahn Kayl"],
    ["where can I find a dentist in Kayl", "Zahn Kayl"],
  ];
  for (const [q, first] of questions) assert.equal((await names(q))[0], first, q);
});

test("a town of the import is found by what people make of its name, not a far one by a part of it", async (t) => {
  const { load, names } = await givenCatalog(t);
  const [napa, joao, lemesos] = [
    { latitude: 34.988, longitude: 34.001 },
    { latitude: 40.896, longitude: -8.491 },
    { latitude: 34.675, longitude: 33.042 },
  ];
  await load([
    town("Ayia Napa", napa.latitude, napa.longitude, { countryCode: "CY" }),
    town("São João da Madeira", joao.latitude, joao.longitude, { countryCode: "PT" }),
    town("Λεμεσός", lemesos.latitude, lemesos.longitude, { countryCode: "CY" }),
    place({ sourceId: "osm:n70", name: "Napa", categories: ["amenity/pharmacy"], ...napa }),
    place({ sourceId: "osm:n71", name: "Joao", categories: ["amenity/pharmacy"], ...joao }),
    place({ sourceId: "osm:n72", name: "Akti", categories: ["amenity/pharmacy"], ...lemesos }),
  ]);

  const questions: [q: string, first: string][] = [
    ["pharmacy in Aya Napa", "Napa"],
    ["pharmacy Aya Napa", "Napa"],
    ["pharmacy S. João da Madeira", "Joao"],
    ["pharmacy Sao Joa da Madeira", "Joao"],
    ["pharmacy Sao Joao da Madeira city centre", "Joao"],
    ["pharmacy in Lemesos", "Akti"],
  ];
  for (const [q, first] of questions) assert.equal((await names(q))[0], first, q);
});
