import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import fc from "fast-check";
import { recordOf } from "../osm-tags/index.ts";
import { Place } from "../place.ts";
import { readOsmPbf } from "../../data-sets/2-read/pbf/osm-pbf.ts";
import { readOverture } from "../../data-sets/2-read/overture/overture.ts";
import { readFile } from "../../data-sets/2-read/read.ts";
import type { PlaceRecord } from "../record.ts";
import { mergeRecords } from "../merge/merge-records.ts";
import { shownText } from "../shown.ts";
import { renderPlace } from "./render.ts";

const observedAt = new Date("2026-09-22T09:30:00.125Z");
const ajv = new Ajv2020({ allErrors: true });
addFormats.default(ajv);
const isValid = ajv.compile(JSON.parse(JSON.stringify(Place)));

const adler = {
  name: "Adler",
  "name:fr": "L'Aigle",
  amenity: "restaurant",
  cuisine: "regional;pizza",
  "addr:street": "Städtle",
  "addr:housenumber": "5",
  "addr:postcode": "9490",
  "addr:city": "Vaduz",
  phone: "239 20 20; +423 239 20 21",
  website: "www.adler.example.org/karte",
  email: "info@adler.example.org;nonsense",
  "contact:facebook": "adler.vaduz",
  opening_hours: "Mo-Fr 11:00-23:00; PH off",
  outdoor_seating: "yes",
  smoking: "no",
  wheelchair: "limited",
  "payment:cash": "yes",
  "diet:vegan": "only",
  operator: "Adler AG",
  wikipedia: "de:Adler (Vaduz)",
  wikimedia_commons: "File:Adler Vaduz.jpg",
  stars: "3S",
  description: "Gut.",
  "description:en": "Good.",
};

test("a listing is as old as its record says, else as its data set", () => {
  const record = recordOf({ type: "node", id: 1, tags: { name: "Adler", amenity: "pub" }, latitude: 47, longitude: 9 });
  assert.ok(record);
  const options = { hl: "en", observedAt: new Date("2026-11-01T00:00:00Z") };
  const dated = { ...record, observedAt: "2024-02-03T00:00:00.000Z" };
  const other = { ...record, sourceId: "overture:1", observedAt: "2025-06-07T00:00:00.000Z", confidence: 0.4 };

  assert.equal(renderPlace(record, options).observedAt, "2026-11-01T00:00:00.000Z");
  assert.equal(renderPlace(dated, options).observedAt, "2024-02-03T00:00:00.000Z");
  const merged = mergeRecords([dated, other]);
  assert.equal(renderPlace(merged, options).observedAt, "2025-06-07T00:00:00.000Z");
  assert.deepEqual([merged.confidence, merged.licenses], [1, ["ODbL-1.0", "CDLA-Permissive-2.0"]]);
});

test("a listing is in the requested language", () => {
  const german = render(adler, "de-LI");
  const french = render(adler, "fr");

  assert.equal(german.name, "Adler");
  assert.equal(german.category, "Pizzeria");
  assert.deepEqual(german.categories, ["Pizzeria", "Restaurant", "Regional"]);
  assert.equal(german.description, "Gut.");
  assert.equal(render(adler, "en").description, "Good.");
  assert.ok(german.amenities.includes("Außenbestuhlung"));
  assert.equal(french.name, "L'Aigle");
  assert.equal(french.address.formatted, "Städtle 5, 9490 Vaduz, Liechtenstein");
  assert.equal(
    render({ ...adler, "addr:city": "Wien" }, "fr", 48.2, 16.37).address.formatted,
    "Städtle 5, 9490 Wien, Autriche",
  );
});

test("a number that two data sets stored in two ways is listed once", () => {
  const record = recordOf({ type: "node", id: 7, tags: adler, latitude: 47.14, longitude: 9.52 });
  assert.ok(record);
  record.details.phones = ["+4232392020", "+423 239 20 20", "+423 239 20 21"];

  const { phones } = renderPlace(record, { hl: "en", observedAt: new Date(0) });

  assert.deepEqual(phones, ["+423 239 20 20", "+423 239 20 21"]);
});

