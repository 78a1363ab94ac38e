import assert from "node:assert/strict";
import { test } from "node:test";
import { languageOfCountry } from "./implied-languages.ts";

test("the language of a country is the one most people speak, where we have it", () => {
  const languages: [countryCode: string, language: string | undefined][] = [
    ["PL", "pl"],
    ["TW", "zh-tw"],
    ["CN", "zh-cn"],
    ["IL", "he"],
    ["NO", "no"],
    ["US", undefined],
    ["GE", "ka"],
    ["MN", "mn"],
    ["BT", "dz"],
    ["GL", undefined], // Greenlandic is not among ours
    ["1X", undefined],
  ];
  for (const [countryCode, language] of languages) assert.equal(languageOfCountry(countryCode), language, countryCode);
});
