import assert from "node:assert/strict";
import { test } from "node:test";
import { formatAddress, joinStreet } from "./address.ts";
import { countryName } from "../geography/country.ts";

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

test("an address in Chinese or Japanese signs goes from the widest part to the number, without blanks", () => {
  const kyoto = { street: "真町94", suburb: "下京区", city: "京都市", region: "京都府", postalCode: "600-8001" };
  const full = { street: "106臺北市大安區永康街10號", city: "大安區", region: "臺北市", postalCode: "106" };
  const taipei = { street: joinStreet("忠孝東路四段", "45號", "TW"), suburb: "大安區", city: "臺北市", region: null };

  assert.equal(formatAddress(kyoto, "JP", "en"), "Japan, 〒600-8001 京都府京都市下京区真町94");
  assert.equal(formatAddress(full, "TW", "en"), "Taiwan, 106臺北市大安區永康街10號");
  assert.equal(formatAddress({ ...taipei, postalCode: "106" }, "TW", "en"), "Taiwan, 106 臺北市大安區忠孝東路四段45號");
});

test("an address names the part of a town where its country does, and nothing twice", () => {
  const saoPaulo = { street: "Rua Harmonia 303", suburb: "Vila Madalena", city: "São Paulo", region: "SP" };
  const lagos = { street: "12 Allen Avenue, Ikeja, Lagos 100271", city: "Lagos", region: null, postalCode: "100271" };

  assert.equal(
    formatAddress({ ...saoPaulo, postalCode: "05435-000" }, "BR", "en"),
    "Rua Harmonia 303, Vila Madalena, São Paulo - SP, 05435-000, Brazil",
  );
  assert.equal(formatAddress(lagos, "NG", "en"), "12 Allen Avenue, Ikeja, Lagos 100271, Nigeria");
});

test("a city-state, a city that is its own region and an island that is its own country are named once", () => {
  const valletta = { street: "5 Weg", city: "Valletta", region: "Malta", postalCode: "VLT 1234" };
  const monaco = { street: "5 Weg", suburb: "Monaco", city: "Monaco", region: "Monaco", postalCode: "98000" };
  const cordoba = { street: null, city: "Córdoba", region: "Córdoba", postalCode: "14001" };
  const island = { street: null, city: null, region: "Malta", postalCode: null };

  assert.equal(formatAddress(valletta, "MT", "en"), "5 Weg, Valletta, VLT 1234, Malta");
  assert.equal(formatAddress(monaco, "MC", "en"), "5 Weg, 98000 Monaco");
  assert.equal(formatAddress(cordoba, "ES", "en"), "14001 Córdoba, Spain");
  assert.equal(formatAddress(island, "MT", "en"), "Malta");
  assert.equal(
    formatAddress({ ...cordoba, city: "Arinsal, Andorra", region: null }, "AD", "en"),
    "14001 Arinsal, Andorra",
  );
  assert.equal(formatAddress({ ...island, street: "5 Weg, Monaco", region: null }, "MC", "en"), "5 Weg, Monaco");
});
