import assert from "node:assert/strict";
import { test } from "node:test";
import { writeRecord } from "../../../../e2e/webmap/record.ts";
import { cafe } from "../../../../e2e/webmap/town.ts";
import { assertShort, longestTaskMs } from "../../../test/loop-watch.ts";
import { createListings } from "./listing.ts";
import type { Media } from "./media.ts";

const listingOf = createListings({ base: "https://maps.example", drift: { count() {} } });
const media: Media = { reviewsState: "not_requested", reviews: [], photosState: "not_requested", photos: [] };

/** The listing of a good record in which some positions hold something else. */
function listing(changes: Readonly<Record<number, unknown>>, hl = "en") {
  const record = Object.assign(writeRecord(cafe(1)), changes);
  return listingOf(record, { hl, observedAt: new Date(0), isDetail: false, extra: false, isTrimmed: false, media });
}

function parts(street: string | null, city: string | null, postalCode: string | null, countryCode: string) {
  return [null, [null, street, street, city, postalCode, null, countryCode]];
}

test("a business without an address has none, rather than its name for one", () => {
  const { name } = cafe(1);
  const formattedOf = (text: string) => listing({ 18: text, 39: null }).address.formatted;

  assert.equal(formattedOf(name), null);
  assert.equal(formattedOf(`${name}, Hauptstrasse 5, Vaduz`), "Hauptstrasse 5, Vaduz");
  assert.equal(formattedOf(`${name}، شارع الملك`), "شارع الملك");
  assert.equal(formattedOf(`${name}、東京都渋谷区`), "東京都渋谷区");
  assert.equal(formattedOf(`${name} Strasse 5, Vaduz`), `${name} Strasse 5, Vaduz`);
});

test("the municipality is neither the street nor the country, in whatever language and form that is written", () => {
  const municipalityOf = (lines: string[], address: unknown, hl = "en") =>
    listing({ 2: lines, 183: address, 243: null }, hl).address.municipality;
  const vaduz = parts("Hauptstrasse 5", "Vaduz", "9490", "LI");

  assert.equal(municipalityOf(["Hauptstrasse 5"], vaduz), null);
  assert.equal(municipalityOf(["Hauptstrasse 5", "Liechtenstein"], vaduz), null);
  assert.equal(
    municipalityOf(["Tower 3", "Main Rd", "Greece"], parts("Tower 3, Main Rd", null, null, "GR"), "el"),
    null,
  );
  assert.equal(municipalityOf(["Eakou 74", "Ilion", "Greece"], parts("Eakou 74", null, null, "GR"), "el"), "Ilion");
  assert.equal(
    municipalityOf(["1 Elm St", "Austin 73301", "USA"], parts("1 Elm St", "Austin", "73301", "US")),
    "Austin 73301",
  );
  assert.equal(municipalityOf(["1 Elm St", "Agii 135 61"], parts("1 Elm St", "Agioi", "135 61", "GR")), "Agii 135 61");
});

test("a line that holds the whole address is no municipality", () => {
  const municipalityOf = (lines: string[], address: unknown) => listing({ 2: lines, 183: address, 243: null }).address;
  const tokyo = parts("丸の内１丁目９−１", "千代田区", "100-0005", "JP");

  const { municipality, city } = municipalityOf(["〒100-0005 東京都千代田区丸の内１丁目９−１"], tokyo);

  assert.deepEqual([municipality, city], [null, "千代田区"]);
  const village = parts("Masescha", "Masescha", "9497", "LI");
  assert.equal(municipalityOf(["Masescha", "9497 Masescha"], village).municipality, "9497 Masescha");
  const numbered = parts("7", "Vaduz", "9497", "LI");
  assert.equal(municipalityOf(["7", "9497 Vaduz"], numbered).municipality, "9497 Vaduz");
});

test("a text without the digits of a number is no telephone number", () => {
  for (const written of ["Order online", "4.8"]) {
    const { phone, phones, fieldStates } = listing({ 178: [[written, [[written, 1]]]] });
    assert.deepEqual([phone, phones, Reflect.get(fieldStates, "phone")], [null, [], "parse_failed"]);
  }
  assert.equal(listing({ 178: [["Order online", [], null, "+4232392020"]] }).phone, "+4232392020");
  assert.equal(listing({ 178: [["1818", []]], 183: null, 243: null }).phone, "1818");
});

test("a text that names no time zone leaves it to the location", () => {
  for (const written of ["Closed", "Mars/Base", "Europe/Vaduz "]) {
    assert.equal(listing({ 30: written }).timeZone, listing({ 30: null }).timeZone);
  }
  assert.equal(listing({ 30: "Asia/Kolkata" }).timeZone, "Asia/Kolkata");
});

