// Takes a picture of each page of the dashboard, light and dark, and on a phone: npm run screenshots [FOLDER]
// It runs a service of its own on a folder that is removed afterwards.
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Browser, Page } from "playwright-core";
import { buildDashboardWhenStale } from "../cli/src/dashboard.ts";
import { launch, visit } from "./browser.ts";
import { administer, databaseUrl, openTestPostgres } from "../server/test/postgres.ts";
import { makeTempFolder, removeFolder } from "../server/test/temp-folder.ts";
import { findChromium } from "../scripts/chromium.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const folder = process.argv[2] ?? join(root, "screenshots");
const only = process.argv[3];
const readyDeadlineMs = 180_000;
const phoneHeightMax = 2_000;

await buildDashboardWhenStale();
const chromium = await findChromium();
if ("missing" in chromium) throw new Error(chromium.missing);
await mkdir(folder, { recursive: true });
const dataFolder = await makeTempFolder();
const postgres = await openTestPostgres(dataFolder);
await administer(postgres.connection, "create database pictures");
// The town of the tests: nothing in the pictures is anybody's data.
const service = spawn(process.execPath, ["e2e/dashboard/service.ts"], {
  cwd: root,
  env: {
    PATH: process.env["PATH"],
    DATABASE_URL: databaseUrl({ ...postgres.connection, database: "pictures" }),
    WAYPOST_DATA_DIR: dataFolder,
    WAYPOST_PORT: "0",
    WAYPOST_LOG_LEVEL: "warn",
    WAYPOST_OUTBOUND_ALLOW: "127.0.0.0/8",
    WAYPOST_WEBHOOK_PORTS: "443,9443",
  },
  stdio: ["ignore", "pipe", "inherit"],
});
const ended = new Promise((resolve) => service.on("exit", resolve));
const browser = await launch(chromium.path);
try {
  const link = await readLink();
  const state = await prepare(browser, link);
  for (const [look, options] of [
    ["light", { colorScheme: "light" }],
    ["dark", { colorScheme: "dark" }],
    ["phone", { colorScheme: "light", width: 390, height: 844 }],
  ] as const) {
    const { page, context, complaints } = await visit(browser, link.origin, options);
    await shoot(page, look, "sign-in", "/console/sign-in");
    await context.addCookies(state.cookies);
    await tour(page, look, state);
    await context.close();
    for (const complaint of complaints) console.error(`${look}: ${complaint}`);
  }
} finally {
  await browser.close();
  service.kill("SIGTERM");
  await ended;
  await postgres.stop();
  await removeFolder(dataFolder);
}

/** The link of the first owner, which the first start prints. */
async function readLink(): Promise<URL> {
  const deadline = AbortSignal.timeout(readyDeadlineMs);
  let output = "";
  return new Promise((resolve, reject) => {
    deadline.addEventListener("abort", () => reject(new Error(`the service was not ready in time: ${output}`)));
    service.stdout.on("data", (chunk) => {
      output += String(chunk);
      const found = /http\S+\/console\/join#\S+/.exec(output)?.[0];
      if (found) resolve(new URL(found));
    });
  });
}

/** Signs the first owner up, and makes a job and an endpoint worth a picture. */
async function prepare(within: Browser, link: URL) {
  const { page, context } = await visit(within, link.origin);
  await page.goto(link.href);
  await page.getByLabel("Your name").fill("Ada Keller");
  await page.getByLabel("E-mail").fill("ada@example.com");
  await page.getByLabel("Choose a password").fill("four words make this");
  await page.screenshot({ path: join(folder, "join-light.png") });
  await page.getByRole("button", { name: "Join" }).click();
  await page.waitForURL("**/console/");
  const send = async (path: string, data?: object) => {
    const headers = { "Idempotency-Key": randomUUID(), Origin: link.origin };
    const answer = await page.request.post(`/console/api${path}`, { ...(data ? { data } : {}), headers });
    const body = (await answer.json()) as { data: { id: string } };
    if (!answer.ok()) throw new Error(`${path}: ${JSON.stringify(body)}`);
    return body.data.id;
  };
  for (const q of [
    "bakeries in Lyon",
    "dentist in Bergen",
    "test:partial hotels in Oslo",
    "test:failed museums in Rome",
  ]) {
    await send("/test/scrapes", { operation: "places.search", input: { q } });
  }
  const jobId = await send("/test/scrapes", {
    operation: "places.search",
    input: { q: "coffee in Vaduz", extra: true },
  });
  const endpointId = await send("/live/webhook-endpoints", {
    url: "https://127.0.0.1:9443/waypost",
    event_types: ["scrape.completed", "scrape.failed"],
    description: "Our warehouse",
  });
  await send(`/live/webhook-endpoints/${endpointId}/test`);
  await send("/test/exports", { job_id: jobId, format: "csv" });
  const area = { place: "Town of tests" };
  const collectionId = await send("/live/collections", { q: "shops", area, max_units: 70 });
  await send("/live/collections", { q: "cafés", area: { bbox: [47.12, 9.48, 47.16, 9.56] }, max_units: 200 });
  await send("/live/scrapes", { operation: "places.search", input: { q: "restaurants" } });
  for (const q of ["coffee", "hotels", "bakery"])
    await page.request.post("/console/api/live/search", { data: { q }, headers: { Origin: link.origin } });
  const { cookies } = await context.storageState();
  await context.close();
  return { cookies, jobId, endpointId, collectionId };
}

