import assert from "node:assert/strict";
import { test } from "node:test";
import { getCountries, getCountryCallingCode, Metadata, parsePhoneNumberFromString } from "libphonenumber-js/min";
import { formatAddress, joinStreet } from "./address.ts";
import { formatPhone, readEmail, readPhones, readProfile, readWebsite } from "./contacts.ts";
import { countryAt, countryName } from "../geography/country.ts";

function writtenPhones(values: readonly string[], country: string | null): string[] {
  return readPhones(values, country).map(formatPhone);
}

test("telephone numbers are stored in E.164, and one of an older import is written as it is", () => {
  assert.deepEqual(readPhones(["239 20 20", "+423 239 20 20", "239 20 21 ext. 5"], "LI"), [
    "+4232392020",
    "+4232392021;ext=5",
  ]);
  assert.deepEqual(["+4232392020", "+4232392021;ext=5", "+423 239 20 22", "+99912345678", "n/a"].map(formatPhone), [
    "+423 239 20 20",
    "+423 239 20 21 ext. 5",
    "+423 239 20 22",
    "+99912345678",
    "n/a",
  ]);
});

test("telephone numbers are shown as one dials them from abroad, each once", () => {
  const values = ["+423 239 20 20", "00423 2392020", "239 20 20", "call us", "", "9".repeat(61)];

  assert.deepEqual(writtenPhones(values, "LI"), ["+423 239 20 20"]);
  assert.deepEqual(writtenPhones(["239 20 20"], null), []);
  assert.deepEqual(writtenPhones(["239 20 20"], "ZZ"), []);
});

test("a number is read in the digits of its script, and in wide ones", () => {
  const numbers: [value: string, country: string, phone: string][] = [
    ["٠٢ ٢٥٧٧٥٩٣٥", "EG", "+20 2 25775935"],
    ["\u200e+٢٠ ٢ ٢٥٧٧٥٩٣٥", "EG", "+20 2 25775935"],
    ["۰۲۱ ۸۸۷۷ ۶۶۵۵", "IR", "+98 21 8877 6655"],
    ["０７５－２２２－０６３４", "JP", "+81 75 222 0634"],
    ["०२२ २२०२ ६३६४", "IN", "+91 22 2202 6364"],
  ];
  for (const [value, country, phone] of numbers) assert.deepEqual(writtenPhones([value], country), [phone], value);
});

test("a number keeps its extension, whichever language tells it", () => {
  const numbers: [value: string, country: string, phone: string][] = [
    ["514-521-3481 poste 3", "CA", "+1 514 521 3481 ext. 3"],
    ["(032) 235-12-34 дод. 5", "UA", "+380 322 351 234 ext. 5"],
    ["(11) 3812-1234 ramal 21", "BR", "+55 11 3812 1234 ext. 21"],
    ["0351 460-1234 interno 12", "AR", "+54 351 460 1234 ext. 12"],
    ["0232 421 12 34 dahili: 105", "TR", "+90 232 421 12 34 ext. 105"],
    ["02 252 1234 ต่อ 12", "TH", "+66 2 252 1234 ext. 12"],
    ["02-2321-1111 分機 23", "TW", "+886 2 2321 1111#23"],
    ["02-2321-1111轉23", "TW", "+886 2 2321 1111#23"],
    ["075-344-2871（内線12）", "JP", "+81 75 344 2871 ext. 12"],
    ["+43 1 58801 DW 41", "AT", "+43 1 58801 ext. 41"],
  ];
  for (const [value, country, phone] of numbers) assert.deepEqual(writtenPhones([value], country), [phone], value);
});

test("a number without its calling code is one of the territory's own", () => {
  assert.deepEqual(writtenPhones(["0262 20 12 34"], "RE"), ["+262 262 20 12 34"]);
  assert.deepEqual(writtenPhones(["292-1234"], "BM"), ["+1 441 292 1234"]);
});

test("a number that only callers at home can dial is none from abroad", () => {
  for (const [value, country] of [
    ["02-120", "KR"],
    ["0800", "DE"],
    ["0 212 444", "TR"],
    ["03 999", "AU"],
  ] as const) {
    assert.deepEqual(writtenPhones([value], country), [], value);
  }
  assert.deepEqual(writtenPhones(["06 6988 3145"], "IT"), ["+39 06 6988 3145"]);
  assert.deepEqual(writtenPhones(["02800"], "NO"), ["+47 02800"]);
});

test("a number with a plus sign is written as libphonenumber writes it, whichever country's it is", () => {
  const metadata = new Metadata();
  let seed = 1;
  const digit = () => (seed = (seed * 48_271) % 2_147_483_647) % 10;
  for (const country of getCountries()) {
    metadata.selectNumberingPlan(country);
    const lengths = metadata.numberingPlan?.possibleLengths() ?? [];
    assert.ok(lengths.length > 0, country);
    for (const length of [...lengths, ...lengths, (lengths.at(-1) ?? 0) + 1]) {
      const digits = Array.from({ length }, digit).join("");
      const number = `+${getCountryCallingCode(country)} (${digits.slice(0, 2)}) ${digits.slice(2, 5)}-${digits.slice(5)}`;
      const phone = parsePhoneNumberFromString(number);
      assert.deepEqual(
        writtenPhones([number], country),
        phone?.isPossible() ? [phone.formatInternational()] : [],
        number,
      );
    }
  }
});