test("what tags say becomes the fields of the record", () => {
  const place = render(adler, "en");

  assert.equal(place.placeId, "osm:n7");
  assert.deepEqual(place.phones, ["+423 239 20 20", "+423 239 20 21"]);
  assert.equal(place.phone, "+423 239 20 20");
  assert.deepEqual([place.website, place.domain], ["https://www.adler.example.org/karte", "example.org"]);
  assert.deepEqual(place.emails, ["info@adler.example.org"]);
  assert.deepEqual(place.socialProfiles, ["https://www.facebook.com/adler.vaduz"]);
  assert.equal(place.hotelClass, 3);
  assert.equal(place.timeZone, "Europe/Vaduz");
  assert.equal(place.plusCode, "8FVF4GR9+X2");
  assert.equal(place.knowledgeUrl, "https://de.wikipedia.org/wiki/Adler_(Vaduz)");
  assert.equal(place.mapsUrl, "https://www.openstreetmap.org/node/7");
  assert.deepEqual(place.owner, { id: null, name: "Adler AG", profileUrl: null });
  assert.deepEqual(place.openingHours?.weekly?.friday, [{ opens: "11:00", closes: "23:00" }]);
  assert.equal(place.businessStatus, "OPERATIONAL");
  assert.deepEqual(place.about, [
    { category: "Service options", options: { "Outdoor Seating": true } },
    { category: "Amenities", options: { Smoking: false } },
    { category: "Accessibility", options: { "Wheelchair Access": "Limited" } },
    { category: "Payment Types", options: { Cash: true } },
    { category: "Dietary Options", options: { Vegan: "Only" } },
  ]);
});

test("each of several e-mail addresses is read, however they are separated", () => {
  const email = "info@adler.example.org, bar@adler.example.org;adler@example.org / on request";

  const { emails } = render({ ...adler, email }, "en");

  assert.deepEqual(emails, ["info@adler.example.org", "bar@adler.example.org", "adler@example.org"]);
});

test("a place that closed for good says so", () => {
  for (const tags of [{ disused: "yes" }, { end_date: "2019" }, { opening_hours: "closed" }]) {
    assert.equal(render({ ...adler, ...tags }, "en").businessStatus, "CLOSED_PERMANENTLY", JSON.stringify(tags));
  }
});

test("a place that is closed with a comment on it may open again", () => {
  for (const hours of ['closed "wegen Umbau"', 'off "until May"', 'Mo-Su closed "gone"']) {
    const { businessStatus, openingHours, fieldStates } = render({ ...adler, opening_hours: hours }, "en");
    assert.deepEqual(
      [businessStatus, openingHours?.raw, Reflect.get(fieldStates, "businessStatus")],
      [null, hours, "absent"],
    );
  }
  const gone = render({ ...adler, disused: "yes", opening_hours: 'closed "wegen Umbau"' }, "en");
  assert.equal(gone.businessStatus, "CLOSED_PERMANENTLY");
});

test("a place is not closed before its last day is over, nor because it names a day of rest", () => {
  const clock = { now: () => new Date("2026-05-15T12:00:00Z") };
  const statusOf = (tags: Record<string, string>) => {
    const element = { type: "node", id: 7, tags: { ...adler, ...tags }, latitude: 47.1424, longitude: 9.5176 } as const;
    return recordOf(element, clock)?.details.businessStatus;
  };

  for (const date of ["2025", "2026-04", "2026-05-14", "~2019", "before 2010", "late 2025"]) {
    assert.equal(statusOf({ end_date: date }), "CLOSED_PERMANENTLY", date);
  }
  for (const date of ["2030-12-31", "2026", "2026-05", "2026-05-15", "after 2019", "soon", ""]) {
    assert.equal(statusOf({ end_date: date }), "OPERATIONAL", date);
  }
  for (const hours of ["Su off", "Sa-Su off; PH off", "We off", 'Mo closed "Ruhetag"']) {
    assert.equal(statusOf({ opening_hours: hours }), "OPERATIONAL", hours);
  }
});

