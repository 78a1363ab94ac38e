import assert from "node:assert/strict";
import { test } from "node:test";
import { rawSearch, sendRaw, startApi } from "../../test/harness.ts";
import { newKeyText } from "../domains/api-keys/index.ts";

const json = { q: "coffee in Vaduz" };
const path = "/api/v1/search";

const statusOf = async (address: string, headers: readonly string[]) =>
  (await sendRaw(address, rawSearch(json, headers))).status;

test("a key is read from API-KEY and from Authorization: Bearer, in any case", async (t) => {
  const api = await startApi(t);
  const { text } = await api.givenKey();

  for (const header of [
    `API-KEY: ${text}`,
    `api-key: ${text}`,
    `Authorization: Bearer ${text}`,
    `AUTHORIZATION: bearer  ${text}`,
  ]) {
    assert.equal(await statusOf(api.address, [header]), 200, header);
  }
  for (const header of [
    `X-API-KEY: ${text}`,
    `SVC-API-KEY: ${text}`,
    `Authorization: Basic ${text}`,
    `Authorization: ${text}`,
    "API-KEY:",
  ]) {
    assert.equal(await statusOf(api.address, [header]), 401, header);
  }
});

test("two different keys conflict, however they are sent; the same key twice is fine", async (t) => {
  const api = await startApi(t);
  const { text } = await api.givenKey();
  const { text: other } = await api.givenKey();

  for (const headers of [
    [`API-KEY: ${text}`, `Authorization: Bearer ${other}`],
    [`API-KEY: ${text}`, `API-KEY: ${other}`],
    [`Authorization: Bearer ${text}`, `Authorization: Bearer ${other}`],
    [`Authorization: Bearer nonsense`, `API-KEY: ${text}`],
  ]) {
    assert.equal(await statusOf(api.address, headers), 400, headers.join(" "));
  }
  for (const headers of [
    [`API-KEY: ${text}`, `Authorization: Bearer ${text}`],
    [`API-KEY: ${text}`, `API-KEY: ${text}`],
    [`API-KEY: ${text}`, "Authorization: Basic dXNlcjpwYXNz"],
    [`API-KEY: ${text}`, "Authorization: Bearer "],
    ["API-KEY:", `Authorization: Bearer ${text}`],
  ]) {
    assert.equal(await statusOf(api.address, headers), 200, headers.join(" "));
  }
  const { body } = await api.call(path, { key: text, json, headers: { Authorization: `Bearer ${other}` } });
  assert.equal(body["error"].code, "conflicting_credentials");
});

// A caller without a good key must not learn which of these it was.
test("missing, malformed, unknown, expired and revoked keys get the same answer", async (t) => {
  const api = await startApi(t);
  const expired = await api.givenKey({ expiresAt: new Date(api.clock.now().getTime() + 1) });
  api.clock.advance(1);
  const revoked = await api.givenKey();
  await api.apiKeys.revoke(revoked.organizationId, revoked.key.id, "leaked in a repository");
  const keys = [undefined, "svc_live_nonsense", newKeyText("test").text, expired.text, revoked.text];

  const answers = await Promise.all(keys.map((key) => api.call(path, key === undefined ? { json } : { key, json })));

  for (const { status, headers, body } of answers) {
    assert.equal(status, 401);
    assert.equal(headers.get("www-authenticate"), 'Bearer realm="waypost"');
    assert.deepEqual(body["error"], answers[0]?.body["error"]);
  }
});

test("a key restricted to networks works from inside them alone", async (t) => {
  const api = await startApi(t);
  const inside = await api.givenKey({ allowedNetworks: ["192.0.2.0/24", "127.0.0.1/32"] });
  const outside = await api.givenKey({ allowedNetworks: ["192.0.2.0/24", "2001:db8::/32"] });

  assert.equal((await api.searchAs(inside.text, json)).status, 200);
  const { status, body } = await api.searchAs(outside.text, json);
  assert.equal(status, 403);
  assert.equal(body["error"].code, "network_not_allowed");
});

test("X-Forwarded-For counts only from configured proxies", async (t) => {
  const direct = await startApi(t);
  const proxied = await startApi(t, { trustedProxies: ["127.0.0.0/8"] });
  const { text } = await direct.givenKey({ allowedNetworks: ["192.0.2.0/24"] });
  const headers = { "X-Forwarded-For": "192.0.2.9" };

  assert.equal((await direct.searchAs(text, json, headers)).status, 403);
  assert.equal((await proxied.searchAs(text, json, headers)).status, 200);
  assert.equal((await proxied.searchAs(text, json, { "X-Forwarded-For": "192.0.2.9, 198.51.100.1" })).status, 403);
});

test("checks come in the promised order", async (t) => {
  const api = await startApi(t, { rateLimitPerSecond: 1 });
  const organizationId = await api.givenOrganization();
  await api.organizations.setEntitlement(organizationId, "inactive");
  const live = { organizationId, environment: "live" };
  const bad = { q: "" };
  const codeOf = async (key: string, body: unknown, headers: Record<string, string> = {}) =>
    (await api.searchAs(key, body, headers)).body["error"]?.code;
  const networked = await api.givenKey({ ...live, allowedNetworks: ["192.0.2.0/24"], scopes: ["scrapes:read"] });
  const scopeless = await api.givenKey({ ...live, scopes: ["scrapes:read"] });
  const whole = await api.givenKey(live);
  const other = await api.givenKey(live);

  assert.equal(await codeOf(networked.text, bad, { Authorization: "Bearer other" }), "conflicting_credentials");
  assert.equal(await codeOf(networked.text, bad), "network_not_allowed");
  assert.equal(await codeOf(scopeless.text, bad), "insufficient_scope");
  assert.equal(await codeOf(scopeless.text, bad), "insufficient_scope");
  assert.equal(await codeOf(scopeless.text, bad), "rate_limited");
  assert.equal(await codeOf(whole.text, bad), "invalid_request");
  assert.equal(await codeOf(whole.text, json), "entitlement_required");
  await api.organizations.setEntitlement(organizationId, "active");
  assert.equal(await codeOf(other.text, json), "capability_unavailable");
});

test("the scope that is missing is named", async (t) => {
  const api = await startApi(t);
  const { text } = await api.givenKey({ scopes: ["scrapes:read", "datasets:read"] });

  const { status, body } = await api.searchAs(text, json);

  assert.equal(status, 403);
  assert.equal(body["error"].code, "insufficient_scope");
  assert.match(body["error"].details[0], /scrapes:write/);
});

test("a live key without a source is told that the capability is unavailable", async (t) => {
  const api = await startApi(t);
  const { text } = await api.givenKey({ environment: "live" });

  const { status, body } = await api.searchAs(text, json);

  assert.equal(status, 403);
  assert.equal(body["error"].code, "capability_unavailable");
});
