import assert from "node:assert/strict";
import { test } from "node:test";
import { newVisit, open, revealed, skip, stage, tooWide } from "./stage.ts";

const content = "#content:focus";

export function keyboardTests() {
  test("the focus stays where it was, or goes to the content when what had it is gone", { skip }, async () => {
    const { page } = stage.owner;
    const called = `kept by keys ${Date.now()}`;
    await open(page, "/keys", "API keys");
    await page.getByRole("button", { name: "Create key" }).press("Enter");
    await page.getByLabel("Name").fill(called);
    let created = 0;
    page.on("request", (request) => (created += request.method() === "POST" ? 1 : 0));
    await page.getByRole("dialog").getByRole("button", { name: "Create key" }).dblclick();
    await revealed(page);
    assert.equal(created, 1, "a double click made more than one key");
    await page.locator(content).waitFor();
    const row = page.getByRole("row").filter({ hasText: called });
    await row.getByRole("button", { name: "Revoke" }).press("Enter");
    await page.getByLabel("Reason").fill("it was made for a test");
    await page.getByRole("button", { name: "Revoke for good" }).press("Enter");
    await row.getByText("revoked").waitFor();
    await page.locator(content).waitFor();

    await open(page, "/settings", "Settings");
    await page.getByLabel("Current password").fill("not this one");
    await page.getByLabel("New password").fill("another four words");
    await page.getByRole("button", { name: "Change password" }).press("Enter");
    await page.getByRole("alert").filter({ hasText: "is not your password" }).waitFor();
    await page.locator(":focus", { hasText: "Change password" }).waitFor();
    await page.getByLabel("Invite by e-mail").fill("dee@example.com");
    await page.getByRole("button", { name: "Make a link" }).press("Enter");
    await revealed(page);
    await page.locator(":focus", { hasText: "Make a link" }).waitFor();
    const invited = page.getByRole("row").filter({ hasText: "dee@example.com" });
    await invited.getByRole("button", { name: "Withdraw" }).press("Enter");
    await invited.waitFor({ state: "detached" });
    await page.locator(content).waitFor();
  });

  test("on a phone the focus follows a link of the menu to its page", { skip }, async () => {
    const { page, context } = await newVisit({ width: 320, height: 700 });
    await context.addCookies((await stage.owner.context.storageState()).cookies);
    await open(page, "/jobs", "Jobs");
    await page.getByRole("button", { name: "Menu" }).press("Enter");
    await page.getByRole("link", { name: "Usage" }).press("Enter");
    await page.getByRole("heading", { level: 1, name: "Usage" }).waitFor();
    await page.locator(content).waitFor();

    // The longest name that an organization may have, in one word.
    const session = await (await page.request.get("/console/api/session")).json();
    session.data.organization.name = "W".repeat(100);
    await page.route("**/console/api/session", (route) => route.fulfill({ json: session }));
    await open(page, "/", /^Good to see you/);
    assert.deepEqual(await tooWide(page), []);
    await context.close();
  });

  test("on a phone no long word of a collection or an error, and no command, widens the page", { skip }, async () => {
    const { page, context } = await newVisit({ width: 320, height: 700 });
    await context.addCookies((await stage.owner.context.storageState()).cookies);
    const word = "W".repeat(100);
    const progress = { cells_done: 1, cells_total: 4, pages: 1, businesses: 1, units_charged: 0 };
    const times = { created_at: "2026-11-18T00:00:00.000Z" };
    const collection = { id: "col_1", q: word, area: { place: word }, status: "partial", progress, ...times };
    await page.route("**/console/api/*/collections*", (route) => route.fulfill({ json: { data: [collection] } }));
    await open(page, "/collections", "Collections");
    await page.getByText(word).first().waitFor();
    assert.deepEqual(await tooWide(page), [], "a collection");

    const error = { code: "invalid_request", message: `No place is called ${word}.`, details: [], retryable: false };
    await page.route("**/console/api/usage*", (route) => route.fulfill({ status: 400, json: { error } }));
    await open(page, "/usage", "Usage");
    await page.getByText(error.message).first().waitFor();
    assert.deepEqual(await tooWide(page), [], "an error");

    const catalog = await (await page.request.get("/console/api/catalog")).json();
    catalog.data.data_sets = [];
    await page.route("**/console/api/catalog", (route) => route.fulfill({ json: catalog }));
    await open(page, "/catalog", "Catalog");
    await page.getByText("The catalog is empty").waitFor();
    assert.deepEqual(await tooWide(page), [], "a command");
    await context.close();
  });

  test("what has the focus and what is chosen is seen, also in colors of one's own", { skip }, async () => {
    const { page, context } = await newVisit();
    await context.addCookies((await stage.owner.context.storageState()).cookies);
    for (const forcedColors of ["none", "active"] as const) {
      await page.emulateMedia({ forcedColors });
      await open(page, "/playground", "Playground");
      const chosen = page.getByRole("group", { name: "Environment" }).getByRole("button", { name: "Test" });
      await page.getByRole("button", { name: "Live" }).focus();
      await page.keyboard.press("Shift+Tab");
      await chosen.and(page.locator(":focus")).waitFor();

      const style = (property: string) => `getComputedStyle(document.activeElement).${property}`;
      assert.equal(await page.evaluate(style("outlineStyle")), "solid", forcedColors);
      const background = await page.evaluate(style("backgroundColor"));
      await page.keyboard.press("Tab");
      assert.notEqual(await page.evaluate(style("backgroundColor")), background, forcedColors);
    }
    await context.close();
  });
}
