// Takes the pictures of README.md and docs/guides/first-ten-minutes.md, of the sample: npm run pictures [FOLDER]
// It runs a service of its own on a folder that is removed afterwards.
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { buildDashboardWhenStale } from "../cli/src/dashboard.ts";
import { findChromium } from "../scripts/chromium.ts";
import { makeTempFolder, removeFolder } from "../server/test/temp-folder.ts";
import { launch, visit } from "./browser.ts";
import { type RunningService, root, startServiceUntil, waypost } from "./service.ts";

const folder = process.argv[2] ?? join(root, "docs/images");
const chromium = await findChromium();
if ("missing" in chromium) throw new Error(chromium.missing);
await buildDashboardWhenStale();
const dataFolder = await makeTempFolder();
const environment = { WAYPOST_DATA_DIR: dataFolder };
let stop: () => Promise<unknown> = () => Promise.resolve();
const browser = await launch(chromium.path);
try {
  const service = await startServiceUntil((step) => (stop = step), environment, ["cli/bin/waypost.js", "serve"]);
  const { code, stderr } = await waypost(
    ["catalog", "import", "server/data/sample/liechtenstein.osm.pbf"],
    environment,
  );
  if (code !== 0) throw new Error(stderr);
  const { page } = await visit(browser, service.address, { height: 760 });
  await signUp(page, service);
  await pictureSearch(page);
  await pictureCollection(page, service);
} finally {
  await browser.close();
  await stop();
  await removeFolder(dataFolder);
}

/** As the first owner, who works in the live environment. */
async function signUp(page: Page, { output }: RunningService): Promise<void> {
  await page.goto(/http\S+\/console\/join#\S+/.exec(output)?.[0] ?? "");
  await page.getByLabel("Your name").fill("Ada Keller");
  await page.getByLabel("E-mail").fill("ada@example.com");
  await page.getByLabel("Choose a password").fill("four words make this");
  await page.getByRole("button", { name: "Join" }).click();
  await page.waitForURL("**/console/");
  await page.evaluate(() => localStorage.setItem("waypost.environment", "live"));
}

async function pictureSearch(page: Page): Promise<void> {
  await page.goto("/console/playground");
  await page.getByLabel("Query").fill("coffee in Vaduz");
  await page.getByRole("button", { name: /^Search/ }).click();
  await page.getByText("Café Amann").first().waitFor();
  await page.screenshot({ path: join(folder, "first-search.png") });
}

async function pictureCollection(page: Page, { address }: RunningService): Promise<void> {
  const created = await page.request.post("/console/api/live/collections", {
    data: { q: "restaurants", area: { place: "Vaduz" }, max_units: 100 },
    headers: { "Idempotency-Key": randomUUID(), Origin: address },
  });
  const { data } = (await created.json()) as { data: { id: string } };
  await page.goto(`/console/collections/${data.id}`);
  await page
    .getByText(/succeeded/i)
    .first()
    .waitFor();
  await page.locator(".map[data-ready] canvas").waitFor();
  await page.locator(".map[data-idle]").waitFor();
  await page.screenshot({ path: join(folder, "first-collection.png") });
}
