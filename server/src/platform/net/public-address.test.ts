import assert from "node:assert/strict";
import { test } from "node:test";
import { isPublicAddress, isSameAddress } from "./public-address.ts";

// A block's first and last address, then the neighbors before and after it. A neighbor that
// belongs to another block, or lies outside 2000::/3, is left out.
const blocks: [first: string, last: string, ...neighbors: string[]][] = [
  ["0.0.0.0", "0.255.255.255", "1.0.0.0"],
  ["10.0.0.0", "10.255.255.255", "9.255.255.255", "11.0.0.0"],
  ["100.64.0.0", "100.127.255.255", "100.63.255.255", "100.128.0.0"],
  ["127.0.0.0", "127.255.255.255", "126.255.255.255", "128.0.0.0"],
  ["168.63.129.16", "168.63.129.16", "168.63.129.15", "168.63.129.17"],
  ["169.254.0.0", "169.254.255.255", "169.253.255.255", "169.255.0.0"],
  ["172.16.0.0", "172.31.255.255", "172.15.255.255", "172.32.0.0"],
  ["192.0.0.0", "192.0.0.255", "191.255.255.255", "192.0.1.0"],
  ["192.0.2.0", "192.0.2.255", "192.0.1.255", "192.0.3.0"],
  ["192.88.99.0", "192.88.99.255", "192.88.98.255", "192.88.100.0"],
  ["192.168.0.0", "192.168.255.255", "192.167.255.255", "192.169.0.0"],
  ["198.18.0.0", "198.19.255.255", "198.17.255.255", "198.20.0.0"],
  ["198.51.100.0", "198.51.100.255", "198.51.99.255", "198.51.101.0"],
  ["203.0.113.0", "203.0.113.255", "203.0.112.255", "203.0.114.0"],
  ["224.0.0.0", "239.255.255.255", "223.255.255.255"],
  ["240.0.0.0", "255.255.255.255"],
  ["::", "1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "2000::"],
  ["2001::", "2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff", "2000:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "2001:200::"],
  ["2001:db8::", "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff", "2001:db7:ffff:ffff:ffff:ffff:ffff:ffff", "2001:db9::"],
  ["2002::", "2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "2001:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "2003::"],
  ["2620:4f:8000::", "2620:4f:8000:ffff:ffff:ffff:ffff:ffff", "2620:4f:7fff:ffff::", "2620:4f:8001::"],
  ["3fff::", "3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff", "3ffe:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "3fff:1000::"],
  ["4000::", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "3fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"],
];

test("a block that is not public ends exactly where the registry says", () => {
  for (const [first, last, ...neighbors] of blocks) {
    for (const address of [first, last]) assert.equal(isPublicAddress(address), false, address);
    for (const address of neighbors) assert.equal(isPublicAddress(address), true, address);
  }
});

test("ordinary addresses of the Internet are public", () => {
  const addresses = [
    "1.1.1.1",
    "8.8.8.8",
    "9.9.9.9",
    "93.184.216.34",
    "151.101.1.140",
    "185.199.108.153",
    "216.58.212.46",
    "192.31.196.1",
    "192.52.193.1",
    "192.175.48.1",
    "100.0.0.1",
    "172.217.16.142",
    "169.1.1.1",
    "198.41.0.4",
    "2606:4700:4700::1111",
    "2001:4860:4860::8888",
    "2620:fe::fe",
    "2a00:1450:4001:80b::200e",
    "2600::",
    "3000::1",
    "2400:cb00::1",
    "2c0f:fb50::1",
    "2001:500:9f::42",
    "2a02:26f0:0:0:0:0:0:1",
    "2A00:1450::1",
    "2600::5efe:0:0:0",
  ];

  for (const address of addresses) assert.equal(isPublicAddress(address), true, address);
});

test("an IPv4 address inside an IPv6 address is held to the same rule", () => {
  const hidden = [
    "::ffff:127.0.0.1",
    "::ffff:7f00:1",
    "::FFFF:10.0.0.1",
    "0:0:0:0:0:ffff:192.168.0.1",
    "::ffff:0:169.254.169.254",
    "::127.0.0.1",
    "::10.1.2.3",
    "64:ff9b::127.0.0.1",
    "64:ff9b::a9fe:a9fe",
    "64:ff9b:1::10.0.0.1",
    "64:ff9b:1:ffff::1",
    "2002:7f00:1::",
    "2002:0a00:0001::1",
    "2002:c0a8:101::",
    "2001:0:4136:e378:8000:63bf:80ff:fffe",
    "2600::5efe:127.0.0.1",
    "2600:1:2:3:0:5efe:10.0.0.1",
    "2600::200:5efe:192.168.1.1",
    "2600::100:5efe:a9fe:a9fe",
    "2600::300:5efe:7f00:1",
    "fe80::5efe:8.8.8.8",
  ];

  for (const address of hidden) assert.equal(isPublicAddress(address), false, address);
  assert.equal(isPublicAddress("2600::5efe:8.8.8.8"), true);
  assert.equal(isPublicAddress("2600::400:5efe:7f00:1"), true);
});

test("what is not an address is not public", () => {
  for (const text of [
    "",
    "localhost",
    "1.2.3",
    "1.2.3.4.5",
    "8.8.8.8%eth0",
    "2600::1%eth0",
    "[2600::1]",
    "2600::g",
    "0x8.8.8.8",
  ])
    assert.equal(isPublicAddress(text), false, text);
});

test("two spellings of one address are the same, and two addresses are not", () => {
  assert.ok(isSameAddress("2600::1", "2600:0:0:0:0:0:0:1"));
  assert.ok(isSameAddress("::FFFF:127.0.0.1", "::ffff:7f00:1"));
  assert.ok(!isSameAddress("2600::1", "2600::2"));
  assert.ok(!isSameAddress("127.0.0.1", "::ffff:127.0.0.1"));
  assert.ok(!isSameAddress("127.0.0.1", ""));
});
