import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { givenPerson, testPassword } from "../../test/console.ts";
import { startApi } from "../../test/harness.ts";
import { steadySource } from "../../test/scrapes.ts";
import { type Role, roles } from "../domains/members/index.ts";
import { newUuid } from "../platform/ids.ts";
import { createOutbound } from "../platform/net/outbound.ts";

type Api = Awaited<ReturnType<typeof startApi>>;
type Person = Awaited<ReturnType<typeof givenPerson>>;
type Things = Readonly<Record<string, string>>;
type Row = readonly [method: string, path: string, least: Role, body?: (things: Things) => unknown];

// Whoever adds a route to the console says here who may use it. The order is that of the calls: what removes a thing
// comes after what reads it.
const consoleRoutes: readonly Row[] = [
  ["GET", "/session", "viewer"],
  ["GET", "/sessions", "viewer"],
  ["DELETE", "/sessions/:sessionId", "viewer"],
  ["GET", "/members", "viewer"],
  ["PATCH", "/members/:personId", "owner", () => ({ role: "viewer" })],
  ["POST", "/members/:personId/reset", "owner"],
  ["POST", "/members/:personId/release", "owner"],
  ["DELETE", "/members/:personId", "owner"],
  ["GET", "/invitations", "owner"],
  ["POST", "/invitations", "owner", () => ({ email: `${newUuid()}@example.org`, role: "viewer" })],
  ["DELETE", "/invitations/:invitationId", "owner"],
  ["PATCH", "/organization", "owner", () => ({ name: "Renamed Ltd" })],
  ["GET", "/keys", "viewer"],
  ["POST", "/keys", "owner", () => ({ name: "a new key" })],
  ["POST", "/keys/:keyId/rotate", "owner", () => ({})],
  ["POST", "/keys/:keyId/revoke", "owner", () => ({ reason: "a reason that is long enough" })],
  ["GET", "/usage", "viewer"],
  ["GET", "/catalog", "viewer"],
  ["GET", "/tiles/0/0/0", "viewer"],
  ["GET", "/map", "viewer"],
  ["GET", "/events/:jobId", "viewer"],
];

/** The routes of the domains, below `/live` and `/test`. */
const domainRoutes: readonly Row[] = [
  ["POST", "/search", "member", () => ({ q: "coffee" })],
  ["POST", "/scrapes", "member", () => ({ operation: "places.search", input: { q: "coffee" } })],
  ["GET", "/scrapes", "viewer"],
  ["GET", "/scrapes/:jobId", "viewer"],
  ["GET", "/scrapes/:jobId/results", "viewer"],
  ["POST", "/scrapes/:jobId/cancel", "member"],
  ["POST", "/collections", "member", () => ({ q: "coffee", area: { bbox: [47, 9, 47.1, 9.1] }, max_units: 5 })],
  ["POST", "/collections/estimate", "viewer", () => ({ q: "coffee", area: { bbox: [47, 9, 47.1, 9.1] } })],
  ["GET", "/collections", "viewer"],
  ["GET", "/collections/:collectionId", "viewer"],
  ["GET", "/collections/:collectionId/results", "viewer"],
  ["GET", "/collections/:collectionId/coverage", "viewer"],
  ["POST", "/collections/:collectionId/pause", "member"],
  ["POST", "/collections/:collectionId/resume", "member"],
  ["POST", "/collections/:collectionId/cancel", "member"],
  ["DELETE", "/collections/:collectionId", "member"],
  ["POST", "/exports", "member", ({ jobId }) => ({ job_id: jobId, format: "csv" })],
  ["GET", "/exports", "viewer"],
  ["GET", "/exports/:exportId", "viewer"],
  ["DELETE", "/exports/:exportId", "member"],
  ["DELETE", "/scrapes/:jobId", "member"],
  ["POST", "/webhook-endpoints", "member", () => ({ url: "https://127.0.0.1/a", event_types: ["scrape.completed"] })],
  ["GET", "/webhook-endpoints", "member"],
  ["GET", "/webhook-endpoints/:endpointId", "member"],
  ["PATCH", "/webhook-endpoints/:endpointId", "member", () => ({ description: "ours" })],
  ["POST", "/webhook-endpoints/:endpointId/rotate-secret", "member", () => ({ mode: "normal" })],
  ["POST", "/webhook-endpoints/:endpointId/test", "member"],
  ["GET", "/webhook-endpoints/:endpointId/deliveries", "member"],
  ["POST", "/webhook-deliveries/:deliveryId/resend", "member"],
  ["DELETE", "/webhook-endpoints/:endpointId", "member"],
];

