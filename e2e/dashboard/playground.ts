import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { test } from "node:test";
import { promisify } from "node:util";
import type { Page } from "playwright-core";
import { axe } from "../browser.ts";
import { newVisit, open, skip, stage, tooWide } from "./stage.ts";

const run = promisify(execFile);

export function playgroundTests() {
  test("the playground searches, shows a map and JSON, and scraped markup stays text", { skip }, async () => {
    const { page } = stage.owner;
    const markup = '<img src=x onerror="window.pwned=1"><script>window.pwned=1</script>';
    await page.route("**/console/api/test/search", async (route) => {
      const response = await route.fetch();
      const body = await response.json();
      body.data.businesses[0].place.name = markup;
      body.data.businesses[1].place.website = "javascript:window.pwned=1";
      body.data.businesses[2].place.address.formatted = "x".repeat(300);
      body.data.businesses[3].place.address.formatted = "50 درج الزعتر";
      await route.fulfill({ response, json: body });
    });
    await open(page, "/playground", "Playground");
    await page.getByRole("button", { name: "Search, free" }).click();
    await page.getByRole("button", { name: markup }).waitFor();
    assert.equal(await page.locator('a[href^="javascript"]').count(), 0);
    assert.deepEqual(await tooWide(page), [], "a word without an end widens no table");
    assert.ok(await readsFromTheRight(page, "50 درج الزعتر"), "an Arabic address begins at its right");

    await page.getByRole("button", { name: "JSON" }).click();
    await page.getByText('"businesses"').waitFor();
    await page.getByRole("button", { name: "List", exact: true }).click();
    await page.getByRole("button", { name: markup }).click();
    // The map shows the chosen business in its middle.
    await page.locator(".map[data-ready][data-idle] canvas").click();
    assert.equal(await page.locator(".maplibregl-popup").innerText(), markup);
    assert.equal(await page.evaluate("window.pwned"), undefined);

    const before = await page.locator(".map canvas").elementHandle();
    await page.getByRole("button", { name: "Light or dark" }).click();
    await before?.waitForElementState("hidden");
    await page.locator(".map[data-ready] canvas").waitFor();
    await page.getByRole("button", { name: "Light or dark" }).click();
    await page.unroute("**/console/api/test/search");
  });

  test(
    "an area is chosen on the playground's map by keys, and each copied call works as it stands",
    { skip },
    async () => {
      const { page, context } = stage.owner;
      await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: stage.service.address });
      await open(page, "/playground", "Playground");
      await page.getByLabel("Query").fill(`o'neill's "bar" in Vaduz`);
      await page.getByRole("button", { name: "Choose on the map" }).press("Enter");
      await page.locator(".map.around[data-ready] canvas").focus();
      await page.keyboard.press("ArrowRight");
      const given = await page.waitForFunction(`/^@.+z$/.exec(document.querySelector('[name="ll"]').value)?.[0]`);
      const ll = String(await given.jsonValue());

      await page.getByRole("button", { name: "Copy as" }).click();
      assert.deepEqual(await axe(page), []);
      const dialog = page.getByRole("dialog");
      await dialog.getByRole("button", { name: "Copy", exact: true }).click();
      await dialog.getByRole("button", { name: "Copied" }).waitFor();
      assert.equal(await page.evaluate("navigator.clipboard.readText()"), await dialog.locator("pre").innerText());

      const env = { PATH: process.env["PATH"], WAYPOST_API_KEY: /svc_test_\S+/.exec(stage.service.output)?.[0] };
      const call = async (file: string, ...words: string[]) =>
        (await run(file, words, { env, cwd: import.meta.dirname })).stdout;
      const snippet = async (language: string) => {
        await dialog.getByRole("button", { name: language, exact: true }).click();
        return dialog.locator("pre").innerText();
      };
      const script = `${await snippet("TypeScript")}\nconsole.log(businesses.length);`;
      assert.equal(await call(process.execPath, "--input-type=module-typescript", "-e", script), "20\n");
      const hasCurl = await call("curl", "--version").then(Boolean, () => false);
      for (const language of hasCurl ? ["curl", "MCP"] : []) {
        const answer = await call("sh", "-c", await snippet(language));
        assert.ok(answer.includes(`"total":20,"params":{"q":"o'neill's`) && answer.includes(`"ll":"${ll}"`), language);
      }
    },
  );

  test("a browser that does not copy is told of, and another environment's answer is not shown", { skip }, async () => {
    const { page, context } = await newVisit();
    await context.addCookies((await stage.owner.context.storageState()).cookies);
    await page.addInitScript(`navigator.clipboard.writeText = () => Promise.reject(new Error("not allowed"))`);
    await open(page, "/playground", "Playground");
    await page.getByRole("button", { name: "Copy as" }).click();
    await page.getByRole("button", { name: "Copy", exact: true }).click();
    await page.getByText("The browser did not copy it.").waitFor();
    await page.keyboard.press("Escape");

    await page.getByRole("button", { name: "Search, free" }).click();
    await page.getByText("20 businesses").waitFor();
    await page.getByRole("button", { name: "Live" }).click();
    await page.getByText("20 businesses").waitFor({ state: "detached" });
    await page.getByText("A page costs one unit").waitFor();
    await page.getByRole("button", { name: "Test", exact: true }).click();
    await page.getByText("20 businesses").waitFor();
    await context.close();
  });
}

/** Whether the first character of a text stands to the right of its last. */
function readsFromTheRight(page: Page, text: string): Promise<boolean> {
  return page.getByText(text).evaluate((element) => {
    const words = element.ownerDocument.createTreeWalker(element, 4).nextNode();
    const leftOf = (from: number) => {
      const range = element.ownerDocument.createRange();
      range.setStart(words, from);
      range.setEnd(words, from + 1);
      return range.getBoundingClientRect().left;
    };
    return leftOf(0) > leftOf(words.length - 1);
  });
}
