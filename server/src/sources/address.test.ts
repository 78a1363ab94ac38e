import assert from "node:assert/strict";
import { test } from "node:test";
import { formatAddress, joinStreet } from "./address.ts";
import { countryName } from "./country.ts";

const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ".split("");
const countries = letters
  .flatMap((first) => letters.map((second) => first + second))
  .filter((code) => countryName(code, "en") !== null);

test("no country writes a hyphen, a comma or a dot where a part is missing", () => {
  assert.ok(countries.length > 240);
  for (const country of countries) {
    for (let parts = 1; parts < 16; parts += 1) {
      const told = (bit: number, text: string) => (parts & bit ? text : null);
      const [street, city] = [told(1, "Weg"), told(2, "Ville")];
      const [region, postalCode] = [told(4, "Régio"), told(8, "12")];

      const line = formatAddress({ street, city, region, postalCode }, country, "en") ?? "";

      assert.doesNotMatch(line, /^[\s,-]|[\s,-]$|[,-]\s*[,-]|\s\s|\s\./, country);
      for (const part of [street, city, postalCode]) assert.ok(line.includes(part ?? ""), line);
    }
  }
});

test("a street is the road and its number, and no country's name", () => {
  for (const country of countries) {
    assert.match(joinStreet("Weg", "5", country) ?? "", /^(?:Weg,? 5\.?|5,? Weg)$/, country);
  }
});

test("an address is written as in its country, and in a territory under its own name", () => {
  const parts = { city: "Ville", region: "Régio", postalCode: "1234" };
  const lines: [string, string][] = [
    ["PR", "5 Weg, Ville, Régio 1234, Puerto Rico"],
    ["RE", "5 Weg, 1234 Ville, Réunion"],
    ["JE", "5 Weg, Ville, 1234, Jersey"],
    ["AX", "Weg 5, 1234 Ville, Åland Islands"],
    ["HU", "1234 Ville, Weg 5., Hungary"],
  ];
  for (const [country, line] of lines) {
    const street = joinStreet("Weg", "5", country);
    assert.equal(formatAddress({ street, ...parts }, country, "en"), line);
  }
});