test("stars are counted where a digit stands alone, not in prices", () => {
  const starsOf = (text: string) => listing({ 35: [null, null, null, null, null, null, text], 64: null }).hotelClass;

  assert.deepEqual(["4-star hotel", "Hotel de 5 estrellas", "3つ星ホテル"].map(starsOf), [4, 5, 3]);
  assert.deepEqual(["فندق ٤ نجوم", "۵ ستاره", "โรงแรมระดับ ๓ ดาว", "３つ星"].map(starsOf), [4, 5, 3, 3]);
  assert.deepEqual(["from €145", "4,500 Ft", "2.50 €", "٤٥٠ ر.س"].map(starsOf), [null, null, null, null]);
  assert.deepEqual(["4 €", "$5"].map(starsOf), [null, null]);
  assert.deepEqual(
    ["3.5-star hotel", "Hôtel 3,5 étoiles", "四星级酒店", "五つ星ホテル"].map(starsOf),
    [3.5, 3.5, 4, 5],
  );
  const { fieldStates } = listing({ 35: [null, null, null, null, null, null, "فندق أربع نجوم"], 64: null });
  assert.equal(Reflect.get(fieldStates, "hotelClass"), "parse_failed");
});

test("a price has a sign, a currency or a word", () => {
  const priceOf = (...written: unknown[]) => {
    const { priceRange, fieldStates } = listing({ 4: [null, null, written[0], null, written[1]] });
    return priceRange ?? Reflect.get(fieldStates, "priceRange");
  };

  for (const written of ["$$", "€10–20", "₩10,000~20,000", "100–200 Kč", "٢٠–٤٠ ر.س.", "Moderate", "￥￥"]) {
    assert.equal(priceOf(written), written);
  }
  for (const written of ["4.8", "48", "4.8 (48)", "٤٫٨", "https://x.example/", "0x1:0x2"]) {
    assert.equal(priceOf(written), "parse_failed", written);
  }
  assert.equal(priceOf(null, "$$$"), "absent", "what stands beside it says otherwise of some that have both");
});

test("what every business has is withheld where it is missing, and so is the number of reviews behind a rating", () => {
  const rated = (rating: unknown, count: unknown) => ({ 4: [null, null, null, null, null, null, null, rating, count] });
  const stateOf = (field: string, changes: Readonly<Record<number, unknown>>) =>
    Reflect.get(listing(changes).fieldStates, field) as unknown;

  for (const field of ["location", "plusCode"]) {
    assert.equal(stateOf(field, { 9: null, 183: null }), "not_supplied", field);
    assert.equal(stateOf(field, { 9: [null, null, 47.14, null], 183: null }), "not_supplied", field);
  }
  assert.equal(stateOf("timeZone", { 9: null, 30: null }), "not_supplied");
  assert.equal(stateOf("placeId", { 78: null, 227: null }), "not_supplied");
  assert.equal(stateOf("reviewCount", rated(4.8, null)), "not_supplied");
  assert.equal(stateOf("reviewCount", rated(null, null)), "absent");
});

test("the website is the business's own: a bare name is one, a page of the map is none", () => {
  const siteOf = (address: string) => {
    const { website, fieldStates } = listing({ 7: [address, null] });
    return website ?? Reflect.get(fieldStates, "website");
  };

  assert.equal(siteOf("cafe.example.org/menu"), "https://cafe.example.org/menu");
  assert.equal(siteOf("//cafe.example.org/"), "https://cafe.example.org/");
  assert.equal(siteOf("/url?q\\u003dhttp://cafe.example.org/\\u0026opi\\u003d1"), "http://cafe.example.org/");
  for (const address of ["/maps/reserve/1", "Closed", "?q=1", "#", "mailto:a@example.org", "/url?sa=t"]) {
    assert.equal(siteOf(address), "parse_failed", address);
  }
});

test("a text that is no address is none on the map either", () => {
  const { reviewUrl, claimed, fieldStates } = listing({ 4: [null, null, null, ["Reviews"]], 49: ["Claim it"] });

  assert.deepEqual([reviewUrl, claimed], [null, null]);
  assert.deepEqual(
    [Reflect.get(fieldStates, "reviewUrl"), Reflect.get(fieldStates, "claimed")],
    ["parse_failed", "parse_failed"],
  );
  assert.equal(listing({ 4: [null, null, null, ["/reviews?id=1"]] }).reviewUrl, "https://maps.example/reviews?id=1");
});

