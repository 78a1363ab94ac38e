import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { chooseLive, confirm, newVisit, open, skip, stage } from "./stage.ts";

type Usage = { data: { used: number } };

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

  test(
    "what was done although its answer was lost is done and charged once, when it is tried again",
    { skip },
    async (t) => {
      const { page } = stage.owner;
      const used = async () => ((await (await page.request.get("/console/api/usage")).json()) as Usage).data.used;
      await open(page, "/playground", "Playground");
      await chooseLive(t, page);
      const before = await used();
      for (const path of ["search", "scrapes"]) {
        await page.route(
          `**/live/${path}`,
          async (route) => {
            await route.fetch();
            await route.abort();
          },
          { times: 1 },
        );
      }

      await page.getByRole("button", { name: "Search, 1 unit" }).click();
      await page.getByText("The service did not answer").waitFor();
      await page.getByRole("button", { name: "Try again" }).click();
      await page.getByRole("group", { name: "View" }).waitFor();
      assert.equal((await used()) - before, 1);
      await page.getByRole("button", { name: "Create a job" }).click();
      await page.getByText("The service did not answer").waitFor();
      // A second click may come before the page has heard of the first.
      await page.getByRole("button", { name: "Create a job" }).dblclick();
      await page.waitForURL("**/jobs/job_*");
      assert.equal((await used()) - before, 2);
    },
  );

  test(
    "an export, a job and a collection are deleted where they are shown, and are gone afterwards",
    { skip },
    async () => {
      const { page } = stage.owner;
      const send = async (path: string, data: object) => {
        const headers = { "Idempotency-Key": `${path}-that-is-deleted`, Origin: stage.service.address };
        const answer = await page.request.post(`/console/api/test/${path}`, { headers, data });
        return ((await answer.json()) as { data: { id: string } }).data.id;
      };
      const statusOf = async (path: string) => (await page.request.get(`/console/api/test/${path}`)).status();
      const jobId = await send("scrapes", { operation: "places.search", input: { q: "tea to delete" } });
      const exportId = await send("exports", { job_id: jobId, format: "csv" });
      const area = { circle: { latitude: 47.14, longitude: 9.52, radius_m: 500 } };
      const collectionId = await send("collections", { q: "tea to delete", area, max_units: 1 });

      await open(page, "/exports", "Exports");
      const row = page.getByRole("row").filter({ hasText: jobId });
      await confirm(page, row.getByRole("button", { name: "Delete export" }), "Delete for good");
      await row.waitFor({ state: "detached" });
      assert.equal(await statusOf(`exports/${exportId}`), 404);

      await open(page, `/jobs/${jobId}`, "tea to delete");
      await confirm(page, page.getByRole("button", { name: "Delete job" }), "Delete for good");
      await page.getByRole("heading", { level: 1, name: "Jobs" }).waitFor();
      assert.equal(await statusOf(`scrapes/${jobId}`), 404);

      await open(page, `/collections/${collectionId}`, "tea to delete");
      await confirm(page, page.getByRole("button", { name: "Delete collection" }), "Delete for good");
      await page.getByRole("heading", { level: 1, name: "Collections" }).waitFor();
      assert.equal(await statusOf(`collections/${collectionId}`), 404);
    },
  );

  test("an empty test search says that it was made up to be empty", { skip }, async () => {
    const { page } = stage.owner;
    await open(page, "/playground", "Playground");
    await page.getByLabel("Query").fill("test:empty");
    await page.getByRole("button", { name: "Search, free" }).click();
    await page.getByText("Simulated searches have none when").waitFor();
  });

  test("how long ago something was goes on, on a page that nothing else changes", { skip }, async () => {
    const { page, context } = await newVisit();
    await context.addCookies((await stage.owner.context.storageState()).cookies);
    await page.clock.install();
    await open(page, "/keys", "API keys");
    const created = page.getByRole("row").filter({ hasText: "First live key" }).locator("time").last();
    await created.waitFor();
    await page.clock.fastForward("03:00:00");
    await created.filter({ hasText: "3 hours ago" }).waitFor();
    await context.close();
  });

  test("older exports are within reach, and a month without use has no busiest day", { skip }, async () => {
    const { page, context } = await newVisit();
    await context.addCookies((await stage.owner.context.storageState()).cookies);
    const exported = (id: string) => ({ id, job_id: id, format: "csv", status: "expired", size_bytes: null });
    await page.route("**/console/api/test/exports?*", (route) => {
      const isSecond = new URL(route.request().url()).searchParams.get("cursor") === "more";
      const data = [exported(isSecond ? "job_older" : "job_newer")];
      return route.fulfill({ json: { data, pagination: { next_cursor: isSecond ? null : "more" } } });
    });
    await open(page, "/exports", "Exports");
    await page.getByRole("link", { name: "job_newer" }).waitFor();
    await page.getByRole("button", { name: "Load older exports" }).click();
    await page.getByRole("link", { name: "job_older" }).waitFor();
    await page.getByRole("button", { name: "Load older exports" }).waitFor({ state: "detached" });

    const usage = await (await page.request.get("/console/api/usage")).json();
    for (const day of usage.data.days) Object.assign(day, { searches: 0, jobs: 0, other: 0 });
    await page.route("**/console/api/usage", (route) => route.fulfill({ json: usage }));
    await open(page, "/usage", "Usage");
    await page.getByText("Most on one day: 0").waitFor();
    await context.close();
  });
}
