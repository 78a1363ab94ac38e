import assert from "node:assert/strict";
import { test } from "node:test";
import { axe } from "../browser.ts";
import { newVisit, open, revealed, runAheadUntil, signIn, skip, stage } from "./stage.ts";

export function deadEndTests() {
  test("an address without a page has the frame, a sentence and a way home", { skip }, async () => {
    const { page } = stage.owner;
    for (const path of ["/nowhere", "/jobs/one/too-deep"]) await open(page, path, "No such page");
    assert.deepEqual(await axe(page), []);
    await page.getByRole("navigation", { name: "Pages" }).waitFor();
    await page.getByRole("link", { name: "Back to the overview" }).click();
    await page.getByRole("heading", { level: 1, name: /^Good to see you/ }).waitFor();
  });

  test("an address that cannot be read has the same sentence and a way home", { skip }, async () => {
    const { page } = stage.owner;
    for (const path of ["/%ff", "/jobs/%E0%A4%A"]) {
      await open(page, path, "No such page");
      assert.deepEqual(await axe(page), [], path);
    }
    await page.getByRole("link", { name: "Back to the overview" }).click();
    await page.getByRole("heading", { level: 1, name: /^Good to see you/ }).waitFor();
  });

  test("what an address asks for and is none of the choices counts as not asked", { skip }, async () => {
    const { page, context } = await newVisit();
    await page.goto("/console/sign-in?next=//evil.example");
    await page.getByLabel("E-mail").fill(signIn.email);
    await page.getByLabel("Password").fill(signIn.password);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.getByRole("heading", { level: 1, name: /^Good to see you/ }).waitFor();
    await open(page, "/jobs?status=bogus", "Jobs");
    await page.getByRole("link", { name: "All", exact: true }).and(page.locator('[aria-current="page"]')).waitFor();
    await page.locator('[aria-busy="true"]').first().waitFor({ state: "detached" });
    assert.equal(await page.getByRole("alert").count(), 0);
    await context.close();
  });

  test("a join link without its token says what is missing, and who has one", { skip }, async () => {
    const { page, context } = await newVisit();
    await page.goto("/console/join");
    await page.getByRole("heading", { level: 1, name: "This link is incomplete" }).waitFor();
    await page.getByText("ask an owner of your organization for a new one").waitFor();
    assert.equal(await page.getByText("/token").count(), 0);
    assert.deepEqual(await axe(page), []);
    await context.close();
  });

  test("the way back leaves a secret that is not stored yet on the page", { skip }, async () => {
    const { page } = stage.owner;
    await open(page, "/jobs", "Jobs");
    await page.getByRole("link", { name: "API keys" }).click();
    await page.getByRole("button", { name: "Create key" }).click();
    await page.getByLabel("Name").fill("of a careful person");
    await page.getByRole("dialog").getByRole("button", { name: "Create key" }).click();
    await page.getByTestId("secret").waitFor();
    assert.deepEqual(await axe(page), []);

    await page.evaluate("history.back()");
    assert.match(await revealed(page), /^svc_live_/);
    await page.getByRole("heading", { level: 1, name: "API keys" }).waitFor();
    await page.goBack();
    await page.getByRole("heading", { level: 1, name: "Jobs" }).waitFor();
  });

  test("a page that failed while the service was away shows its content by itself afterwards", { skip }, async () => {
    const { page, context } = await newVisit();
    await context.addCookies((await stage.owner.context.storageState()).cookies);
    await page.clock.install();
    await open(page, "/jobs", "Jobs");
    await page.route("**/console/api/**", (route) => route.abort());
    await page.getByRole("link", { name: "Usage" }).click();
    await runAheadUntil(page, page.getByRole("alert").filter({ hasText: "The service did not answer" }).waitFor());

    await page.unroute("**/console/api/**");
    // Sooner than the page's own interval of half a minute, also on a busy machine.
    await page.clock.runFor(5_000);
    await page.getByRole("heading", { name: /^Units per day/ }).waitFor({ timeout: 20_000 });
    assert.equal(await page.getByRole("alert").count(), 0);
    await context.close();
  });

  test(
    "a page that is opened while the service is away says so, and comes by itself afterwards",
    { skip },
    async () => {
      const { page, context } = await newVisit();
      await context.addCookies((await stage.owner.context.storageState()).cookies);
      await page.route("**/console/api/**", (route) => route.abort());
      await page.clock.install();
      await page.goto("/console/usage");
      await runAheadUntil(page, page.getByRole("heading", { level: 1, name: "Waypost is away" }).waitFor());
      await page.getByRole("alert").filter({ hasText: "The service did not answer" }).waitFor();
      assert.deepEqual(await axe(page), []);

      await page.unroute("**/console/api/**");
      await page.clock.runFor(5_000);
      await page.getByRole("heading", { name: /^Units per day/ }).waitFor({ timeout: 20_000 });
      assert.equal(await page.getByRole("alert").count(), 0);
      await context.close();
    },
  );
}
