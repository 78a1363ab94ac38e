import assert from "node:assert/strict";
import { test } from "node:test";
import { createNetworkCheck, parseNetwork } from "./networks.ts";

test("a block holds its first and last address and not their neighbors", () => {
  const inside = createNetworkCheck(["192.0.2.16/28", "2001:db8:0:10::/60", "198.51.100.7"]);

  for (const address of [
    "192.0.2.16",
    "192.0.2.31",
    "2001:db8:0:10::",
    "2001:db8:0:1f:ffff:ffff:ffff:ffff",
    "198.51.100.7",
  ]) {
    assert.equal(inside(address), true, address);
  }
  for (const address of ["192.0.2.15", "192.0.2.32", "2001:db8:0:f::1", "2001:db8:0:20::", "198.51.100.8", "::1"]) {
    assert.equal(inside(address), false, address);
  }
});

test("IPv4 inside IPv6 counts as IPv4", () => {
  const inside = createNetworkCheck(["10.0.0.0/8"]);

  assert.equal(inside("::ffff:10.1.2.3"), true);
  assert.equal(inside("::FFFF:10.1.2.3"), true);
  assert.equal(inside("::ffff:11.1.2.3"), false);
});

test("what is not a block is not read as one", () => {
  for (const text of [
    "",
    "10.0.0.0/33",
    "10.0.0/8",
    "::/129",
    "10.0.0.0/",
    "10.0.0.0/8/8",
    "10.0.0.0/-1",
    "fe80::1%eth0",
    "example.com",
    "10.0.0.0/08a",
  ]) {
    assert.equal(parseNetwork(text), undefined, text);
  }
  assert.deepEqual(parseNetwork("0.0.0.0/0"), { address: "0.0.0.0", prefix: 0, family: "ipv4" });
  assert.deepEqual(parseNetwork("::/0"), { address: "::", prefix: 0, family: "ipv6" });
});
