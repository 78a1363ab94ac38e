import assert from "node:assert/strict";
import { test } from "node:test";
import { startHttp } from "../../../test/local-servers.ts";
import { assertFails, openOutbound, until } from "../../../test/outbound.ts";

const usual = { deadlineMs: 5000, bytesMax: 10_000, protocols: ["http:", "https:"] as const };

test("an answer comes back with its status, headers, body and URL", async (t) => {
  const { port } = await startHttp(t, (request, response) => {
    response.writeHead(
      404,
      [
        ["X-Seen", `${request.method} ${request.url}`],
        ["X-Many", "a"],
        ["X-Many", "b"],
      ].flat(),
    );
    request.pipe(response);
  });
  const outbound = openOutbound(t);

  const answer = await outbound.request({
    ...usual,
    url: `http://127.0.0.1:${port}/a?b=c#d`,
    method: "PUT",
    body: "hello",
  });

  assert.equal(answer.status, 404);
  assert.equal(answer.headers["x-seen"], "PUT /a?b=c");
  assert.equal(answer.headers["x-many"], "a, b");
  assert.equal(answer.body.toString(), "hello");
  assert.equal(answer.truncated, false);
  assert.equal(answer.url, `http://127.0.0.1:${port}/a?b=c#d`);
});

test("HTTPS alone is spoken unless told otherwise, and only to the ports that are named", async (t) => {
  const { port, connections } = await startHttp(t, (_request, response) => void response.end());
  const outbound = openOutbound(t);
  const { deadlineMs, bytesMax } = usual;
  const url = `http://127.0.0.1:${port}/`;

  await assertFails(outbound.request({ url, deadlineMs, bytesMax }), "bad_url");
  await assertFails(outbound.request({ ...usual, url, ports: [443, 8443] }), "bad_url");
  await assertFails(outbound.check(url), "bad_url");
  await assertFails(outbound.check(`https://127.0.0.1:${port}/`, { ports: [443] }), "bad_url");
  assert.equal(connections.length, 0);
  await outbound.check("https://127.0.0.1/", { ports: [443] });
  await outbound.request({ ...usual, url, ports: [port] });
  assert.equal(connections.length, 1);
});

test("a block that the operator allows is reached, and nothing beside it", async (t) => {
  const { port, connections } = await startHttp(t, (_request, response) => void response.end(), "0.0.0.0");
  const outbound = openOutbound(t, { allow: ["127.0.0.4/30"] });

  for (const host of ["127.0.0.4", "127.0.0.7", "[::ffff:127.0.0.5]"])
    await outbound.request({ ...usual, url: `http://${host}:${port}/` });
  assert.equal(connections.length, 3);
  for (const host of ["127.0.0.3", "127.0.0.8", "127.0.0.1", "0.0.0.0", "10.0.0.1", "[::1]", "[64:ff9b::127.0.0.5]"])
    await assertFails(outbound.request({ ...usual, url: `http://${host}:${port}/` }), "not_public");
  assert.equal(connections.length, 3);
});

test("a block that the operator allows with a port is reached on that port alone", async (t) => {
  const { port, connections } = await startHttp(t, (_request, response) => void response.end());
  const other = await startHttp(t, (_request, response) => void response.end());
  const outbound = openOutbound(t, { allow: [`127.0.0.0/8:${port}`] });

  await outbound.request({ ...usual, url: `http://127.0.0.1:${port}/` });
  await assertFails(outbound.request({ ...usual, url: `http://127.0.0.1:${other.port}/` }), "not_public");
  assert.deepEqual([connections.length, other.connections.length], [1, 0]);
});

test("a name is looked up once for a request, and what it answers later changes nothing", async (t) => {
  const { port } = await startHttp(t, (request, response) => void response.end(request.socket.localAddress), "0.0.0.0");
  const answers = [["127.0.0.1"], ["127.0.0.2"]];
  const lookups: string[] = [];
  const outbound = openOutbound(t, {
    allow: ["127.0.0.1/32"],
    lookup: async (hostname) => answers[lookups.push(hostname) - 1] ?? [],
  });

  const answer = await outbound.request({ ...usual, url: `http://rebinding.test:${port}/` });

  assert.equal(answer.body.toString(), "127.0.0.1");
  assert.deepEqual(lookups, ["rebinding.test"]);
});

test("a host that ends with a dot is refused, whatever its name stands for", async (t) => {
  const outbound = openOutbound(t, { allow: [], lookup: async () => ["93.184.216.34"] });

  await outbound.check("https://cafe-sonne.ch/");
  await assertFails(outbound.check("https://cafe-sonne.ch./"), "bad_url");
});

test("a name that was public when it was checked and is private now is not reached", async (t) => {
  const { port, connections } = await startHttp(t, (_request, response) => void response.end());
  const answers = [["93.184.216.34"], ["127.0.0.1"]];
  const outbound = openOutbound(t, { allow: [], lookup: async () => answers.shift() ?? [] });
  const url = `http://rebinding.test:${port}/`;

  await outbound.check(url, usual);
  await assertFails(outbound.request({ ...usual, url }), "not_public");

  assert.equal(connections.length, 0);
});

