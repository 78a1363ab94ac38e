import assert from "node:assert/strict";
import { test } from "node:test";
import { createKeyRing, sealedUnder, UnknownKey } from "./sealing.ts";

const first = "the first master key of this test file";
const second = "the second master key of this test file";

test("what is sealed can be opened with the same key and context, and with no other", () => {
  const ring = createKeyRing([first]);
  const [keyId = ""] = ring.ids;

  const sealed = ring.seal(keyId, "whsec_ü", "row 1");

  assert.equal(ring.open(sealed, "row 1"), "whsec_ü");
  assert.throws(() => ring.open(sealed, "row 2"));
  assert.throws(() => createKeyRing([second]).open(sealed, "row 1"), UnknownKey);
  assert.ok(!sealed.includes("whsec_"));
});

test("a sealed value that was changed in any byte cannot be opened", () => {
  const ring = createKeyRing([first]);
  const sealed = ring.seal(ring.ids[0] ?? "", "secret", "row");

  for (let at = 0; at < sealed.length; at += 1) {
    const changed = Buffer.from(sealed);
    changed[at] = (changed[at] ?? 0) ^ 1;
    assert.throws(() => ring.open(changed, "row"), `byte ${at}`);
  }
  for (let length = 0; length < sealed.length; length += 1) {
    assert.throws(() => ring.open(sealed.subarray(0, length), "row"), `${length} bytes`);
  }
});

test("the same secret is sealed differently each time", () => {
  const ring = createKeyRing([first]);
  const seal = () => ring.seal(ring.ids[0] ?? "", "secret", "row").toString("hex");

  assert.equal(new Set(Array.from({ length: 50 }, seal)).size, 50);
});

test("a ring of two keys opens what either sealed, and says under which", () => {
  const old = createKeyRing([second]);
  const both = createKeyRing([first, second]);
  const sealed = old.seal(old.ids[0] ?? "", "secret", "row");

  assert.equal(both.open(sealed, "row"), "secret");
  assert.equal(sealedUnder(sealed), both.ids[1]);
  assert.notEqual(both.ids[0], both.ids[1]);
});
