import assert from "node:assert/strict";
import { test } from "node:test";
import { writeRecord } from "../../../../e2e/webmap/record.ts";
import { cafe } from "../../../../e2e/webmap/town.ts";
import type { Place } from "../../places/place.ts";
import { fillIn } from "./fill-in.ts";
import { createListings, type ListingOptions } from "./listing.ts";

const listingOf = createListings({ base: "https://maps.example", drift: { count() {} } });
const options: ListingOptions = {
  hl: "en",
  observedAt: new Date(0),
  isDetail: false,
  extra: false,
  isTrimmed: false,
  media: { reviewsState: "not_requested", reviews: [], photosState: "not_requested", photos: [] },
};

/** The listing of a record in which one position holds something that cannot be read. */
function listingWith(index: number, value: unknown) {
  const record = writeRecord(cafe(5));
  record[index] = value;
  return listingOf(record, options);
}

// What is said to be absent overwrites what was known; what could not be read does not.
for (const [index, value, fields] of [
  [2, { street: "Städtle" }, ["address.municipality"]],
  [7, [17], ["website", "domain"]],
  [9, [null, null, "47.14", "9.52"], ["location", "plusCode"]],
  [13, { main: "Coffee shop" }, ["categories", "category"]],
  [49, [17], ["claimed"]],
  [88, [17], ["note", "businessStatus"]],
  [178, [[17]], ["phone", "phones"]],
  // What should be a list is none, so nothing can be looked up in it.
  [4, "4.8", ["rating", "reviewCount", "priceRange", "reviewUrl"]],
  [49, "https://map.invalid/create", ["claimed"]],
  [88, "CLOSED", ["note", "businessStatus"]],
  [100, 17, ["about", "amenities"]],
  [178, [{ phone: "+423 232 10 05" }], ["phone", "phones"]],
  [203, { monday: "7–20" }, ["openingHours"]],
  [203, ["7–20"], ["openingHours"]],
] as const) {
  test(`position ${index} in an unknown shape: ${fields.join(" and ")} could not be read`, () => {
    const { fieldStates } = listingWith(index, value);

    assert.deepEqual(
      fields.map((field) => Reflect.get(fieldStates, field)),
      fields.map(() => "parse_failed"),
    );
  });
}

test("an owner that cannot be read leaves open whether the listing is claimed", () => {
  const record = writeRecord(cafe(1));
  assert.equal(listingOf(record, options).claimed, true);

  const { claimed, fieldStates } = listingOf(Object.assign(record, { 181: "an owner" }), options);

  assert.deepEqual([claimed, Reflect.get(fieldStates, "claimed")], [null, "parse_failed"]);
});

test("an address that stands behind the name alone may be unreadable too", () => {
  const { address, fieldStates } = listingOf(Object.assign(writeRecord(cafe(1)), { 18: 17, 39: null }), options);

  assert.deepEqual([address.formatted, Reflect.get(fieldStates, "address.formatted")], [null, "parse_failed"]);
});

test("what cannot be read in the details is as the search answer has it, and what they lack is not", () => {
  const searched = listingOf(writeRecord(cafe(1)), options);
  const strange = { 4: null, 7: 17, 178: "moved", 183: [null, [null, 17, 17]], 243: "LI" };
  const detailed = listingOf(Object.assign(writeRecord(cafe(1)), strange), { ...options, isDetail: true });

  const { website, phones, address, rating, fieldStates } = fillIn(detailed, searched);

  assert.deepEqual([website, phones], [searched.website, searched.phones]);
  assert.deepEqual([address.street, address.city], [searched.address.street, null]);
  assert.equal(rating, null);
  for (const field of ["website", "phones", "address.street"]) assert.ok(!(field in fieldStates), field);
  assert.equal(Reflect.get(fieldStates, "rating"), "absent");
});

test("hours of the search answer are not put beside another text of the details", () => {
  const searched = listingOf(writeRecord(cafe(1)), options);
  const { weekly = null, raw = null } = searched.openingHours ?? {};
  assert.ok(weekly && raw);
  const unread = (text: string): Place => ({
    ...searched,
    openingHours: { weekly: null, raw: text },
    fieldStates: { "openingHours.weekly": "parse_failed" },
  });

  assert.deepEqual(fillIn(unread(raw), searched).openingHours, { weekly, raw });
  assert.deepEqual(fillIn(unread("by appointment"), searched).openingHours, { weekly: null, raw: "by appointment" });
});

test("a week with a holiday in it keeps the known week, and alone it is a text without a table", () => {
  const searched = listingOf(writeRecord(cafe(3)), options);
  assert.ok(searched.openingHours?.weekly);
  const record = writeRecord(cafe(3));
  const [days] = record[203] as [unknown[][]];
  days[2]?.push("Christmas");
  const holiday = listingOf(record, options);

  assert.equal(holiday.openingHours?.weekly, null);
  assert.match(holiday.openingHours?.raw ?? "", /Christmas/);
  assert.equal(Reflect.get(holiday.fieldStates, "openingHours.weekly"), "not_supplied");
  const { openingHours, fieldStates } = fillIn(holiday, searched);
  assert.deepEqual(openingHours, searched.openingHours);
  assert.ok(!("openingHours.weekly" in fieldStates));
});

test("a number that is written in two ways is one number", () => {
  const { phone, phones } = listingWith(178, [
    [
      null,
      [
        ["232 1005", 1],
        ["+423 232 1005", 2],
      ],
      null,
      "+4232321005",
    ],
  ]);

  assert.deepEqual([phone, phones], ["+423 232 1005", ["+423 232 1005"]]);
});