/** What ends the sessions that make the calls, or needs a second organization. */
const lastRoutes: readonly Row[] = [
  ["POST", "/session/organization", "viewer", ({ organizationId }) => ({ organization_id: organizationId })],
  ["POST", "/password", "viewer", () => ({ current: testPassword, next: testPassword })],
  ["DELETE", "/sessions", "viewer"],
  ["DELETE", "/session", "viewer"],
];

const publicRoutes = [
  "GET /console/api/session/methods",
  "POST /console/api/links/accept",
  "POST /console/api/links/read",
  "POST /console/api/session",
];

/** Never ends by itself; it has tests of its own. */
const eventStream = "GET /console/api/events";

const environments = ["live", "test"] as const;
const below = (environment: string): Row[] =>
  domainRoutes.map(([method, path, ...rest]) => [method, `/${environment}${path}`, ...rest]);
const allRows = [...consoleRoutes, ...environments.flatMap(below), ...lastRoutes];

test("the routes of the console are those of the table", async (t) => {
  const api = await startApi(t);
  const found = api.allRoutes.filter(({ method, url }) => url.startsWith("/console/api/") && method !== "HEAD");
  const named = ({ method, url }: { method: string; url: string }) => `${method} ${url}`;

  const guarded = found.filter(({ config }) => !config?.public).map(named);

  const known = allRows.map(([method, path]) => `${method} /console/api${path}`).map(generic);
  assert.deepEqual(guarded.map(generic).toSorted(), [...known, eventStream].toSorted());
  assert.deepEqual(
    found
      .filter(({ config }) => config?.public)
      .map(named)
      .toSorted(),
    publicRoutes,
  );
});

/** A route without the names of its parameters. */
function generic(route: string): string {
  return route.replace("/tiles/0/0/0", "/tiles/:z/:x/:y").replaceAll(/:\w+/g, ":");
}

test("each route is refused without a session, to lesser roles and for another organization's things", async (t) => {
  const api = await startFull(t);
  const organizationId = await api.givenOrganization();
  const owner = await givenPerson(api, "owner", organizationId);
  const people = {
    viewer: await givenPerson(api, "viewer", organizationId),
    member: await givenPerson(api, "member", organizationId),
    owner,
  };
  const stranger = await givenPerson(api, "owner", await api.givenOrganization());
  const things = await givenThings(api, owner, organizationId);

  for (const row of allRows) {
    const [method, path, least, body] = row;
    const environment = environments.find((each) => path.startsWith(`/${each}/`)) ?? "live";
    const ofEnvironment = things[environment];
    const name = `${method} ${path}`;
    const filled = fill(path, ofEnvironment);
    const send = (person: Pick<Person, "call">) =>
      person.call(filled, {
        method,
        headers: { "Idempotency-Key": newUuid() },
        ...(body ? { json: body(ofEnvironment) } : {}),
      });

    const anonymous = await send({ call: (to, options) => api.call(`/console/api${to}`, options) });
    assert.equal(anonymous.status, 401, name);

    if (namesThing(row, ofEnvironment)) {
      const { status, text } = await send(stranger);
      assert.equal(status, 404, `${name} of another organization: ${text}`);
    }

    let isFirst = true;
    for (const role of roles.toReversed()) {
      const { status, body: answer, text } = await send(people[role]);
      const isAllowed = roles.indexOf(role) <= roles.indexOf(least);
      const isRefused = status === 403 && answer["error"].code === "insufficient_scope";
      assert.equal(isRefused, !isAllowed, `${name} as ${role}: ${text}`);
      assert.ok(status < 500, `${name} as ${role}: ${text}`);
      // The thing is there: what the stranger was refused is not simply missing.
      if (isAllowed && isFirst && namesThing(row, ofEnvironment))
        assert.ok(status !== 404, `${name} as ${role}: ${text}`);
      if (isAllowed) isFirst = false;
    }
  }
});

