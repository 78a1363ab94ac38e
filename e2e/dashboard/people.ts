import assert from "node:assert/strict";
import { test } from "node:test";
import type { Route } from "playwright-core";
import { createMembers } from "../../server/src/domains/members/index.ts";
import { createOrganizations } from "../../server/src/domains/organizations/index.ts";
import { systemClock } from "../../server/src/platform/clock.ts";
import { silentLog } from "../../server/src/platform/log.ts";
import { createDatabase } from "../../server/src/platform/postgres/database.ts";
import { axe } from "../browser.ts";
import { confirm, newVisit, open, password, revealed, signIn, skip, stage, tooWide } from "./stage.ts";

async function fillSignIn(page: Awaited<ReturnType<typeof newVisit>>["page"], email: string, secret: string) {
  await page.goto("/console/sign-in");
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Password").fill(secret);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}

/** Cy is a member of two organizations, and Di of the first of them. */
async function inviteToTwo(email: string) {
  const db = createDatabase({ connection: stage.connection, connectionsMax: 2, log: silentLog });
  const organizations = createOrganizations({ db });
  const [first, second] = [await organizations.create("First Ltd"), await organizations.create("Second Ltd")];
  const members = createMembers({ db, clock: systemClock });
  const origin = { userAgent: "a phone", address: "192.0.2.9" };
  const { token } = await members.invite(first.id, { email, role: "owner" });
  await members.accept(token, { name: "Cy Both", password }, origin);
  const { token: again } = await members.invite(second.id, { email, role: "owner" });
  await members.accept(again, { password }, origin);
  const { token: other } = await members.invite(first.id, { email: "di@example.com", role: "owner" });
  await members.accept(other, { name: "Di Other", password }, origin);
  await db.end();
}

export function peopleTests() {
  test("a person signs in through the identity provider, or reads why they could not", { skip }, async () => {
    const { state } = stage.identityProvider;
    const { page, context, complaints } = await newVisit();
    const throughProvider = page.getByRole("link", { name: "Sign in with Example ID" });
    await page.goto("/console/usage");
    state.person = { sub: "a stranger", email: "stranger@example.org", email_verified: true };
    await throughProvider.click();
    await page.getByText("Ask an owner to invite it").waitFor();

    await context.clearCookies();
    state.person = { sub: "ada", email: signIn.email, email_verified: true };
    await throughProvider.click();
    await page.getByRole("heading", { level: 1, name: "Usage" }).waitFor();
    assert.deepEqual(complaints, []);
    await context.close();
  });

  test(
    "a person of two organizations switches, sees nothing of the other, and manages their sessions",
    { skip },
    async () => {
      const email = "cy@example.com";
      await inviteToTwo(email);

      const { page, context } = await newVisit();
      await fillSignIn(page, email, password);
      await page.getByRole("heading", { name: "Good to see you, Cy" }).waitFor();
      // An id of another organization is the same as no id at all.
      const job = await stage.owner.page.request.get("/console/api/test/scrapes?limit=1");
      const foreign = ((await job.json()) as { data: { id: string }[] }).data[0]?.id ?? assert.fail("no job to steal");
      await open(page, `/jobs/${foreign}`, "No such job");
      await open(page, "/", /^Good to see you/);
      await page.getByLabel("Organization").selectOption({ label: "Second Ltd" });
      await page.getByRole("button", { name: "Switch" }).click();
      await page.locator(".page-head", { hasText: "Second Ltd" }).waitFor();

      // What another tab still shows of the first organization happens to neither.
      const stale = await context.newPage();
      await open(stale, "/keys", "API keys");
      await stale.getByRole("button", { name: "Create key" }).click();
      await stale.getByLabel("Name").fill("meant for Second Ltd");
      await page.getByLabel("Organization").selectOption({ label: "First Ltd" });
      await page.getByRole("button", { name: "Switch" }).click();
      await page.locator(".page-head", { hasText: "First Ltd" }).waitFor();
      // The tab may also find out by itself, before the click.
      const create = stale.getByRole("dialog").getByRole("button", { name: "Create key" });
      const told = stale.getByRole("alert").filter({ hasText: "In another tab you switched to First Ltd" });
      await Promise.race([create.click().catch(() => undefined), told.waitFor()]);
      await told.waitFor();
      await create.waitFor({ state: "detached" });
      await stale.getByText("No keys yet").waitFor();
      assert.equal(await stale.locator('[aria-label="Organization"] option:checked').innerText(), "First Ltd");
      await stale.close();

      await open(page, "/settings", "Settings");
      await page.getByText("a phone").first().waitFor();
      const phone = page.getByText("a phone").first().locator("xpath=ancestor::li");
      await confirm(page, phone.getByRole("button", { name: "End" }), "End session");
      await page.getByText("a phone").nth(1).waitFor({ state: "detached" });
      await confirm(page, page.getByRole("button", { name: "End all others" }), "End them");
      await page.getByText("a phone").waitFor({ state: "detached" });

      const elsewhere = await newVisit();
      await fillSignIn(elsewhere.page, email, password);
      await elsewhere.page.getByRole("heading", { name: "Good to see you, Cy" }).waitFor();
      await elsewhere.context.close();
      await page.reload();
      const end = page.getByRole("button", { name: "End", exact: true });
      await end.waitFor();
      await page.getByLabel("Current password").fill("not this one");
      await page.getByLabel("New password").fill("another four words");
      await page.getByRole("button", { name: "Change password" }).click();
      await page.getByText("is not your password").waitFor();
      await page.getByLabel("Current password").fill(password);
      await page.getByRole("button", { name: "Change password" }).click();
      await page.getByText("Changed.").waitFor();
      assert.equal(await page.getByLabel("Current password").inputValue(), "");
      assert.equal(await page.getByLabel("New password").inputValue(), "");
      await end.waitFor({ state: "detached" });
      await page.getByLabel("Role of Cy Both").selectOption("viewer");
      await page.getByRole("button", { name: "Set role" }).click();
      await page.getByLabel("Invite by e-mail").waitFor({ state: "detached" });
      await page.getByRole("button", { name: "Sign out" }).click();
      await page.getByRole("heading", { level: 1, name: "Sign in" }).waitFor();
      await fillSignIn(page, email, "another four words");
      await page.getByRole("heading", { name: "Good to see you, Cy" }).waitFor();
      await context.close();
    },
  );

  test("signing out that did not work says so, and a page that the browser kept is loaded anew", { skip }, async () => {
    const { page, context } = await newVisit();
    await fillSignIn(page, signIn.email, password);
    await page.getByRole("heading", { name: "Good to see you, Ada" }).waitFor();
    await open(page, "/keys", "API keys");
    const isSignOut = (route: Route) => route.request().method() === "DELETE";
    await page.route("**/console/api/session", (route) => (isSignOut(route) ? route.abort() : route.fallback()));
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.locator(".sidebar [role=alert]", { hasText: "The service did not answer" }).waitFor();
    await page.getByRole("heading", { level: 1, name: "API keys" }).waitFor();

    await page.unroute("**/console/api/session");
    // As after a sign-out in another tab, and the way back to this page.
    await page.request.delete("/console/api/session");
    await page.evaluate(`dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }))`);
    await page.getByRole("heading", { level: 1, name: "Sign in" }).waitFor();
    await context.close();
  });

  test("a compromised secret is replaced at once, and a failed delivery is sent again by hand", { skip }, async () => {
    const { page } = stage.owner;
    await open(page, "/webhooks", "Webhooks");
    await page.getByRole("button", { name: "Add endpoint" }).click();
    await page.getByLabel("Address").fill("https://127.0.0.1:9443/leaked");
    await page.getByRole("dialog").getByRole("button", { name: "Add endpoint" }).click();
    const before = await revealed(page);
    await page.getByRole("link", { name: "https://127.0.0.1:9443/leaked" }).click();
    await page.getByRole("button", { name: "Rotate secret" }).click();
    await page.getByRole("button", { name: "The secret leaked: revoke it" }).click();
    assert.notEqual(await revealed(page), before);

    await page.getByRole("button", { name: "Send a test event" }).click();
    await page.getByText("webhook.test").first().click();
    await page.getByText("Attempt 1").waitFor();
    await page.setViewportSize({ width: 390, height: 844 });
    assert.deepEqual(await tooWide(page), [], "an endpoint on a phone");
    await page.setViewportSize({ width: 1_280, height: 860 });
    await page.getByRole("button", { name: "Send again" }).click();
    await page.getByText(", sent by hand").waitFor();
    await page.getByRole("button", { name: "Delete" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete endpoint" }).click();
    await page.getByText("No endpoints yet").waitFor();
  });

  test("keys alone reach the content and the menu, and leave it", { skip }, async () => {
    const { page, context } = await newVisit({ width: 390, height: 844 });
    await context.addCookies((await stage.owner.context.storageState()).cookies);
    await open(page, "/jobs", "Jobs");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    assert.equal(await page.evaluate("document.activeElement.id"), "content");

    const menu = page.getByRole("button", { name: "Menu" });
    await menu.press("Enter");
    assert.equal(await page.evaluate("document.activeElement.closest('.sidebar') !== null"), true);
    await page.keyboard.press("Escape");
    await page.locator('.sidebar[data-open="false"]').waitFor({ state: "attached" });
    assert.equal(await menu.evaluate((button) => button.ownerDocument.activeElement === button), true);
    await context.close();
  });

  test("on a slow network a page shows at once that it loads, and then what came", { skip }, async () => {
    const { page, context } = await newVisit();
    await context.addCookies((await stage.owner.context.storageState()).cookies);
    await open(page, "/jobs", "Jobs");
    const held = Promise.withResolvers<void>();
    await page.route("**/console/api/keys", async (route) => {
      await held.promise;
      await route.continue();
    });
    await page.getByRole("link", { name: "API keys" }).click();
    await page.getByRole("heading", { level: 1, name: "API keys" }).waitFor();
    await page.getByRole("status", { name: "Loading" }).waitFor();
    assert.deepEqual(await axe(page), []);
    held.resolve();
    await page.getByText("First live key").waitFor();
    await context.close();
  });
}
