import assert from "node:assert/strict";
import { test } from "node:test";
import { givenPerson, testPassword } from "../../test/console.ts";
import { sendRaw, startApi } from "../../test/harness.ts";

test("a person signs in by e-mail and password, and the cookie is theirs alone", async (t) => {
  const api = await startApi(t);
  const { email } = await givenPerson(api, "member", await api.givenOrganization());

  const { status, headers, text } = await api.call("/console/api/session", { json: { email, password: testPassword } });

  assert.equal(status, 200);
  const [cookie = ""] = headers.getSetCookie();
  assert.match(cookie, /^waypost_session=[\w-]{43}; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Lax$/);
  assert.ok(!text.includes(cookie.slice(16, 59)));
  const { body } = await api.call("/console/api/session", { headers: { cookie: cookie.split(";")[0] ?? "" } });
  assert.equal(body["data"].person.email, email);
  assert.equal(body["data"].role, "member");
});

test("behind TLS the cookie is Secure and bound to the host", async (t) => {
  const api = await startApi(t, { trustedProxies: ["127.0.0.1/32"] });
  const { email } = await givenPerson(api, "member", await api.givenOrganization());

  const { headers } = await api.call("/console/api/session", {
    json: { email, password: testPassword },
    headers: { "X-Forwarded-Proto": "https" },
  });

  assert.match(headers.getSetCookie()[0] ?? "", /^__Host-waypost_session=.*; Secure; SameSite=Lax$/);
});

test("a change that another website sends is refused, whatever the cookie", async (t) => {
  const api = await startApi(t);
  const { call, email } = await givenPerson(api, "owner", await api.givenOrganization());
  const create = (headers: Record<string, string>) => call("/keys", { json: { name: "a key" }, headers });

  assert.equal((await create({ "Sec-Fetch-Site": "same-origin" })).status, 201);
  assert.equal((await create({ Origin: api.address })).status, 201);
  assert.equal((await create({})).status, 201);
  const foreign: Record<string, string>[] = [
    { "Sec-Fetch-Site": "cross-site" },
    { "Sec-Fetch-Site": "same-site" },
    { "Sec-Fetch-Site": "none" },
    { Origin: "https://evil.example" },
    { Origin: "null" },
  ];
  for (const headers of foreign) {
    const { status, body } = await create(headers);
    assert.equal(status, 403, JSON.stringify(headers));
    assert.equal(body["error"].code, "foreign_origin");
    const signIn = await api.call("/console/api/session", { json: { email, password: testPassword }, headers });
    assert.equal(signIn.status, 403);
  }
});

test("a name that a website could point at this machine opens neither the dashboard's pages nor its routes", async (t) => {
  const api = await startApi(t);
  const { cookie } = await givenPerson(api, "owner", await api.givenOrganization());
  const ask = (path: string, host: string) =>
    sendRaw(api.address, `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nCookie: ${cookie}\r\nConnection: close\r\n\r\n`);

  for (const path of ["/console/api/session", "/console/api/session/methods", "/console/"]) {
    const { status, text } = await ask(path, "evil.example:8080");
    assert.equal(status, 403, path);
    assert.match(text, /"foreign_origin"/);
    assert.match(text, /WAYPOST_PUBLIC_URL=https:\/\/evil\.example;/);
  }
  for (const host of ["localhost:8080", "127.0.0.1", "[::1]:8080", "waypost"]) {
    assert.equal((await ask("/console/api/session", host)).status, 200, host);
  }
});

test("a change comes from an origin with the service's own scheme, or from the public one", async (t) => {
  const api = await startApi(t, { settings: { publicUrl: "https://waypost.example" } });
  const { call } = await givenPerson(api, "owner", await api.givenOrganization());
  const statusFrom = async (origin: string) =>
    (await call("/keys", { json: { name: "a key" }, headers: { Origin: origin } })).status;

  assert.equal(await statusFrom(api.address), 201);
  assert.equal(await statusFrom("https://waypost.example"), 201);
  assert.equal(await statusFrom(api.address.replace("http:", "https:")), 403);
  assert.equal(await statusFrom("http://waypost.example"), 403);
  assert.equal(await statusFrom("https://waypost.example:8443"), 403);
});

