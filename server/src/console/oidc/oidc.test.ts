import assert from "node:assert/strict";
import { after, before, test, type TestContext } from "node:test";
import { givenPerson } from "../../../test/console.ts";
import { startApi } from "../../../test/harness.ts";
import { clientId, clientSecret, startIdentityProvider } from "../../../test/identity-provider.ts";
import { openOutbound } from "../../../test/outbound.ts";
import { newUuid } from "../../platform/ids.ts";

type Provider = Awaited<ReturnType<typeof startIdentityProvider>>;
let provider: Provider;
before(async () => {
  provider = await startIdentityProvider();
});
after(() => provider.close());

/** The service with the provider configured, and a browser's jar of cookies that follows redirects by hand. */
async function givenSignIn(t: TestContext, settings: Record<string, unknown> = {}) {
  const oidc = { oidcIssuer: provider.issuer, oidcClientId: clientId, oidcClientSecret: clientSecret };
  const api = await startApi(t, {
    outbound: openOutbound(t),
    settings: { ...oidc, oidcName: "Example ID", ...settings },
  });
  provider.register(`${api.address}/console/api/oidc/callback`);
  Object.assign(provider.state, { refuses: false, isAway: false });
  return { api, browser: () => newBrowser(api.address) };
}

function newBrowser(home: string) {
  const jars = new Map<string, Map<string, string>>();

  async function visit(url: string) {
    const { origin } = new URL(url);
    const jar = jars.get(origin) ?? new Map<string, string>();
    jars.set(origin, jar);
    const cookie = Array.from(jar, ([name, value]) => `${name}=${value}`).join("; ");
    const response = await fetch(url, { redirect: "manual", headers: { cookie } });
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === "") jar.delete(name);
      else jar.set(name, value);
    }
    const location = response.headers.get("location");
    return { status: response.status, next: location === null ? undefined : new URL(location, url).href, response };
  }

  /** Goes where redirects lead, until one leads to an address that `isEnd` knows. */
  async function follow(url: string, isEnd: (url: URL) => boolean): Promise<string> {
    for (let at: string | undefined = url, steps = 0; at !== undefined && steps < 12; steps += 1) {
      if (isEnd(new URL(at))) return at;
      at = (await visit(at)).next;
    }
    throw new Error(`redirects from ${url} lead nowhere`);
  }

  const start = (next = "/") => `${home}/console/api/oidc/start?next=${encodeURIComponent(next)}`;
  const isPage = ({ href, pathname }: URL) => href.startsWith(home) && !pathname.startsWith("/console/api/");
  return {
    visit,
    cookies: () => jars.get(home) ?? new Map<string, string>(),
    /** All the way, to a page of the dashboard. */
    signIn: async (next?: string) => (await follow(start(next), isPage)).slice(home.length),
    /** Up to the provider's answer, which is not taken back yet. */
    toCallback: () => follow(start(), ({ pathname }) => pathname === "/console/api/oidc/callback"),
    pageAfter: async (url: string) => (await follow(url, isPage)).slice(home.length),
  };
}

test("a member signs in through the provider and lands where they wanted to go", async (t) => {
  const { api, browser } = await givenSignIn(t);
  const { email } = await givenPerson(api, "member", await api.givenOrganization());
  provider.state.person = { sub: newUuid(), email: email.toUpperCase(), email_verified: true };
  const { signIn, cookies } = browser();

  assert.equal(await signIn("/jobs?status=failed"), "/console/jobs?status=failed");

  const cookie = `waypost_session=${cookies().get("waypost_session")}`;
  const { body } = await api.call("/console/api/session", { headers: { cookie } });
  assert.equal(body["data"].person.email, email);
  assert.equal(body["data"].role, "member");
  assert.deepEqual([...cookies().keys()], ["waypost_session"]);
  const { body: methods } = await api.call("/console/api/session/methods");
  assert.deepEqual(methods["data"], { oidc: { name: "Example ID" } });
});