test("a kept connection is used again while its name stands for the same addresses, and not after", async (t) => {
  const { port, connections } = await startHttp(
    t,
    (request, response) => void response.end(request.socket.localAddress),
    "0.0.0.0",
  );
  let addresses = ["127.0.0.1"];
  const outbound = openOutbound(t, { allow: ["127.0.0.1/32", "127.0.0.3/32"], lookup: async () => addresses });
  const request = { ...usual, url: `http://kept.test:${port}/`, keepAlive: true };

  for (let count = 0; count < 10; count += 1) await outbound.request(request);
  const kept = connections.length;
  assert.ok(kept <= 2); // undici opens a second one while the first finishes its answer
  addresses = ["127.0.0.2"];
  await assertFails(outbound.request(request), "not_public");
  addresses = ["127.0.0.3"];
  assert.equal((await outbound.request(request)).body.toString(), "127.0.0.3");
  assert.equal(connections.length, kept + 1);
});

test("without keep-alive every request has a connection of its own", async (t) => {
  const { port, connections } = await startHttp(t, (_request, response) => void response.end());
  const outbound = openOutbound(t);

  for (let count = 0; count < 3; count += 1) await outbound.request({ ...usual, url: `http://127.0.0.1:${port}/` });

  assert.equal(connections.length, 3);
  await until(() => connections.every((socket) => socket.destroyed));
});

test("when the first address of a name refuses, the next is tried", async (t) => {
  const { port } = await startHttp(t, (_request, response) => void response.end("here"), "127.0.0.2");
  const outbound = openOutbound(t, { lookup: async () => ["127.0.0.1", "127.0.0.2"] });

  const answer = await outbound.request({ ...usual, url: `http://two.test:${port}/` });

  assert.equal(answer.body.toString(), "here");
});

test("redirects are followed only as often as the caller says, and otherwise handed back", async (t) => {
  const { port } = await startHttp(t, (request, response) => {
    const step = Number(request.url?.slice(1));
    if (step === 3) return response.end("arrived");
    return response.writeHead(302, { Location: `/${step + 1}` }).end();
  });
  const outbound = openOutbound(t);
  const request = { ...usual, url: `http://127.0.0.1:${port}/0` };

  assert.equal((await outbound.request(request)).status, 302);
  await assertFails(outbound.request({ ...request, redirectsMax: 2 }), "too_many_redirects");
  const answer = await outbound.request({ ...request, redirectsMax: 3 });
  assert.equal(answer.body.toString(), "arrived");
  assert.equal(answer.url, `http://127.0.0.1:${port}/3`);
});

test("a redirect to a path that is not escaped leads where a browser goes", async (t) => {
  const { port } = await startHttp(t, (request, response) => {
    const path = decodeURIComponent(request.url ?? "");
    if (path !== "/utf-8" && path !== "/latin-1") return response.end(request.url);
    return response.writeHead(302, { Location: path === "/utf-8" ? latin1Of("/über uns/☎") : "/caf\u00e9" }).end();
  });
  const outbound = openOutbound(t);
  const read = async (path: string) =>
    (await outbound.request({ ...usual, url: `http://127.0.0.1:${port}${path}`, redirectsMax: 1 })).body.toString();

  assert.equal(await read("/utf-8"), encodeURI("/über uns/☎"));
  assert.equal(await read("/latin-1"), encodeURI("/café"));
});

/** Node sends a header's characters as bytes. */
function latin1Of(text: string): string {
  return Buffer.from(text, "utf8").toString("latin1");
}

test("a redirect is checked like the URL it came from", async (t) => {
  const hidden = await startHttp(t, (_request, response) => void response.end("secret"), "0.0.0.0");
  const { port } = await startHttp(t, (request, response) => {
    response.writeHead(307, { Location: decodeURIComponent(request.url?.slice(1) ?? "") }).end();
  });
  const outbound = openOutbound(t, { allow: ["127.0.0.1/32"], lookup: async () => ["127.0.0.9"] });
  const expected = [
    [`http://127.0.0.2:${hidden.port}/`, "not_public"],
    [`http://[::1]:${hidden.port}/`, "not_public"],
    [`http://0x7f.2:${hidden.port}/`, "not_public"],
    [`//127.0.0.2:${hidden.port}/`, "not_public"],
    [`http://inside.test:${hidden.port}/`, "not_public"],
    [`http://user:word@127.0.0.1:${hidden.port}/`, "bad_url"],
    [`ftp://127.0.0.1:${hidden.port}/`, "bad_url"],
    ["http://", "bad_url"],
  ] as const;

  for (const [location, reason] of expected) {
    const url = `http://127.0.0.1:${port}/${encodeURIComponent(location)}`;
    await assertFails(outbound.request({ ...usual, url, redirectsMax: 3 }), reason);
  }
  assert.equal(hidden.connections.length, 0);
});

test("a redirected POST becomes a GET, keeps its body on 307, and takes no secret to another origin", async (t) => {
  const seen: string[] = [];
  const other = await startHttp(t, (request, response) => {
    request.on("data", (chunk: Buffer) => seen.push(chunk.toString()));
    seen.push(`${request.method} ${request.headers.authorization} ${request.headers["content-type"]}`);
    response.end();
  });
  const { port } = await startHttp(t, (request, response) => {
    const status = Number(request.url?.slice(1));
    response.writeHead(status, { Location: `http://127.0.0.1:${other.port}/` }).end();
  });
  const outbound = openOutbound(t);
  const headers = { Authorization: "Bearer x", "Content-Type": "text/plain" };

  for (const status of [302, 307])
    await outbound.request({
      ...usual,
      url: `http://127.0.0.1:${port}/${status}`,
      redirectsMax: 1,
      method: "POST",
      body: "b",
      headers,
    });

  assert.deepEqual(seen, ["GET undefined undefined", "POST undefined text/plain", "b"]);
});
