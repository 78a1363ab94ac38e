import assert from "node:assert/strict";
import { test } from "node:test";
import { crc32 } from "node:zlib";
import { newKeyText, parseKeyText } from "./api-key.ts";

test("a new key has the documented form and reads back", () => {
  for (const environment of ["live", "test"] as const) {
    const { text, publicPart } = newKeyText(environment);

    assert.match(text, new RegExp(`^svc_${environment}_[0-9A-Za-z]{8}_[0-9A-Za-z]{38}$`));
    assert.deepEqual(parseKeyText(text), { text, environment, publicPart });
  }
});

// Written anew from the documented rule, not with the code under test.
test("the checksum is the CRC-32 of everything before it, in base62, padded to six", () => {
  const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
  const { text } = newKeyText("live");
  let rest = BigInt(crc32(text.slice(0, -6)));
  let expected = "";
  for (let digit = 0; digit < 6; digit += 1) {
    expected = alphabet.charAt(Number(rest % 62n)) + expected;
    rest /= 62n;
  }

  assert.equal(text.slice(-6), expected);
  assert.equal(parseKeyText(`svc_live_00000000_${"0".repeat(32)}000000`), undefined);
});

test("a key with any one character changed is refused without being looked up", () => {
  const { text } = newKeyText("test");
  for (let at = 0; at < text.length; at += 1) {
    const other = text.charAt(at) === "x" ? "y" : "x";
    assert.equal(parseKeyText(text.slice(0, at) + other + text.slice(at + 1)), undefined, `character ${at}`);
  }
  for (const bad of ["", " ", ` ${text}`, `${text} `, text.slice(1), `${text}0`, text.toUpperCase(), `${text}\n`]) {
    assert.equal(parseKeyText(bad), undefined);
  }
});