test("an invited person joins through the provider, without a password", async (t) => {
  const { api, browser } = await givenSignIn(t);
  const owner = await givenPerson(api, "owner", await api.givenOrganization());
  const email = `${newUuid()}@example.org`;
  await owner.call("/invitations", { json: { email, role: "viewer" } });
  provider.state.person = { sub: newUuid(), email, email_verified: true, name: "Grace Hopper" };

  assert.equal(await browser().signIn(), "/console/");

  const { body } = await owner.call("/members");
  const joined = body["data"].find((member: { email: string }) => member.email === email);
  assert.deepEqual([joined?.name, joined?.role], ["Grace Hopper", "viewer"]);
});

test("another subject with the same address is refused until an owner releases the account", async (t) => {
  const { api, browser } = await givenSignIn(t);
  const owner = await givenPerson(api, "owner", await api.givenOrganization());
  const email = `${newUuid()}@example.org`;
  await owner.call("/invitations", { json: { email, role: "member" } });
  const [first, second] = [newUuid(), newUuid()];
  const signInAs = (sub: string, address = email) => {
    provider.state.person = { sub, email: address, email_verified: true };
    return browser().signIn();
  };
  assert.equal(await signInAs(first), "/console/");
  assert.equal(await signInAs(first, "renamed@example.org"), "/console/");

  assert.equal(await signInAs(second), "/console/sign-in?problem=linked");

  const member = (await owner.call("/members")).body["data"].find((each: { email: string }) => each.email === email);
  assert.equal(member.is_linked, true);
  const { status, body } = await owner.call(`/members/${member.id}/release`, { method: "POST" });
  assert.deepEqual([status, body["data"]], [200, { id: member.id, released: true }]);
  assert.equal(await signInAs(second), "/console/");
  assert.equal(await signInAs(first), "/console/sign-in?problem=linked");
});

test("whoever is no member, unverified or refused gets no session and a page that says why", async (t) => {
  const { api, browser } = await givenSignIn(t);
  const { email } = await givenPerson(api, "owner", await api.givenOrganization());
  const cases = [
    ["unknown", { email: "stranger@example.org", email_verified: true }],
    ["unverified", { email, email_verified: false }],
    ["unverified", { email }],
    ["unverified", {}],
  ] as const;

  for (const [problem, account] of cases) {
    provider.state.person = { sub: newUuid(), ...account };
    const { signIn, cookies } = browser();
    assert.equal(await signIn("/keys"), `/console/sign-in?problem=${problem}&next=%2Fkeys`);
    assert.equal(cookies().size, 0);
  }
  provider.state.refuses = true;
  assert.equal(await browser().signIn(), "/console/sign-in?problem=denied");
});

test("an answer counts once, in the browser that left for it, with the state it left with", async (t) => {
  const { api, browser } = await givenSignIn(t);
  const { email } = await givenPerson(api, "owner", await api.givenOrganization());
  provider.state.person = { sub: newUuid(), email, email_verified: true };
  const stale = "/console/sign-in?problem=stale";

  const victim = browser();
  const answer = await victim.toCallback();
  assert.equal(await browser().pageAfter(answer), stale, "another browser");
  const forged = new URL(answer);
  forged.searchParams.set("state", "forged");
  assert.equal(await victim.pageAfter(forged.href), stale, "another state");
  assert.equal(await victim.pageAfter(answer), stale, "the cookie is used up");
  assert.equal(await victim.pageAfter(`${api.address}/console/api/oidc/callback`), stale, "no parameters at all");

  // The same cookie and the same code once more: the provider refuses the code.
  const thief = browser();
  const taken = await thief.toCallback();
  const kept = new Map(thief.cookies());
  assert.equal(await thief.pageAfter(taken), "/console/");
  for (const [name, value] of kept) thief.cookies().set(name, value);
  thief.cookies().delete("waypost_session");
  assert.equal(await thief.pageAfter(taken), stale, "replayed");
  assert.ok(!thief.cookies().has("waypost_session"));
});

