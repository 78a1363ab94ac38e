import assert from "node:assert/strict";
import { test } from "node:test";
import { open, skip, stage } from "./stage.ts";

export function failureTests() {
  test("a file that cannot be downloaded is told of on the page, which stays", { skip }, async () => {
    const { page } = stage.owner;
    await open(page, "/playground", "Playground");
    await page.getByLabel("Query").fill("bakeries in Bern");
    await page.getByRole("button", { name: "Create a job" }).click();
    await page.getByRole("button", { name: "Export", exact: true }).click();
    const download = page.getByRole("button", { name: "Download" }).first();
    await download.waitFor();
    const gone = { code: "export_expired", message: "The file is no longer kept.", details: [], retryable: false };
    await page.route("**/downloads/**", (route) => route.fulfill({ status: 410, json: { error: gone } }));
    await download.click();
    await page.getByRole("alert").filter({ hasText: "The file is no longer kept." }).waitFor();
    await page.getByRole("heading", { level: 1, name: "Exports" }).waitFor();

    await page.unroute("**/downloads/**");
    const [file] = await Promise.all([page.waitForEvent("download"), download.click()]);
    assert.match(file.suggestedFilename(), /\.csv$/);
    assert.equal(await page.getByRole("alert").count(), 0);
  });
}
