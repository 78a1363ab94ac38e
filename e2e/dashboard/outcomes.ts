import { test } from "node:test";
import type { Page } from "playwright-core";
import { open, skip, stage } from "./stage.ts";

async function createJob(page: Page, q: string) {
  await open(page, "/playground", "Playground");
  await page.getByLabel("Query").fill(q);
  await page.getByRole("button", { name: "Create a job" }).click();
  await page.getByRole("heading", { level: 1, name: q }).waitFor();
}

export function outcomeTests() {
  test("a job without results says why, and what it cost", { skip }, async () => {
    const { page } = stage.owner;
    for (const [q, status, sentence] of [
      ["test:empty", "succeeded", "The source had nothing for this query. Test jobs cost nothing."],
      ["test:failed", "failed", "The job failed before anything was stored. Test jobs cost nothing."],
      ["test:canceled", "canceled", "The job was canceled before anything was stored. Test jobs cost nothing."],
    ] as const) {
      await createJob(page, q);
      await page.locator(".badge", { hasText: status }).waitFor();
      await page.getByText(sentence, { exact: true }).waitFor();
    }
  });

  test("an empty test search says that it was made up to be empty", { skip }, async () => {
    const { page } = stage.owner;
    await open(page, "/playground", "Playground");
    await page.getByLabel("Query").fill("test:empty");
    await page.getByRole("button", { name: "Search, free" }).click();
    await page.getByText("Simulated searches have none when").waitFor();
  });
}