test("a website is an address that can be followed, with or without a scheme", () => {
  const read: [string, string | null][] = [
    ["https://example.org/a", "https://example.org/a"],
    ["www.example.org", "https://www.example.org/"],
    ["example.org:8080/a", "https://example.org:8080/a"],
    ["http://example.org/a b?c={d}", "http://example.org/a%20b?c=%7Bd%7D"],
    ["https://example.org/a/../b", "https://example.org/b"],
    ["https://münchen.example.org/ä", "https://xn--mnchen-3ya.example.org/%C3%A4"],
    ["https://user:secret@example.org/a", "https://example.org/a"],
    ["https://user@example.org", "https://example.org/"],
    ["info@example.org", null],
    ["https://example.org/%zz", null],
    ["javascript:alert(1)", null],
    ["mailto:info@example.org", null],
    ["http://localhost/", null],
    ["none", null],
    ["", null],
    [`https://example.org/${"a".repeat(2048 - 20)}`, `https://example.org/${"a".repeat(2048 - 20)}`],
    [`https://example.org/${"a".repeat(2049 - 20)}`, null],
  ];
  for (const [value, expected] of read) assert.equal(readWebsite(value), expected, value.slice(0, 80));
});

test("an e-mail address is one that the schema takes", () => {
  assert.equal(readEmail("mailto:info@example.org"), "info@example.org");
  for (const value of ["info", "a@b", "ä@example.org", "a b@example.org"]) assert.equal(readEmail(value), null, value);
  assert.equal(readEmail(`${"a".repeat(254 - 12)}@example.org`)?.length, 254);
  assert.equal(readEmail(`${"a".repeat(255 - 12)}@example.org`), null);
});

test("a profile is shown by its address, also when the tag has a handle", () => {
  assert.equal(readProfile("instagram", "@adler.vaduz"), "https://www.instagram.com/adler.vaduz");
  assert.equal(readProfile("facebook", "https://www.facebook.com/adler"), "https://www.facebook.com/adler");
  assert.equal(readProfile("facebook", "www.facebook.com/adler"), "https://www.facebook.com/adler");
  assert.equal(readProfile("facebook", "Adler Vaduz"), null);
});

test("an address is written as its country writes it", () => {
  const parts = { city: "Ville", region: "Régio", postalCode: "1234" };
  const lines: [string | null, string][] = [
    ["DE", "Weg 5, 1234 Ville, Germany"],
    ["FR", "5 Weg, 1234 Ville, France"],
    ["US", "5 Weg, Ville, Régio 1234, United States"],
    ["GB", "5 Weg, Ville, 1234, United Kingdom"],
    ["BR", "Weg 5, Ville - Régio, 1234, Brazil"],
    [null, "Weg 5, 1234 Ville"],
  ];
  for (const [country, line] of lines) {
    const street = joinStreet("Weg", "5", country);
    assert.equal(formatAddress({ street, ...parts }, country, "en"), line);
  }
  assert.equal(formatAddress({ street: null, city: null, region: null, postalCode: null }, "DE", "en"), null);
  assert.equal(joinStreet(null, "5", "DE"), null);
});

test("what a place is called can hold whatever stands for a part of an address", () => {
  const address = { street: "Qbqb $1 $&", city: "Qeqe", region: null, postalCode: "Qa" };

  assert.equal(formatAddress(address, "DE", "en"), "Qbqb $1 $&, Qa Qeqe, Germany");
});

test("a point lies in a country, a country has a name in many languages", () => {
  assert.deepEqual([countryAt(47.14, 9.52), countryAt(30, -40), countryAt(90, 0)], ["LI", null, null]);
  assert.deepEqual(
    [countryName("AT", "fr"), countryName("AT", "x-none"), countryName("constructor", "en")],
    ["Autriche", "Austria", null],
  );
});

test("numbers written side by side are split, and never fused", () => {
  const cases: [string, string[]][] = [
    ["239 20 20, 239 20 21", ["+423 239 20 20", "+423 239 20 21"]],
    ["239 20 20 / 239 20 21", ["+423 239 20 20", "+423 239 20 21"]],
    ["239 20 20 or 239 20 21", ["+423 239 20 20", "+423 239 20 21"]],
    ["+423 239 20 20 +423 239 20 21", ["+423 239 20 20", "+423 239 20 21"]],
    ["+4232392020+4232392021", ["+423 239 20 20", "+423 239 20 21"]],
    ["+423 (0) 239 20 20", ["+423 239 20 20"]],
    ["239 20 20/21", ["+423 239 20 20"]],
    ["call us", []],
  ];
  for (const [value, phones] of cases) assert.deepEqual(writtenPhones([value], "LI"), phones, value);
  assert.deepEqual(writtenPhones(["0664/1234567"], "AT"), ["+43 664 1234567"]);
  assert.deepEqual(writtenPhones(["+39 (0)6 6982 1234"], "IT"), ["+39 06 6982 1234"]);
});