test("a name has no blanks around it, and blanks alone are none", () => {
  const place = render({ shop: "yes", name: "  Leer  Raum ", "name:de": " ", operator: " Raum AG " }, "de");

  assert.deepEqual([place.name, place.owner?.name], ["Leer  Raum", "Raum AG"]);
  assert.equal(render({ shop: "yes", name: " ", brand: " Raum " }, "en").name, "Raum");
});

test("each empty field says why it is empty", () => {
  const { fieldStates } = render({ name: "Adler", shop: "yes", opening_hours: "Apr-Oct" }, "en");

  for (const field of ["cid", "dataId", "kgmid", "rating", "reviewCount", "reviewUrl", "priceRange", "claimed"]) {
    assert.equal(fieldStates[field as keyof typeof fieldStates], "not_supported", field);
  }
  const told = fieldStates as Record<string, string>;
  assert.deepEqual(
    [told["website"], told["address.street"], told["openingHours.weekly"]],
    ["absent", "absent", "parse_failed"],
  );
  for (const [sourceId, state] of [
    ["overture:1", "not_supported"],
    ["foursquare:1", "not_supported"],
    ["alltheplaces:1", "absent"],
  ] as const) {
    const states = renderRecord({ sourceId }).fieldStates as Record<string, string>;
    assert.deepEqual([states["openingHours"], states["knowledgeUrl"]], [state, state], sourceId);
  }
});

test("the town and the region of a place are those that its areas give it", () => {
  const record = recordFor({ sourceId: "osm:n1" });

  const within = { city: "Schaan", municipality: "Schaan", region: "Oberland", countryCode: "LI" };

  const { address } = renderPlace(record, { hl: "en", observedAt, within });

  assert.deepEqual([address.city, address.municipality, address.region], ["Schaan", "Schaan", "Oberland"]);
  assert.match(address.formatted ?? "", /^Schaan.*Liechtenstein$/);
});

test("text is cut between characters, never within one", () => {
  const place = renderRecord({ name: "🍕".repeat(1001) });

  assert.equal(place.name, "🍕".repeat(1000));
});

test("whatever was imported, the listing keeps to the schema", () => {
  const text = fc.oneof(fc.string(), fc.string({ unit: "binary" }), fc.webUrl());
  const texts = fc.array(text);
  const record = fc.record({
    sourceId: text.filter((id) => id !== ""),
    name: text,
    namesByLanguage: fc.dictionary(fc.constantFrom("en", "de", "fr", "__proto__"), text),
    otherNames: texts,
    categories: fc.array(fc.oneof(text, fc.constantFrom("amenity/cafe", "shop", "tourism/hotel"))),
    categoryLabels: texts,
    latitude: fc.double({ min: -90, max: 90, noNaN: true }),
    longitude: fc.double({ min: -180, max: 180, noNaN: true }),
    address: fc.record({
      street: fc.option(text),
      city: fc.option(text),
      region: fc.option(text),
      postalCode: fc.option(text),
      countryCode: fc.option(fc.oneof(text, fc.constantFrom("LI", "zz", "BR"))),
    }),
    details: fc.record(
      {
        phones: texts,
        website: text,
        emails: texts,
        socialProfiles: texts,
        knowledgeUrl: text,
        featuredImageUrl: text,
        mapsUrl: text,
        businessStatus: text,
        hotelClass: fc.double(),
        owner: fc.record({ id: fc.constant(null), name: text, profileUrl: fc.constant(null) }),
        descriptionsByLanguage: fc.dictionary(fc.constantFrom("", "en", "de"), text),
        features: fc.dictionary(fc.oneof(text, fc.constantFrom("wheelchair", "payment:cash")), text),
        openingHours: fc.record({ weekly: fc.constantFrom(null, everyDay), raw: fc.constantFrom(null, "Apr-Oct") }),
      },
      { requiredKeys: [] },
    ),
  });
  fc.assert(
    fc.property(record, fc.constantFrom("en", "de-CH", "x-klingon", "zh-Hant-TW"), (imported, hl) => {
      const place = renderPlace(imported, { hl, observedAt });
      assert.ok(isValid(place), ajv.errorsText(isValid.errors));
      assert.deepEqual(Object.keys(place.fieldStates).sort(), emptyFieldsOf(place).sort());
    }),
    { numRuns: 150 },
  );
});