test("an ID token with another nonce is refused", async (t) => {
  const { api, browser } = await givenSignIn(t);
  const { email } = await givenPerson(api, "owner", await api.givenOrganization());
  provider.state.person = { sub: newUuid(), email, email_verified: true };
  const { toCallback, cookies, pageAfter } = browser();
  const answer = await toCallback();
  const value = cookies().get("waypost_sign_in") ?? "";
  const leaving = JSON.parse(Buffer.from(value, "base64url").toString()) as object;
  const changed = Buffer.from(JSON.stringify({ ...leaving, nonce: "another" })).toString("base64url");
  cookies().set("waypost_sign_in", changed);

  assert.equal(await pageAfter(answer), "/console/sign-in?problem=refused");
});

test("a provider that is away is said to be, and found again when it is back", async (t) => {
  const { api, browser } = await givenSignIn(t);
  const { email } = await givenPerson(api, "owner", await api.givenOrganization());
  provider.state.person = { sub: newUuid(), email, email_verified: true };
  const { signIn, toCallback, pageAfter } = browser();

  provider.state.isAway = true;
  assert.equal(await signIn(), "/console/sign-in?problem=unavailable");
  provider.state.isAway = false;
  const answer = await toCallback();
  provider.state.isAway = true;
  assert.equal(await pageAfter(answer), "/console/sign-in?problem=unavailable");
  provider.state.isAway = false;
  assert.equal(await signIn(), "/console/");
});

test("an address whose sign-ins fail too often must wait, and the provider is left alone", async (t) => {
  const { api, browser } = await givenSignIn(t);
  const { email } = await givenPerson(api, "owner", await api.givenOrganization());
  provider.state.person = { sub: newUuid(), email, email_verified: true };
  const answer = await browser().toCallback();
  const cookie = (state: string) =>
    `waypost_sign_in=${Buffer.from(JSON.stringify({ state, nonce: "n", verifier: "v".repeat(43), next: "/" })).toString("base64url")}`;
  const forged = answer.replace(/state=[^&]+/, "state=mine");
  const problems = new Set<string | null>();
  for (let attempt = 0; attempt < 52; attempt += 1) {
    const { headers } = await fetch(forged, { redirect: "manual", headers: { cookie: cookie("other") } });
    problems.add(headers.get("location"));
  }

  assert.deepEqual([...problems], ["/console/sign-in?problem=stale", "/console/sign-in?problem=too_many"]);
  assert.equal(await browser().signIn(), "/console/sign-in?problem=too_many");
  api.clock.advance(16 * 60_000);
  assert.equal(await browser().signIn(), "/console/");
});

test("behind TLS the cookies are Secure, and the provider sends people back to the public address", async (t) => {
  const { api } = await givenSignIn(t, { publicUrl: "https://waypost.example", trustedProxies: ["127.0.0.1/32"] });

  const { headers, status } = await fetch(`${api.address}/console/api/oidc/start?next=//evil.example/`, {
    redirect: "manual",
    headers: { "X-Forwarded-Proto": "https" },
  });

  assert.equal(status, 303);
  const [cookie = ""] = headers.getSetCookie();
  assert.match(cookie, /^__Host-waypost_sign_in=[\w-]+; Path=\/; Expires=[^;]+; HttpOnly; Secure; SameSite=Lax$/);
  const leaving = JSON.parse(Buffer.from(/=([\w-]+)/.exec(cookie)?.[1] ?? "", "base64url").toString()) as {
    next: string;
  };
  assert.equal(leaving.next, "/");
  const target = new URL(headers.get("location") ?? "");
  assert.equal(target.origin, provider.issuer);
  assert.equal(target.searchParams.get("redirect_uri"), "https://waypost.example/console/api/oidc/callback");
  assert.equal(target.searchParams.get("code_challenge_method"), "S256");
  assert.ok(target.searchParams.get("nonce") && target.searchParams.get("state"));
});

test("without a provider there is no way through one", async (t) => {
  const api = await startApi(t);

  assert.deepEqual((await api.call("/console/api/session/methods")).body["data"], { oidc: null });
  assert.equal((await api.call("/console/api/oidc/start")).status, 404);
});
