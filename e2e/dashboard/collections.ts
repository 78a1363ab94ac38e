import assert from "node:assert/strict";
import { test } from "node:test";
import { axe } from "../browser.ts";
import { chooseLive, confirm, open, skip, stage } from "./stage.ts";

export function collectionTests() {
  test(
    "a collection by place name is estimated, collected, shown complete on its map, and exported",
    { skip },
    async (t) => {
      const { page } = stage.owner;
      await open(page, "/collections", "Collections");
      await chooseLive(t, page);
      await page.getByText("No collections yet").waitFor();
      await page.getByRole("link", { name: "New collection" }).click();
      await page.getByLabel("Query").fill("houses");
      await page.getByLabel("Place").fill("Atlantis");
      await page.getByText("must be a town, region or country that the source knows").waitFor();
      await page.getByLabel("Place").fill("Town of tests");
      await page.getByText("1,300 businesses, counted without charge").waitFor();
      const estimated = Number.parseInt(await page.locator(".estimate-units").innerText(), 10);
      await page.locator(".map[data-ready] canvas").waitFor();
      await page.getByText("units are used this month").waitFor();
      assert.deepEqual(await axe(page), [], "an estimate");
      await page.getByRole("button", { name: /^Start, at most/ }).click();

      await page.getByRole("heading", { level: 1, name: "houses" }).waitFor();
      await page.locator(".badge", { hasText: "succeeded" }).waitFor();
      await page.getByText("100%", { exact: true }).first().waitFor();
      await page.locator(".map.coverage[data-ready] canvas").waitFor();
      // The middle of the town, where one of its houses is.
      await page.locator('.map.coverage[data-idle]:not([data-found="0"]) canvas').click();
      await page.locator(".maplibregl-popup", { hasText: /^\w+.* \d+$/ }).waitFor();
      // A corner of the area, where there is none.
      await page.locator(".map.coverage canvas").click({ position: { x: 75, y: 60 } });
      await page.locator(".maplibregl-popup", { hasText: "found on" }).waitFor();
      // The estimate was no guess.
      await page.getByText(`${estimated} of`).waitFor();
      await page.getByText("100 of 1,300 shown").waitFor();
      await page.getByRole("button", { name: "Show more" }).click();
      await page.getByText("200 of 1,300 shown").waitFor();
      assert.equal(await page.evaluate("window.pwned"), undefined);
      assert.deepEqual(await axe(page), []);

      await page.getByLabel("Export as").selectOption("geojson");
      await page.getByRole("button", { name: "Export", exact: true }).click();
      await page.getByRole("heading", { level: 1, name: "Exports" }).waitFor();
      await page.getByRole("button", { name: "Download" }).waitFor();
    },
  );

  test("a collection of a drawn area stops at its ceiling, and says what it left out", { skip }, async (t) => {
    const { page } = stage.owner;
    await open(page, "/collections/new", "New collection");
    await chooseLive(t, page);
    await page.getByLabel("Query").fill("houses drawn");
    await page.getByRole("button", { name: "On the map" }).click();
    await page.getByRole("button", { name: "Draw a box" }).click();
    const map = page.locator(".map[data-ready]");
    await map.click({ position: { x: 80, y: 60 } });
    await map.click({ position: { x: 400, y: 300 } });
    await page.getByText("The area is drawn.").waitFor();
    await page.locator(".estimate-units", { hasText: "unit" }).waitFor();
    await page.getByLabel("Ceiling in units").fill("3");
    await page.getByRole("button", { name: "Start, at most 3 units" }).click();

    await page.locator(".badge", { hasText: "partial" }).waitFor();
    await page.getByText("The ceiling was reached").waitFor();
    await page.getByText("Left out", { exact: true }).waitFor();
    await page.getByText("3 of 3").waitFor();
  });

  test("a shape is drawn point by point", { skip }, async (t) => {
    const { page } = stage.owner;
    await open(page, "/collections/new", "New collection");
    await chooseLive(t, page);
    await page.getByRole("button", { name: "On the map" }).click();
    await page.getByRole("button", { name: "Draw a shape" }).click();
    const map = page.locator(".map[data-ready]");
    for (const [x, y] of [
      [100, 80],
      [300, 90],
      [200, 260],
    ] as const)
      await map.click({ position: { x, y } });
    await page.getByRole("button", { name: "Close the shape" }).click();
    await page.getByText("The area is drawn.").waitFor();
  });

  test("a running collection is paused, resumed and canceled, and its state follows", { skip }, async (t) => {
    const { page } = stage.owner;
    await open(page, "/collections/new", "New collection");
    await chooseLive(t, page);
    // The same address as before is a reload, which keeps how the area was chosen.
    await page.getByRole("button", { name: "By name" }).click();
    await page.getByLabel("Query").fill("slow houses");
    await page.getByLabel("Place").fill("Town of tests");
    await page.getByRole("button", { name: /^Start, at most/ }).click();

    await page.getByRole("heading", { level: 1, name: "slow houses" }).waitFor();
    await page.getByText("0%", { exact: true }).first().waitFor();
    await page.getByRole("button", { name: "Pause" }).click();
    await page.locator(".badge", { hasText: "paused" }).waitFor();
    await page.getByText("Nothing is charged while it rests").waitFor();
    await page.getByRole("button", { name: "Resume" }).click();
    await page.getByRole("button", { name: "Pause" }).waitFor();
    await confirm(page, page.getByRole("button", { name: "Cancel collection" }), "Cancel for good");
    await page.locator(".badge", { hasText: "canceled" }).waitFor();
    await page.getByText("Canceled by a person").waitFor();
    await page.getByText("The collection was canceled before anything was stored.").waitFor();
    await open(page, "/collections/col_00000000000000000000000000", "No such collection");
  });

  test("a live job is followed by the service's events, and shows them", { skip }, async (t) => {
    const { page } = stage.owner;
    await open(page, "/playground", "Playground");
    await chooseLive(t, page);
    await page.getByLabel("Query").fill("slow houses");
    await page.getByRole("button", { name: "Create a job" }).click();
    await page.getByText("scrape.started").waitFor();
    const jobId = /job_\w+/.exec(page.url())?.[0] ?? "";

    // Somebody else cancels it. The page reads events again only when the stream tells of one.
    const headers = { "Idempotency-Key": `${jobId}-cancel`, Origin: stage.service.address };
    await page.request.post(`/console/api/live/scrapes/${jobId}/cancel`, { headers });
    await page.getByText("scrape.canceled").waitFor();
    await page.locator(".badge", { hasText: "canceled" }).waitFor();
    await page.getByText("The job was canceled before anything was stored. It cost its unit.").waitFor();

    await open(page, "/playground", "Playground");
    await page.getByLabel("Query").fill("houses");
    await page.getByRole("button", { name: "Create a job" }).click();
    await page.getByRole("button", { name: "Map", exact: true }).click();
    await page.locator(".map[data-ready] canvas").waitFor();
    assert.deepEqual(await axe(page), []);
  });
}
