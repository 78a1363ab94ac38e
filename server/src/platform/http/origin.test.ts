import assert from "node:assert/strict";
import { test } from "node:test";
import { fastify } from "fastify";
import { sendRaw } from "../../../test/harness.ts";
import { isHost, baseUrlOf } from "./origin.ts";

test("a host is a name or an address, with or without a port", () => {
  for (const host of ["localhost", "my_service:8080", "example.com", "127.0.0.1:80", "[::1]", "[fd00::1]:8443"]) {
    assert.ok(isHost(host), host);
  }
  for (const host of ["", "u:p@evil", 'a"b<c>', "a/b", "a b", "[", "x:", "::1", "a,b", "münchen"]) {
    assert.ok(!isHost(host), host);
  }
});

test("links begin with the host that a request names, or with the address that it reached", async (t) => {
  const app = fastify({ http: { requireHostHeader: false } });
  app.get("/", (request) => baseUrlOf(request));
  const address = await app.listen({ host: "127.0.0.1", port: 0 });
  t.after(() => app.close());
  const originFor = async (headers: string) => {
    const { text } = await sendRaw(address, `GET / HTTP/1.0\r\n${headers}\r\n`);
    return text.slice(text.indexOf("\r\n\r\n") + 4);
  };

  assert.equal(await originFor("Host: waypost:8080\r\n"), "http://waypost:8080");
  assert.equal(await originFor(""), address);
  assert.equal(await originFor("Host: u:p@evil\r\n"), address);
  assert.equal(await originFor("Host: x:99999\r\n"), address);
});
