import assert from "node:assert/strict";
import { after, before, type TestContext } from "node:test";
import type { Browser, Locator, Page } from "playwright-core";
import { buildDashboardWhenStale } from "../../cli/src/dashboard.ts";
import { findChromium } from "../../scripts/chromium.ts";
import type { Connection } from "../../server/src/platform/postgres/database.ts";
import { createTestDatabase, databaseUrl } from "../../server/test/postgres.ts";
import { clientId, clientSecret, startIdentityProvider } from "../../server/test/identity-provider.ts";
import { makeTempFolder, removeFolder } from "../../server/test/temp-folder.ts";
import { axe, launch, visit, type Visit } from "../browser.ts";
import { type RunningService, startServiceUntil } from "../service.ts";

const chromium = await findChromium();

/** Why the browser tests cannot run here; false when they can. */
export const skip = "missing" in chromium ? chromium.missing : false;
export const password = "four words make this";
export const signIn = { email: "ada@example.com", password };

/** One service and one browser, which all tests of the dashboard share; filled before the first of them. */
export const stage = {} as {
  service: RunningService;
  browser: Browser;
  connection: Connection;
  /** Where people may sign in instead of by password. */
  identityProvider: Awaited<ReturnType<typeof startIdentityProvider>>;
  /** Signed in as the first owner. */
  owner: Visit;
};

const stops: (() => Promise<unknown>)[] = [];

before(async () => {
  if ("missing" in chromium) return;
  await buildDashboardWhenStale();
  const database = await createTestDatabase();
  stops.push(() => database.drop());
  stage.connection = database.connection;
  const dataFolder = await makeTempFolder();
  stops.push(() => removeFolder(dataFolder));
  stage.identityProvider = await startIdentityProvider();
  stops.push(() => stage.identityProvider.close());
  const environment = {
    DATABASE_URL: databaseUrl(database.connection),
    WAYPOST_DATA_DIR: dataFolder,
    WAYPOST_OUTBOUND_ALLOW: "127.0.0.0/8, oidc=127.0.0.0/8",
    WAYPOST_OIDC_ISSUER: stage.identityProvider.issuer,
    WAYPOST_OIDC_CLIENT_ID: clientId,
    WAYPOST_OIDC_CLIENT_SECRET: clientSecret,
    WAYPOST_OIDC_NAME: "Example ID",
    WAYPOST_WEBHOOK_PORTS: "443,9443",
  };
  stage.service = await startServiceUntil((stop) => stops.push(stop), environment, ["e2e/dashboard/service.ts"]);
  stage.identityProvider.register(`${stage.service.address}/console/api/oidc/callback`);
  stage.browser = await launch(chromium.path);
  stops.push(() => stage.browser.close());
  stage.owner = await newVisit();
  const { page } = stage.owner;
  await page.goto(/http\S+\/console\/join#\S+/.exec(stage.service.output)?.[0] ?? "");
  await page.getByLabel("Your name").fill("Ada Keller");
  await page.getByLabel("E-mail").fill(signIn.email);
  await page.getByLabel("Choose a password").fill(password);
  await page.getByRole("button", { name: "Join" }).click();
  await page.getByRole("heading", { name: "Good to see you, Ada" }).waitFor();
});

after(async () => {
  for (const stop of stops.toReversed()) await stop();
});

export function newVisit(options?: Parameters<typeof visit>[2]): Promise<Visit> {
  return visit(stage.browser, stage.service.address, options);
}

export async function open(page: Page, path: string, heading: string | RegExp) {
  await page.goto(`/console${path}`);
  await page.getByRole("heading", { level: 1, name: heading }).waitFor();
}

/** Shows the pages of the live environment until the test ends, whatever its outcome. */
export async function chooseLive(t: TestContext, page: Page) {
  const environments = page.getByRole("group", { name: "Environment" });
  await environments.getByRole("button", { name: "Live" }).click();
  t.after(() => environments.getByRole("button", { name: "Test" }).click());
}

/** Lets the timers of a page run ahead, whose clock was installed before it was opened, until it has come true. */
export async function runAheadUntil(page: Page, comesTrue: Promise<unknown>): Promise<void> {
  const come = comesTrue.then(() => true);
  const ranAhead = () => page.clock.runFor(500).then(() => false);
  while (!(await Promise.race([come, ranAhead()])));
}

/** The secret that the page shows, which nothing shows again: only its own button ends it, reached by keys. */
export async function revealed(page: Page): Promise<string> {
  const secret = await page.getByTestId("secret").innerText();
  await page.keyboard.press("Escape");
  await page.mouse.click(3, 3);
  assert.equal(await page.getByTestId("secret").innerText(), secret);
  assert.equal(await page.getByRole("button", { name: "Close", exact: true }).count(), 0);
  const stored = page.locator(":focus", { hasText: "I have stored it" });
  while ((await stored.count()) === 0) {
    await page.keyboard.press("Tab");
    // At either end a guard has the focus for a moment, and leads it back.
    await page.locator('[role="dialog"] :focus').waitFor();
  }
  await page.keyboard.press("Enter");
  await page.getByTestId("secret").waitFor({ state: "detached" });
  assert.ok(!(await page.content()).includes(secret), "the page still has the secret");
  return secret;
}

/** Takes the way back out of a question by keys alone, then asks again and confirms. */
export async function confirm(page: Page, ask: Locator, verb: string): Promise<void> {
  await ask.press("Enter");
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: verb }).waitFor();
  assert.deepEqual(await axe(page), [], verb);
  await page.locator(":focus", { hasText: "Go back" }).press("Enter");
  await dialog.waitFor({ state: "detached" });
  await ask.and(page.locator(":focus")).waitFor();
  await ask.press("Enter");
  await dialog.getByRole("button", { name: verb }).click();
  await dialog.waitFor({ state: "detached" });
  await page.locator("#content:focus").waitFor();
}

/** The service does what the page asks for, and its answer never arrives. */
export async function loseAnswers(page: Page, path: string) {
  await page.route(path, async (route) => {
    if (route.request().method() === "GET") return route.fallback();
    await route.fetch();
    await route.abort();
  });
}

/** What scrolls sideways. */
export function tooWide(page: Page): Promise<string[]> {
  return page.evaluate(`[document.documentElement, ...document.querySelectorAll(".table-scroll")]
    .filter((each) => each.scrollWidth > each.clientWidth)
    .map((each) => each.className || each.tagName)`);
}