test("a page that shows another organization or person than the session's reads and changes nothing", async (t) => {
  const api = await startApi(t);
  const [first, second] = [await api.givenOrganization(), await api.givenOrganization()];
  const { call, email } = await givenPerson(api, "owner", first);
  const { token } = await api.members.invite(second, { email, role: "owner" });
  await api.members.accept(token, { password: testPassword }, { userAgent: "a test", address: "192.0.2.7" });
  const { person } = (await call("/session")).body["data"];
  const createOn = (shown: string) => call("/keys", { json: { name: "a key" }, headers: { "X-SVC-Acting-As": shown } });
  assert.equal((await createOn(`${person.id}/${first}`)).status, 201);

  await call("/session/organization", { json: { organization_id: second } });
  const stale = [
    await createOn(`${person.id}/${first}`),
    await createOn(`somebody else/${second}`),
    await call("/keys", { headers: { "X-SVC-Acting-As": `${person.id}/${first}` } }),
  ];

  assert.deepEqual(
    stale.map(({ status, body }) => [status, body["error"].code]),
    [
      [409, "session_changed"],
      [409, "session_changed"],
      [409, "session_changed"],
    ],
  );
  assert.deepEqual((await call("/keys")).body["data"], []);
  assert.equal((await createOn(`${person.id}/${second}`)).status, 201);
});

test("an API key opens no door of the console, and a session none of the API", async (t) => {
  const api = await startApi(t);
  const { text: key, organizationId } = await api.givenKey({ environment: "live" });
  const { cookie } = await givenPerson(api, "owner", organizationId);

  assert.equal((await api.call("/console/api/keys", { key })).status, 401);
  assert.equal((await api.call("/api/v1/scrapes", { headers: { cookie } })).status, 401);
});

test("signing out ends the session at once", async (t) => {
  const api = await startApi(t);
  const { call } = await givenPerson(api, "viewer", await api.givenOrganization());

  const { status, headers } = await call("/session", { method: "DELETE" });

  assert.equal(status, 200);
  assert.match(headers.getSetCookie()[0] ?? "", /^waypost_session=; .*Expires=Thu, 01 Jan 1970/);
  const { status: after, body } = await call("/session");
  assert.equal(after, 401);
  assert.equal(body["error"].code, "unauthenticated");
});

test("a link is read and accepted by its token in the body, and its problems name their fields", async (t) => {
  const api = await startApi(t);
  const owner = await givenPerson(api, "owner", await api.givenOrganization());
  const { body: made } = await owner.call("/invitations", { json: { email: "new@example.org", role: "member" } });
  const { token } = made["data"];

  const { body: link } = await api.call("/console/api/links/read", { json: { token } });
  const bad = await api.call("/console/api/links/accept", { json: { token, password: "short", name: "New" } });
  const good = await api.call("/console/api/links/accept", { json: { token, password: testPassword, name: "New" } });

  assert.deepEqual(
    { email: link["data"].email, role: link["data"].role, has_account: link["data"].has_account },
    { email: "new@example.org", role: "member", has_account: false },
  );
  assert.equal(bad.status, 400);
  assert.deepEqual(bad.body["error"].details, ["/password: must have 10 to 200 characters"]);
  assert.equal(good.status, 200);
  assert.equal((await api.call("/console/api/links/read", { json: { token } })).status, 404);
});

test("text that cannot be kept is refused with its field, whichever page sends it", async (t) => {
  const api = await startApi(t);
  const { call } = await givenPerson(api, "owner", await api.givenOrganization());
  const { body: made } = await call("/keys", { json: { name: "billing service" } });

  for (const text of ["long enough \u0000", "long enough \ud800"]) {
    const answers = [
      await call("/keys", { json: { name: text } }),
      await call(`/keys/${made["data"].id}/revoke`, { json: { reason: text } }),
      await call("/organization", { method: "PATCH", json: { name: text } }),
      await call("/invitations", { json: { email: `${text.replaceAll(" ", "")}@example.org`, role: "viewer" } }),
    ];
    assert.deepEqual(
      answers.map(({ status, body }) => [status, body["error"].details?.[0].split(":")[0]]),
      [
        [400, "/name"],
        [400, "/reason"],
        [400, "/name"],
        [400, "/email"],
      ],
    );
  }
});

test("a key made in the console is live, has every scope, is shown once, and works", async (t) => {
  const api = await startApi(t);
  const { call } = await givenPerson(api, "owner", await api.givenOrganization());

  const { status, body } = await call("/keys", { json: { name: "billing service" } });

  assert.equal(status, 201);
  assert.match(body["data"].key, /^svc_live_/);
  assert.equal(body["data"].scopes.length, 6);
  assert.equal(body["data"].expires_at, null);
  assert.equal((await api.call("/api/v1/scrapes", { key: body["data"].key })).status, 200);
  const { body: listed, text } = await call("/keys");
  assert.equal(listed["data"].length, 1);
  assert.ok(!text.includes(body["data"].key));
});