const everyDay = { monday: [], tuesday: [], wednesday: [], thursday: [], friday: [], saturday: [], sunday: [] };

function emptyFieldsOf(place: Place): string[] {
  const isEmpty = (value: unknown) => value === null || (Array.isArray(value) && value.length === 0);
  const { address, owner, openingHours } = place;
  return Object.entries({ "": place, "address.": address, "owner.": owner, "openingHours.": openingHours }).flatMap(
    ([prefix, fields]) => Object.entries(fields ?? {}).flatMap(([key, value]) => (isEmpty(value) ? prefix + key : [])),
  );
}

// Listings share explanations by which fields are empty: one field more or less is another explanation.
test("a listing explains its own empty fields, not those of one much like it", () => {
  const full = recordOf({ type: "node", id: 7, tags: adler, latitude: 47.1424, longitude: 9.5176 });
  assert.ok(full);
  const within = { city: "Vaduz", municipality: "Vaduz", region: "Oberland", countryCode: "LI" };
  const address = Object.keys(full.address).map((key) => ({ ...full, address: { ...full.address, [key]: null } }));
  const details = Object.keys(full.details).map((key) => ({ ...full, details: { ...full.details, [key]: undefined } }));
  const nameless = [
    { ...full, name: "", namesByLanguage: {} },
    { ...full, categories: [], categoryLabels: [] },
  ];

  for (const record of [full, ...address, ...details, ...nameless, recordFor({ categories: [] })]) {
    for (const options of [{ within }, { within: { ...within, city: undefined, municipality: undefined } }, {}]) {
      const place = renderPlace(record, { hl: "en", observedAt, ...options });
      assert.deepEqual(Object.keys(place.fieldStates).sort(), emptyFieldsOf(place).sort());
    }
  }
});

test("a place without a page links to its point", () => {
  const points = [
    [47.1424, 9.5176],
    [-33.000_000_1, -0.05],
    [0.000_000_1, -0.000_000_9],
    [0.000_001, 180],
    [-90, -179.999_999_9],
    [10.5, 0],
  ] as const;
  for (const [latitude, longitude] of points) {
    assert.equal(
      renderRecord({ latitude, longitude }).mapsUrl,
      `https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=18/${latitude}/${longitude}`,
    );
  }
});

test("every text and list is cut at the schema's bound", () => {
  const long = "x".repeat(20_000);
  const many = Array.from({ length: 101 }, (_, index) => `${index}`);

  const place = renderRecord({
    sourceId: long,
    categoryLabels: [long, ...many],
    address: { street: long, city: long, region: long, postalCode: long, countryCode: "LI" },
    details: {
      phones: many.map((digit) => digit + long),
      website: `https://example.org/${long}`,
      emails: many.map((name) => `${name}@example.org`),
      socialProfiles: many.map((name) => `https://social.example.org/${name}`),
      businessStatus: long,
      descriptionsByLanguage: { "": long },
      features: Object.fromEntries(many.concat(many.map((key) => `a${key}`)).map((key) => [`payment:${key}`, long])),
    },
  });

  assert.ok(isValid(place), ajv.errorsText(isValid.errors));
  assert.equal(place.website, null);
  assert.deepEqual(
    [place.emails.length, place.socialProfiles.length, place.phones.length, place.categories.length],
    Array(4).fill(100),
  );
  assert.deepEqual([place.description?.length, place.address.city?.length, place.placeId?.length], [10_000, 512, 512]);
});