type Prepared = { jobId: string; endpointId: string; collectionId: string };

async function tour(page: Page, look: string, { jobId, endpointId, collectionId }: Prepared): Promise<void> {
  await shoot(page, look, "overview", "/console/");
  await shoot(page, look, "area", "/console/playground", async () => {
    await page.getByRole("button", { name: "Choose on the map" }).click();
    await drawn(page);
  });
  await shoot(page, look, "playground", "/console/playground", async () => {
    await page.getByRole("button", { name: /^Search/ }).click();
    await page.getByRole("button", { name: "Map", exact: true }).waitFor();
  });
  await shoot(page, look, "map", undefined, async () => {
    await page.getByRole("button", { name: "Map", exact: true }).click();
    await drawn(page);
  });
  await shoot(page, look, "jobs", "/console/jobs");
  await shoot(page, look, "job", `/console/jobs/${jobId}`);
  await choose(page, "live");
  await shoot(page, look, "collections", "/console/collections");
  await shoot(page, look, "collection", `/console/collections/${collectionId}`, () => drawn(page));
  await shoot(page, look, "new-collection", "/console/collections/new", async () => {
    await page.getByLabel("Query").fill("shops");
    await page.getByLabel("Place").fill("Town of tests");
    await page.getByText("counted without charge").waitFor();
    await drawn(page);
  });
  await choose(page, "test");
  await shoot(page, look, "exports", "/console/exports");
  await shoot(page, look, "webhooks", "/console/webhooks");
  await shoot(page, look, "webhook", `/console/webhooks/${endpointId}`, async () => {
    await page.getByText("webhook.test").first().click();
    await page.getByText("Attempt 1").waitFor();
  });
  await shoot(page, look, "keys", "/console/keys");
  await shoot(page, look, "usage", "/console/usage");
  await shoot(page, look, "catalog", "/console/catalog", () => drawn(page));
  await shoot(page, look, "settings", "/console/settings");
}

/** Shows the pages of one environment from now on. */
async function choose(page: Page, environment: string): Promise<void> {
  if (!page.url().startsWith("http")) await page.goto("/console/sign-in");
  await page.evaluate((chosen) => localStorage.setItem("waypost.environment", chosen), environment);
}

/** Resolves when the map has drawn all it has. */
async function drawn(page: Page): Promise<void> {
  await page.locator(".map[data-ready] canvas").waitFor();
  await page.locator(".map[data-idle]").waitFor();
}

async function shoot(
  page: Page,
  look: string,
  name: string,
  path: string | undefined,
  prepareShot?: () => Promise<void>,
) {
  if (only && !only.split(",").includes(name) && !(only.includes("map") && name === "playground")) return;
  if (path) await page.goto(path);
  await page.getByRole("heading", { level: 1 }).waitFor();
  await page.locator('[aria-busy="true"]').first().waitFor({ state: "detached" });
  await prepareShot?.();
  await page.evaluate("scrollTo(0, 0)");
  const height = await page.evaluate<number>("document.documentElement.scrollHeight");
  // A phone's picture shows the whole page, and of a long list its beginning.
  const clip = { x: 0, y: 0, width: 390, height: Math.min(height, phoneHeightMax) };
  await page.screenshot({
    path: join(folder, `${name}-${look}.png`),
    ...(look === "phone" ? { clip, fullPage: true } : {}),
  });
}
