import assert from "node:assert/strict";
import { test } from "node:test";
import { givenPerson } from "../../test/console.ts";
import { startApi } from "../../test/harness.ts";
import { scopes } from "../domains/api-keys/index.ts";
import { roles } from "../domains/members/index.ts";
import { newId, newUuid } from "../platform/ids.ts";

type Route = { method: string; url: string; config: { public?: true; role?: string; need?: { scope: string } } };

const readScopes = new Set(["scrapes:read", "datasets:read", "exports:read"]);

/** Which roles may use a route, from what the route itself says of its needs. */
function allowedRoles({ config }: Route): readonly string[] {
  if (config.need) return readScopes.has(config.need.scope) ? roles : ["owner", "member"];
  const least = roles.findIndex((role) => role === (config.role ?? "owner"));
  return roles.slice(0, least + 1);
}

function pathOf(url: string): string {
  return url
    .replace("/console/api", "")
    .replace(":jobId", newId("job"))
    .replace(":endpointId", newId("whe"))
    .replace(":exportId", newId("exp"))
    .replace(":deliveryId", newId("dlv"))
    .replace(":keyId", newId("key"))
    .replaceAll(/:[A-Za-z]+/g, newUuid());
}

test("each route of the console is refused without a session, and to roles that may not use it", async (t) => {
  const api = await startApi(t);
  const organizationId = await api.givenOrganization();
  const people = await Promise.all(
    roles.map(async (role) => [role, await givenPerson(api, role, organizationId)] as const),
  );
  const routes = (api.allRoutes as Route[]).filter(
    ({ method, url, config }) => url.startsWith("/console/api/") && method !== "HEAD" && !config.public,
  );
  assert.ok(routes.length > 30, `${routes.length} routes were found`);
  assert.ok(routes.every(({ config }) => config.role || scopes.some((scope) => scope === config.need?.scope)));

  for (const route of routes) {
    const name = `${route.method} ${route.url}`;
    const path = pathOf(route.url);
    // Ends the caller's own sessions, so it comes in a test of its own.
    if (route.method === "DELETE" && /\/sessions?$/.test(route.url)) continue;
    // Never ends by itself; it has tests of its own as well.
    if (route.url === "/console/api/events") continue;
    const { status } = await api.call(`/console/api${path}`, { method: route.method });
    assert.equal(status, 401, name);

    for (const [role, person] of people) {
      const body = route.method === "GET" || route.method === "DELETE" ? {} : { json: {} };
      const answered = await person.call(path, { method: route.method, ...body });
      const isAllowed = allowedRoles(route).includes(role);
      assert.equal(
        answered.status === 403 && answered.body["error"].code === "insufficient_scope",
        !isAllowed,
        `${name} as ${role}: ${answered.text}`,
      );
      assert.ok(answered.status < 500, `${name} as ${role}: ${answered.text}`);
    }
  }
});

test("another organization's keys, members, invitations, jobs and endpoints do not exist", async (t) => {
  const api = await startApi(t);
  const [mine, theirs] = [await api.givenOrganization(), await api.givenOrganization()];
  const me = await givenPerson(api, "owner", mine);
  const them = await givenPerson(api, "owner", theirs);
  const { key } = await api.givenKey({ organizationId: theirs, environment: "live" });
  const { body: members } = await them.call("/members");
  const { body: invitation } = await them.call("/invitations", {
    json: { email: "guest@example.org", role: "viewer" },
  });
  assert.ok(invitation["data"].token);
  const { body: invitations } = await them.call("/invitations");
  const { body: job } = await them.call("/test/scrapes", {
    json: { operation: "places.search", input: { q: "coffee" } },
    headers: { "Idempotency-Key": "console-test-key-1" },
  });
  const attempts: [string, string, unknown?][] = [
    ["POST", `/keys/${key.id}/rotate`, {}],
    ["POST", `/keys/${key.id}/revoke`, { reason: "a reason that is long enough" }],
    ["PATCH", `/members/${members["data"][0].id}`, { role: "viewer" }],
    ["DELETE", `/members/${members["data"][0].id}`],
    ["POST", `/members/${members["data"][0].id}/reset`],
    ["DELETE", `/invitations/${invitations["data"][0].id}`],
    ["GET", `/test/scrapes/${job["data"].id}`],
    ["GET", `/test/scrapes/${job["data"].id}/results`],
    ["GET", `/live/scrapes/${job["data"].id}`],
    ["POST", "/session/organization", { organization_id: theirs }],
  ];

  for (const [method, path, json] of attempts) {
    const { status, text } = await me.call(path, { method, ...(json === undefined ? {} : { json }) });
    assert.equal(status, 404, `${method} ${path}: ${text}`);
  }

  assert.deepEqual((await me.call("/keys")).body["data"], []);
  assert.equal((await me.call("/members")).body["data"].length, 1);
  assert.equal((await them.call(`/test/scrapes/${job["data"].id}`)).status, 200);
});
