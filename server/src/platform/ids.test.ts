import assert from "node:assert/strict";
import { test } from "node:test";
import { idFromUuid, idPattern, newId, newUuid, timeOfUuid, uuidFromId } from "./ids.ts";

test("an id carries its UUID there and back", () => {
  for (let round = 0; round < 1_000; round += 1) {
    const uuid = newUuid();
    assert.equal(uuidFromId("key", idFromUuid("key", uuid)), uuid);
  }
});

// The examples of the TypeID specification, version 0.3.
test("ids are written as the TypeID specification writes them", () => {
  assert.equal(idFromUuid("key", "00000000-0000-0000-0000-000000000000"), "key_00000000000000000000000000");
  assert.equal(idFromUuid("key", "00000000-0000-0000-0000-000000000001"), "key_00000000000000000000000001");
  assert.equal(idFromUuid("key", "0110c853-1d09-52d8-d73e-1194e95b5f19"), "key_0123456789abcdefghjkmnpqrs");
  assert.equal(idFromUuid("key", "ffffffff-ffff-ffff-ffff-ffffffffffff"), "key_7zzzzzzzzzzzzzzzzzzzzzzzzz");
});

test("a new id matches its published pattern and is a UUID of version 7", () => {
  const id = newId("req");

  assert.match(id, new RegExp(idPattern("req")));
  assert.match(newUuid(), /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});

test("ten thousand ids made at once are ten thousand", () => {
  assert.equal(new Set(Array.from({ length: 10_000 }, () => newId("req"))).size, 10_000);
});

test("ids of one moment sort in the order in which they were made, between those of the moments around it", () => {
  const now = Date.parse("2026-11-19T12:00:00Z");
  const ids = [now - 1, ...Array.from({ length: 4_096 }, () => now), now + 1].map((ms) => newUuid(new Date(ms)));

  assert.deepEqual(ids, ids.toSorted());
  assert.equal(timeOfUuid(ids[1_000] ?? ""), now);
});

test("what is not an id of the prefix has no UUID", () => {
  const good = newId("key");
  const bad = [
    "",
    "key_",
    good.slice(0, -1),
    `${good}0`,
    good.replace("key_", "req_"),
    good.toUpperCase(),
    `key_8${"0".repeat(25)}`, // more than 128 bits
    `key_${"u".repeat(26)}`, // u is not in the alphabet
    "key_0000000000000000000000000\u0000",
  ];

  for (const id of bad) assert.equal(uuidFromId("key", id), undefined, id);
});
