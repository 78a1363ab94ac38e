import assert from "node:assert/strict";
import { test } from "node:test";
import { displayString } from "./display-string.ts";

test("a text becomes a display string of ASCII, cut between two characters", () => {
  assert.equal(displayString("Cafe in Vaduz"), '%"Cafe in Vaduz"');
  assert.equal(displayString('100 % "Café"'), '%"100 %25 %22Caf%c3%a9%22"');
  assert.equal(displayString("a".repeat(509)).length, 512);
  assert.equal(displayString("a".repeat(600)).length, 512);
  const cut = displayString("é".repeat(600));
  assert.ok(cut.length <= 512 && /^%"(%c3%a9)+"$/.test(cut), cut);
});