test("ratings and counts are read as any language writes them, and rounded ones are not", () => {
  const readOf = (rating: unknown, reviewCount: unknown) => {
    const place = listing({ 4: [null, null, null, null, null, null, null, rating, reviewCount] });
    return [place.rating, place.reviewCount];
  };

  assert.deepEqual(readOf("4.8", "1,234"), [4.8, 1234]);
  assert.deepEqual(readOf("4,8", "1.234.567"), [4.8, 1_234_567]);
  assert.deepEqual(readOf("4,7", "1\u202f234"), [4.7, 1234]);
  assert.deepEqual(readOf("\u200f٤٫٨\u200f", "١٬٢٣٤"), [4.8, 1234]);
  assert.deepEqual(readOf("۴٫۸", "۱۲"), [4.8, 12]);
  assert.deepEqual(readOf("४.८", "१,२३,४५६"), [4.8, 123_456]);
  assert.deepEqual(readOf("๔.๘", "๑๒๓"), [4.8, 123]);
  for (const rounded of ["1.2K", "1,2 mil", "12K", "1.2", "1,23", "12万", "1.234 reviews", "-5", ""]) {
    assert.deepEqual(readOf("4.8 of 5", rounded), [null, null], rounded);
  }
  const { fieldStates } = listing({ 4: [null, null, null, null, null, null, null, "48", "1.2K"] });
  assert.deepEqual(
    [Reflect.get(fieldStates, "rating"), Reflect.get(fieldStates, "reviewCount")],
    ["parse_failed", "parse_failed"],
  );
});

test("marks of direction around a text are not part of it, and inside of it they are", () => {
  const nameOf = (name: string) => listing({ 11: name }).name;

  assert.equal(nameOf("\u200f مقهى النور\u200f"), "مقهى النور");
  assert.equal(nameOf("\u202bقهوة\u202c"), "قهوة");
  assert.equal(nameOf("\u2068بيتزا\u2069"), "بيتزا");
  assert.equal(nameOf("\u202bقهوة\u202c Café"), "\u202bقهوة\u202c Café");
  assert.equal(nameOf("کافه\u200cتریا"), "کافه\u200cتریا");
});

test("a text of undecoded characters tells nothing, and prose may have one", () => {
  const prose = `We roast coffee${" and bake bread".repeat(10)} \ufffd`;
  const { name, description, fieldStates } = listing({ 11: "Caf\ufffd Z\ufffdrich", 32: [null, [null, prose]] });

  assert.deepEqual([name, Reflect.get(fieldStates, "name"), description], [null, "parse_failed", prose]);
});

test("a plus code before the name stays, and the name goes", () => {
  const { name } = cafe(1);
  const formattedOf = (written: string) => listing({ 18: written, 39: null }).address.formatted;

  assert.equal(formattedOf(`8F2C+3GH ${name}, Main Road, Polis`), "8F2C+3GH, Main Road, Polis");
  assert.equal(formattedOf(`8F2C+3GH ${name}`), "8F2C+3GH");
  assert.equal(formattedOf("8F2C+3GH Other, Polis"), "8F2C+3GH Other, Polis");
});

test("a business is closed in whatever language the map says so, and by that text alone", () => {
  const statusOf = (changes: Readonly<Record<number, unknown>>) => {
    const { businessStatus, note } = listing({ 88: null, ...changes });
    return [businessStatus, note];
  };
  const summary = (words: string) => ({ 34: [null, null, null, null, [null, 1, 5, null, words]], 203: null });

  for (const words of [
    "Permanently closed",
    "Dauerhaft geschlossen",
    "閉業",
    "\u200fمغلق نهائيًا",
    "ปิดถาวร",
    "폐업함",
  ]) {
    assert.deepEqual(statusOf({ 88: [words] }), ["CLOSED_PERMANENTLY", null], words);
    assert.deepEqual(statusOf(summary(words)), ["CLOSED_PERMANENTLY", null], words);
  }
  for (const words of ["Vorübergehend geschlossen", "Cerrado temporalmente", "臨時休業", "अस्थायी रूप से बंद"]) {
    assert.deepEqual(statusOf({ 88: [words] }), ["CLOSED_TEMPORARILY", null], words);
  }
  assert.deepEqual(statusOf({ 88: ["CLOSED"], ...summary("Temporarily closed") }), ["CLOSED", null]);
  assert.deepEqual(statusOf({ 88: ["Dogs allowed"], ...summary("Temporarily closed") }), [
    "CLOSED_TEMPORARILY",
    "Dogs allowed",
  ]);
  assert.deepEqual(statusOf({ 88: ["Permanently closed on Sundays"] }), [null, "Permanently closed on Sundays"]);
  assert.deepEqual(statusOf(summary("Closed ⋅ Opens 8 AM Mon")), [null, null]);
});

test("very many blanks within a text hold up nobody", async () => {
  const described = (words: string) => listing({ 32: [null, [null, words]] }).description;

  const longest = await longestTaskMs(async () => described(` Adler${" ".repeat(100_000)}Vaduz `));

  assertShort(longest);
  assert.equal(described(" \u200fAdler  Vaduz\u200e "), "Adler  Vaduz");
});