const dataFolder = join(import.meta.dirname, "../../../../../shared/data");
for (const [file, reader] of [
  ["osm/liechtenstein-2024.osm.pbf", readOsmPbf],
  ["osm/monaco-2025.osm.pbf", readOsmPbf],
  ["overture/overture-places-sample-2025-02.parquet", readOverture],
] as const) {
  test(`every place of ${file} makes a valid listing`, async (t) => {
    const path = join(dataFolder, file);
    if (!existsSync(path)) return t.skip("the real data is not here");

    const { places } = await readFile(reader, path);
    const listings = places.map((record) => renderPlace(record, { hl: "de", observedAt }));

    for (const place of listings) assert.ok(isValid(place), `${place.placeId} ${ajv.errorsText(isValid.errors)}`);
    const share = (isMet: (place: Place) => unknown) =>
      `${Math.round((100 * listings.filter(isMet).length) / listings.length)} %`;
    t.diagnostic(
      `${listings.length} listings: category ${share((place) => place.category)}, phone ${share((place) => place.phone)}, ` +
        `website ${share((place) => place.website)}, hours ${share((place) => place.openingHours)}, ` +
        `street ${share((place) => place.address.street)}, country ${share((place) => place.address.countryCode)}`,
    );
  });
}

function render(tags: Record<string, string>, hl: string, latitude = 47.1424, longitude = 9.5176): Place {
  const record = recordOf({ type: "node", id: 7, tags, latitude, longitude });
  assert.ok(record);
  const place = renderPlace(record, { hl, observedAt });
  assert.ok(isValid(place), ajv.errorsText(isValid.errors));
  return place;
}

function recordFor(changes: Partial<PlaceRecord>): PlaceRecord {
  return {
    sourceId: "csv:1",
    name: "Adler",
    namesByLanguage: {},
    otherNames: [],
    categories: ["amenity/pub"],
    categoryLabels: [],
    latitude: 47.1424,
    longitude: 9.5176,
    address: { street: null, city: null, region: null, postalCode: null, countryCode: null },
    details: {},
    ...changes,
  };
}

function renderRecord(changes: Partial<PlaceRecord>): Place {
  return renderPlace(recordFor(changes), { hl: "en", observedAt });
}

test("a phone and a website that nobody can read say so", () => {
  const { phone, website, fieldStates } = render(
    { name: "Adler", shop: "yes", phone: "ask inside", website: "none yet" },
    "en",
  );

  const states = new Map(Object.entries(fieldStates));
  assert.deepEqual([phone, website], [null, null]);
  for (const field of ["phone", "phones", "website", "domain"]) assert.equal(states.get(field), "parse_failed", field);
});

test("coordinates have seven decimals at most", () => {
  const { location } = renderRecord({ sourceId: "osm:n1", latitude: 47.123_456_789_01, longitude: 9.000_000_04 });

  assert.deepEqual(location, { latitude: 47.123_456_8, longitude: 9 });
});

test("a rating is shown where its own table has one, absent where that says none, and unsupported elsewhere", () => {
  const record = recordOf({ type: "node", id: 1, tags: adler, latitude: 47.14, longitude: 9.52 });
  assert.ok(record);
  const shownWith = (details: Partial<PlaceRecord["details"]>) => {
    const place = renderPlace({ ...record, details: { ...record.details, ...details } }, { hl: "en", observedAt });
    assert.ok(isValid(place), JSON.stringify(isValid.errors));
    return [
      place.rating,
      place.reviewCount,
      place.priceRange,
      new Map(Object.entries(place.fieldStates)).get("rating"),
    ];
  };

  assert.deepEqual(shownWith({ rating: 4.6, reviewCount: 87, priceRange: "€€" }), [4.6, 87, "€€", undefined]);
  assert.deepEqual(shownWith({ rating: null }), [null, null, null, "absent"]);
  assert.deepEqual(shownWith({}), [null, null, null, "not_supported"]);
});

test("a rating changes what is shown of a business, and a record without one is as before", () => {
  const record = recordOf({ type: "node", id: 1, tags: adler, latitude: 47.14, longitude: 9.52 });
  assert.ok(record);
  const shownWith = (details: Partial<PlaceRecord["details"]>) =>
    shownText({ ...record, details: { ...record.details, ...details } });

  assert.equal(shownWith({ rating: null, reviewCount: null, priceRange: null }), shownWith({}));
  assert.notEqual(shownWith({ rating: 4.6 }), shownWith({}));
  assert.notEqual(shownWith({ rating: 4.6 }), shownWith({ rating: 4.7 }));
});
