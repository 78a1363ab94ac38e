import assert from "node:assert/strict";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { assertFails, until } from "../../../test/outbound.ts";
import { createResolver } from "./resolver.ts";

type Zone = Record<string, { a?: number[]; aaaa?: number[]; code?: number } | "silent">;

const patient = new AbortController().signal;

test("a name has all its addresses of both kinds", async (t) => {
  const { resolve } = await openResolver(t, {
    "both.test": { a: [93, 184, 216, 34], aaaa: [0x2600, 0, 0, 0, 0, 0, 0, 1] },
    "four.test": { a: [93, 184, 216, 34] },
    "six.test": { aaaa: [0x2600, 0, 0, 0, 0, 0, 0, 1] },
  });

  assert.deepEqual(await resolve("both.test", patient), ["93.184.216.34", "2600::1"]);
  assert.deepEqual(await resolve("four.test", patient), ["93.184.216.34"]);
  assert.deepEqual(await resolve("six.test", patient), ["2600::1"]);
});

test("a name that has no address is told apart from one that nobody could look up", async (t) => {
  const { resolve } = await openResolver(t, {
    "empty.test": {},
    "missing.test": { code: 3 },
    "broken.test": { code: 2 },
  });
  const noServer = createResolver({ hostsFile: "/nowhere", nameServers: ["127.0.0.1:1"] });

  await assertFails(resolve("empty.test", patient), "name_not_found");
  await assertFails(resolve("missing.test", patient), "name_not_found");
  await assertFails(resolve("broken.test", patient), "resolver_failed");
  await assertFails(noServer("any.test", patient), "resolver_failed");
});

test("a question that is never answered ends with the signal", async (t) => {
  const { resolve, asked } = await openResolver(t, { "silent.test": "silent" });
  const caller = new AbortController();

  const ended = assertFails(resolve("silent.test", caller.signal), "resolver_failed");
  await until(() => asked.length >= 2);
  caller.abort();

  await ended;
});

test("the hosts file comes first, and the DNS is not asked for what it lists", async (t) => {
  const hosts = "# 10.0.0.1 four.test\n10.0.0.2\tother.test  Four.Test # here\n::1 four.test\nnonsense four.test\n";
  const { resolve, asked } = await openResolver(t, { "four.test": { a: [93, 184, 216, 34] } }, { hosts });

  assert.deepEqual(await resolve("four.test", patient), ["10.0.0.2", "::1"]);
  assert.deepEqual(asked, []);
});

test("a name of this machine is the system's to know", async (t) => {
  const { resolve, asked } = await openResolver(t, {});

  const addresses = await resolve("localhost", patient);

  assert.ok(addresses.length > 0 && addresses.every((address) => ["127.0.0.1", "::1"].includes(address)));
  assert.deepEqual(asked, []);
});

test("no more questions are open at once than allowed, and one that waits ends with its signal", async (t) => {
  const { resolve, asked } = await openResolver(
    t,
    { "silent.test": "silent", "four.test": { a: [93, 184, 216, 34] } },
    { queriesMax: 1, quickMs: 60_000 },
  );
  const [first, second] = [new AbortController(), new AbortController()];
  const silent = assertFails(resolve("silent.test", first.signal), "resolver_failed");
  await until(() => asked.length >= 2);

  const given = assertFails(resolve("four.test", second.signal), "resolver_failed");
  second.abort();
  await given;
  const waiting = resolve("four.test", patient);
  assert.ok(!asked.includes("four.test"));
  first.abort();

  await silent;
  assert.deepEqual(await waiting, ["93.184.216.34"]);
});

test("names whose servers are silent hold up no other name, and so many of them are waited for", async (t) => {
  const { resolve } = await openResolver(
    t,
    { "silent.test": "silent", "four.test": { a: [93, 184, 216, 34] } },
    { queriesMax: 1, quickMs: 20, overdueMax: 2 },
  );
  const caller = new AbortController();
  let ended = 0;
  const silent = [0, 1].map(async () => {
    await assertFails(resolve("silent.test", caller.signal), "resolver_failed");
    ended += 1;
  });

  assert.deepEqual(await resolve("four.test", patient), ["93.184.216.34"]);
  await assertFails(resolve("silent.test", patient), "resolver_failed"); // there is no place for a third
  assert.equal(ended, 0);

  caller.abort();
  await Promise.all(silent);
});

async function openResolver(
  t: TestContext,
  zone: Zone,
  { hosts = "", ...options }: { hosts?: string; queriesMax?: number; quickMs?: number; overdueMax?: number } = {},
) {
  const folder = mkdtempSync(join(tmpdir(), "waypost-hosts-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const hostsFile = join(folder, "hosts");
  writeFileSync(hostsFile, hosts);
  const { port, asked } = await startNameServer(t, zone);
  return { resolve: createResolver({ hostsFile, nameServers: [`127.0.0.1:${port}`], ...options }), asked };
}

/** A name server on loopback that knows a few names. */
async function startNameServer(t: TestContext, zone: Zone): Promise<{ port: number; asked: string[] }> {
  const asked: string[] = [];
  const socket = createSocket("udp4");
  socket.on("message", (query, { port, address }) => {
    const { name, end } = nameIn(query);
    asked.push(name);
    const entry = zone[name] ?? { code: 3 };
    if (entry === "silent") return;
    const isSix = query.readUInt16BE(end) === 28;
    const data = isSix ? entry.aaaa?.flatMap((group) => [group >> 8, group & 0xff]) : entry.a;
    const header = Buffer.from(query.subarray(0, 12));
    header.writeUInt16BE(0x8180 | (entry.code ?? 0), 2);
    [1, data ? 1 : 0, 0, 0].forEach((count, index) => header.writeUInt16BE(count, 4 + index * 2));
    const answer = data ? [0xc0, 12, 0, isSix ? 28 : 1, 0, 1, 0, 0, 0, 60, 0, data.length, ...data] : [];
    socket.send(Buffer.concat([header, query.subarray(12, end + 4), Buffer.from(answer)]), port, address);
  });
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  t.after(() => socket.close());
  return { port: socket.address().port, asked };
}

function nameIn(query: Buffer): { name: string; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString("latin1", at + 1, at + 1 + length).toLowerCase());
    at += 1 + length;
  }
  return { name: labels.join("."), end: at + 1 };
}
