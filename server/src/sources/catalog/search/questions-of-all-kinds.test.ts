import assert from "node:assert/strict";
import { test } from "node:test";
import { plusCodeOf } from "../../../geography/plus-code.ts";
import { recordOf } from "../../../places/osm-tags/index.ts";
import type { PlaceRecord } from "../../../places/record.ts";
import { givenCatalog, town } from "../testing.ts";

let lastId = 0;

/** A place as its tags describe it, each some 40 m north of the one before. */
function tagged(name: string, tags: Record<string, string>): { place: PlaceRecord } {
  lastId += 1;
  const point = { latitude: 42.506 + lastId / 2_500, longitude: 1.521 };
  const record = recordOf({ type: "node", id: lastId, tags: { name, "addr:country": "AD", ...tags }, ...point });
  assert.ok(record, name);
  return { place: record };
}

const meritxell = { "addr:street": "Avinguda Meritxell", "addr:city": "Andorra la Vella", "addr:postcode": "AD500" };
const items = [
  town("Andorra la Vella", 42.5075, 1.5218, { countryCode: "AD" }),
  tagged("Casa Tor", {
    amenity: "restaurant",
    phone: "+376 821 681",
    website: "https://www.casator.ad/en",
    ...meritxell,
    "addr:housenumber": "16",
  }),
  tagged("Sol", { amenity: "restaurant", email: "hola@sol.ad", ...meritxell, "addr:housenumber": "18" }),
  tagged("Borda", {
    amenity: "restaurant",
    "addr:street": "Carrer Major",
    "addr:housenumber": "3",
    "addr:postcode": "AD400",
  }),
  tagged("Apotek", { amenity: "pharmacy", ...meritxell, "addr:housenumber": "20" }),
  tagged("Nordkap Kaffi", {
    amenity: "cafe",
    brand: "Nordkap",
    "addr:street": "Carrer Major",
    "addr:housenumber": "5",
  }),
  tagged("Nordkap Kaffi", { amenity: "cafe", brand: "Nordkap", ...meritxell, "addr:housenumber": "40" }),
  tagged("Frühauf", { shop: "bakery", opening_hours: "Mo-Sa 05:30-12:00", "payment:cards": "yes" }),
  tagged("Sonnig", { shop: "bakery", opening_hours: "Tu-Su 08:00-18:00", smoking: "no" }),
  tagged("Spätzle", { shop: "bakery", opening_hours: "Mo-Fr 18:00-24:00" }),
  tagged("Gleis", { amenity: "bar", "addr:street": "Bahnhofstrasse", "addr:housenumber": "12b-14" }),
];

test("a number, a site, a street or a postcode finds what has it, before anything that is called alike", async (t) => {
  const { load, names } = await givenCatalog(t);
  await load(items);
  const questions: [q: string, first: string[], more?: { gl?: string; hl?: string }][] = [
    ["+376 821 681", ["Casa Tor"]],
    ["00376821681", ["Casa Tor"]],
    ["821681", ["Casa Tor"], { gl: "ad" }],
    ["casator.ad", ["Casa Tor"]],
    ["https://www.casator.ad/en", ["Casa Tor"]],
    ["hola@sol.ad", ["Sol"]],
    ["Avinguda Meritxell 16", ["Casa Tor"]],
    ["16 Avinguda Meritxell", ["Casa Tor"]],
    ["Avinguda Meritxell 16, Andorra la Vella", ["Casa Tor"]],
    ["Av. Meritxell 16", ["Casa Tor"]],
    ["Avda Meritxell 16", ["Casa Tor"]],
    ["C/ Major 3", ["Borda"]],
    ["Bahnhofstr. 12", ["Gleis"]],
    ["Bahnhofstraße 12 b", ["Gleis"]],
    ["Bahnhofstrasse 12b", ["Gleis"]],
    ["Bahnhofstrasse 14", ["Gleis"]],
    ["restaurant Avinguda Meritxell", ["Casa Tor", "Sol"]],
    ["Avinguda Meritxell restaurant", ["Casa Tor", "Sol"]],
    ["restaurant Carrer Major 3", ["Borda"]],
    ["restaurant AD400", ["Borda"]],
    ["Nordkap Carrer Major", ["Nordkap Kaffi"]],
    ["restaurant near Apotek", ["Borda", "Sol", "Casa Tor"]],
  ];

  for (const [q, first, more] of questions) {
    assert.deepEqual((await names(q, more)).slice(0, first.length), first, q);
  }
  assert.deepEqual((await names("Avinguda Meritxell")).toSorted(), ["Apotek", "Casa Tor", "Nordkap Kaffi", "Sol"]);
  assert.deepEqual(await names("+376 999 999"), [], "a number that nobody has");
});

test("what is open at the time that is asked for comes first, and so does what has an attribute", async (t) => {
  const { load, names } = await givenCatalog(t);
  await load(items);
  const questions: [q: string, first: string, hl?: string][] = [
    ["bakery open on Sunday", "Sonnig"],
    ["bakery open sundays Andorra la Vella", "Sonnig"],
    ["Bäckerei sonntags geöffnet", "Sonnig", "de"],
    ["boulangerie ouverte le dimanche", "Sonnig", "fr"],
    ["panadería abierta los domingos", "Sonnig", "es"],
    ["日曜営業 パン屋", "Sonnig", "ja"],
    ["bakery open early", "Frühauf"],
    ["bakery open late", "Spätzle"],
    ["bakery open at 7", "Frühauf"],
    ["bakery open at 8 pm", "Spätzle"],
    ["Bäckerei 20 Uhr geöffnet", "Spätzle", "de"],
    ["bakery saturday afternoon", "Sonnig"],
    ["bakery that accepts credit cards", "Frühauf"],
    ["non smoking bakery", "Sonnig"],
  ];

  for (const [q, first, hl = "en"] of questions) {
    const found = await names(q, { hl });
    assert.deepEqual([found[0], found.length], [first, 3], q);
  }
});

test("a plus code, the link of a map and a distance say where", async (t) => {
  const { load, names } = await givenCatalog(t);
  await load(items);
  const around = ["Casa Tor", "Sol", "Borda"];
  const [{ latitude, longitude } = { latitude: 0, longitude: 0 }] = items.flatMap((item) =>
    "place" in item && item.place.name === "Casa Tor" ? [item.place] : [],
  );
  const code = plusCodeOf(latitude, longitude);
  const questions: [q: string, found: string[]][] = [
    [`restaurant ${code}`, around],
    [`restaurant ${code.slice(4)} Andorra la Vella`, around],
    [`restaurant https://maps.example/@${latitude},${longitude},15z/data=!4m2`, around],
    [`https://map.example/#map=16/${latitude}/${longitude} restaurant`, around],
    [`restaurant geo:${latitude},${longitude}`, around],
    [`restaurant within 60 m of ${latitude}, ${longitude}`, ["Casa Tor", "Sol"]],
    ["restaurant within 60 m of Casa Tor", ["Casa Tor", "Sol"]],
    ["restaurants 2 km from Andorra la Vella", around],
  ];

  for (const [q, found] of questions) {
    assert.deepEqual((await names(q)).toSorted(), found.toSorted(), q);
  }
});