/** An API that can do all that its routes promise. */
function startFull(t: TestContext) {
  return startApi(t, { source: steadySource(), outbound: createOutbound({ allow: ["127.0.0.0/8"] }) });
}

const withoutOwner = new Set(["/sessions/:sessionId", "/events/:jobId"]);

/** True of a route that names, in its path or its body, a thing that there is. */
function namesThing([, path, , body]: Row, things: Things): boolean {
  // A person's own sessions, and a history that is empty: both have a test that reads what came back.
  if (withoutOwner.has(path)) return false;
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name = ""]) => name);
  if (names.length > 0) return names.every((name) => name in things);
  return body !== undefined && body.length > 0;
}

function fill(path: string, things: Things): string {
  return path.replaceAll(/:(\w+)/g, (_, name: string) => things[name] ?? newUuid());
}

/** One of each thing that a path can name. Files are made of test jobs here, and webhooks are live only. */
async function givenThings(api: Api, owner: Person, organizationId: string) {
  const make = async (path: string, json?: unknown) => {
    const headers = { "Idempotency-Key": newUuid() };
    const { status, body, text } = await owner.call(path, { method: "POST", headers, ...(json ? { json } : {}) });
    assert.ok(status < 300, `${path}: ${text}`);
    return body["data"];
  };
  const target = await givenPerson(api, "member", organizationId);
  const members = await owner.call("/members");
  const member = members.body["data"].find(({ email }: { email: string }) => email === target.email);
  await make("/invitations", { email: "guest@example.org", role: "viewer" });
  const invitations = await owner.call("/invitations");
  const common = {
    organizationId,
    personId: member.id,
    invitationId: invitations.body["data"][0].id,
    keyId: (await make("/keys", { name: "a key" })).id,
  };
  const area = { bbox: [47, 9, 47.1, 9.1] };
  const madeIn = async (environment: string) => ({
    ...common,
    jobId: (await make(`/${environment}/scrapes`, { operation: "places.search", input: { q: "coffee" } })).id,
    collectionId: (await make(`/${environment}/collections`, { q: "coffee", area, max_units: 5 })).id,
  });
  const [live, simulated] = [await madeIn("live"), await madeIn("test")];
  const file = await make("/test/exports", { job_id: simulated.jobId, format: "csv" });
  const endpoint = await make("/live/webhook-endpoints", {
    url: "https://127.0.0.1/hook",
    event_types: ["scrape.completed"],
  });
  const delivery = await make(`/live/webhook-endpoints/${endpoint.id}/test`);
  return {
    live: { ...live, endpointId: endpoint.id, deliveryId: delivery.id },
    test: { ...simulated, exportId: file.id },
  };
}

test("another organization's lists are empty, and its sessions go on", async (t) => {
  const api = await startFull(t);
  const [mine, theirs] = [await api.givenOrganization(), await api.givenOrganization()];
  const me = await givenPerson(api, "owner", mine);
  const them = await givenPerson(api, "owner", theirs);
  await givenThings(api, them, theirs);
  const { body: sessions } = await them.call("/sessions");

  await me.call(`/sessions/${sessions["data"][0].id}`, { method: "DELETE" });

  assert.equal((await them.call("/session")).status, 200);
  for (const path of [
    "/keys",
    "/invitations",
    "/test/scrapes",
    "/live/collections",
    "/test/exports",
    "/live/webhook-endpoints",
  ]) {
    assert.deepEqual((await me.call(path)).body["data"], [], path);
    assert.ok((await them.call(path)).body["data"].length > 0, path);
  }
  assert.equal((await me.call("/members")).body["data"].length, 1);
});
