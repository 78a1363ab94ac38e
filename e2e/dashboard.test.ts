import assert from "node:assert/strict";
import { test } from "node:test";
import { axe } from "./browser.ts";
import { collectionTests } from "./dashboard/collections.ts";
import { deadEndTests } from "./dashboard/dead-ends.ts";
import { failureTests } from "./dashboard/failures.ts";
import { interruptionTests } from "./dashboard/interruptions.ts";
import { keyboardTests } from "./dashboard/keyboard.ts";
import { mapTests } from "./dashboard/maps.ts";
import { outcomeTests } from "./dashboard/outcomes.ts";
import { peopleTests } from "./dashboard/people.ts";
import { playgroundTests } from "./dashboard/playground.ts";
import { confirm, newVisit, open, password, revealed, signIn, skip, stage, tooWide } from "./dashboard/stage.ts";

const scriptBytesMax = 300_000;

// One file for the runner, so that all of these share one service and one browser.
collectionTests();
mapTests();

test(
  "signing in: a wrong password is refused in words, the right one leads to the page that was wanted",
  { skip },
  async () => {
    const { page, context } = await newVisit();
    await page.goto("/console/keys");
    await page.getByLabel("E-mail").fill(signIn.email);
    await page.getByLabel("Password").fill("not the password");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByText("The e-mail address or the password is wrong").waitFor();

    await page.getByLabel("Password").fill(password);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("heading", { level: 1, name: "API keys" }).waitFor();

    // The session's end, wherever it was ended, leads back to the sign-in page.
    await context.clearCookies();
    // The page may also find out by itself, before the click.
    const jobs = page.getByRole("link", { name: "Jobs", exact: true });
    await jobs.click({ timeout: 10_000 }).catch(() => undefined);
    await page.getByRole("heading", { level: 1, name: "Sign in" }).waitFor();
    await context.close();
  },
);

test("the reference's pages are styled within its policy, the form for a request too", { skip }, async () => {
  const { page, context } = await newVisit();
  await page.addInitScript(`
    globalThis.blocked = [];
    document.addEventListener("securitypolicyviolation", (event) => blocked.push(event.violatedDirective));
  `);
  await page.goto("/docs/");
  await page.getByText("Test Request").first().click();
  await page.locator(".cm-editor").first().waitFor();

  // The editor's own style, which it makes when it is first shown.
  assert.equal(await page.evaluate("getComputedStyle(document.querySelector('.cm-editor')).display"), "flex");
  assert.doesNotMatch(String(await page.evaluate("blocked.join()")), /style-src-elem/);
  await context.close();
});

playgroundTests();
outcomeTests();
deadEndTests();

test("a job is created, followed, exported and downloaded", { skip }, async () => {
  const { page } = stage.owner;
  await open(page, "/playground", "Playground");
  await page.getByLabel("Query").fill('bakeries in "Lyon" <b>');
  await page.getByRole("button", { name: "Create a job" }).click();
  await page.getByRole("heading", { level: 1, name: 'bakeries in "Lyon" <b>' }).waitFor();
  await page.locator(".badge", { hasText: "succeeded" }).waitFor();

  await page.getByLabel("Export as").selectOption("csv");
  await page.getByRole("button", { name: "Export", exact: true }).click();
  await page.getByRole("heading", { level: 1, name: "Exports" }).waitFor();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Download" }).click(),
  ]);
  assert.match(download.suggestedFilename(), /\.csv$/);

  await open(page, "/jobs?status=succeeded", "Jobs");
  await page.getByRole("link", { name: 'bakeries in "Lyon" <b>' }).waitFor();
});

test("a running job can be canceled", { skip }, async () => {
  const { page } = stage.owner;
  await open(page, "/playground", "Playground");
  await page.getByLabel("Query").fill("test:slow bakeries");
  await page.getByRole("button", { name: "Create a job" }).click();
  await page.getByRole("button", { name: "Cancel job" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Cancel for good" }).click();
  await page.locator(".badge", { hasText: "canceled" }).waitFor();
  await page.getByText("The job was canceled before anything was stored. Test jobs cost nothing.").waitFor();
});

test("keys are created, rotated and revoked with a reason", { skip }, async () => {
  const { page } = stage.owner;
  await open(page, "/keys", "API keys");
  await page.getByRole("button", { name: "Create key" }).click();
  await page.getByLabel("Name").fill("billing service");
  await page.getByRole("dialog").getByRole("button", { name: "Create key" }).click();
  assert.match(await revealed(page), /^svc_live_/);

  const row = page.getByRole("row").filter({ hasText: "billing service" });
  await row.first().getByRole("button", { name: "Rotate" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Rotate" }).click();
  assert.match(await revealed(page), /^svc_live_/);
  await page.getByText("Replaced;").waitFor();

  await row.first().getByRole("button", { name: "Revoke" }).click();
  const revoke = page.getByRole("button", { name: "Revoke for good" });
  for (const [length, isRefused] of [
    [9, true],
    [10, false],
    [501, true],
    [500, false],
  ] as const) {
    // An emoji is one character, as the service counts.
    await page.getByLabel("Reason").fill("🔑".repeat(length));
    assert.equal(await revoke.isDisabled(), isRefused, `${length} characters`);
  }
  await page.getByLabel("Reason").fill(" ".repeat(10));
  await page.getByText("Blanks alone are no reason").waitFor();
  assert.equal(await revoke.isDisabled(), true);
  await page.getByLabel("Reason").fill("x".repeat(500));
  await revoke.click();
  await page.getByText("x".repeat(500)).waitFor();
  // The overlap ended with the key.
  const revoked = row.filter({ hasText: "revoked" });
  await revoked.getByText("Replaced", { exact: true }).waitFor();
  assert.equal(await revoked.getByText(/\bends\b/).count(), 0);
  // A word without an end widens no table.
  assert.deepEqual(await tooWide(page), []);
});

test("an endpoint is added, tested, paused, rotated and deleted", { skip }, async () => {
  const { page } = stage.owner;
  await open(page, "/webhooks", "Webhooks");
  await page.getByRole("button", { name: "Add endpoint" }).click();
  await page.getByLabel("Address").fill("http://127.0.0.1/hook");
  await page.getByRole("dialog").getByRole("button", { name: "Add endpoint" }).click();
  await page.locator(".problem").waitFor();
  await page.getByLabel("Address").fill("https://127.0.0.1:9443/hook");
  await page.getByRole("dialog").getByRole("button", { name: "Add endpoint" }).click();
  assert.match(await revealed(page), /^whsec_/);

  await page.getByRole("link", { name: "https://127.0.0.1:9443/hook" }).click();
  await page.getByRole("button", { name: "Send a test event" }).click();
  await page.getByText("webhook.test").first().waitFor();
  await page.getByRole("button", { name: "Rotate secret" }).click();
  // What cannot be read again meanwhile takes no secret away.
  await page.route("**/webhook-endpoints?limit=100", (route) => route.abort());
  await page.getByRole("button", { name: "Rotate normally" }).click();
  await page.locator('[role="alert"]', { hasText: "The service did not answer" }).waitFor();
  await page.unroute("**/webhook-endpoints?limit=100");
  assert.match(await revealed(page), /^whsec_/);
  await page.getByRole("button", { name: "Pause" }).click();
  await page.getByRole("button", { name: "Activate" }).waitFor();
  await confirm(page, page.getByRole("button", { name: "Delete" }), "Delete endpoint");
  await page.getByText("No endpoints yet").waitFor();
});

test("an invited viewer reads and changes nothing, and can be removed", { skip }, async () => {
  const { page } = stage.owner;
  await open(page, "/settings", "Settings");
  await page.getByLabel("Invite by e-mail").fill("bo@example.com");
  await page.getByLabel("Role", { exact: true }).selectOption("viewer");
  await page.getByRole("button", { name: "Make a link" }).click();
  const link = await revealed(page);

  const viewer = await newVisit();
  const forbidden: string[] = [];
  viewer.page.on("response", (response) => response.status() === 403 && forbidden.push(response.url()));
  await viewer.page.goto(link);
  await viewer.page.getByLabel("Your name").fill("Bo");
  await viewer.page.getByLabel("Choose a password").fill(password);
  await viewer.page.getByRole("button", { name: "Join" }).click();
  await viewer.page.getByRole("heading", { name: "Good to see you, Bo" }).waitFor();
  await open(viewer.page, "/keys", "API keys");
  await viewer.page.getByText("First live key").waitFor();
  assert.equal(await viewer.page.getByRole("button", { name: "Create key" }).count(), 0);
  await open(viewer.page, "/playground", "Playground");
  assert.equal(await viewer.page.getByRole("button", { name: /^Search/ }).isDisabled(), true);
  for (const [path, heading, sentence] of [
    ["/webhooks", "Webhooks", "webhooks need the role of a member"],
    ["/webhooks/whe_00000000000000000000000000", "Webhook endpoint", "webhooks need the role of a member"],
    ["/collections/new", "New collection", "collecting needs the role of a member"],
  ] as const) {
    await open(viewer.page, path, heading);
    await viewer.page.getByText(sentence).waitFor();
    assert.equal(await viewer.page.getByRole("alert").count(), 0, path);
  }
  // Nothing that only members may do was even tried.
  assert.deepEqual(forbidden, []);
  await open(viewer.page, "/jobs/job_00000000000000000000000000", "No such job");
  // A service that cannot answer does not say that the job is gone.
  const problem = { code: "internal_error", message: "Something broke.", details: [], retryable: false };
  await viewer.page.route("**/scrapes/job_*", (route) => route.fulfill({ status: 500, json: { error: problem } }));
  await open(viewer.page, "/jobs/job_00000000000000000000000000", "The job cannot be shown now");

  await page.reload();
  const bo = page.getByRole("row").filter({ hasText: "bo@example.com" });
  await confirm(page, bo.getByRole("button", { name: "Remove" }), "Remove member");
  await page.getByText("bo@example.com").waitFor({ state: "detached" });
  await viewer.page.getByRole("link", { name: "Jobs", exact: true }).click();
  await viewer.page.getByRole("heading", { level: 1, name: "Sign in" }).waitFor();
  await viewer.context.close();
});

test("without a network the page says so, and works again with one", { skip }, async (t) => {
  const { page, context } = stage.owner;
  await open(page, "/playground", "Playground");
  t.after(() => context.setOffline(false));
  await context.setOffline(true);
  // The browser may take a moment for it, in which a search would still be answered.
  await page.waitForFunction(() =>
    fetch("/healthz").then(
      () => false,
      () => true,
    ),
  );
  await page.getByRole("button", { name: "Search, free" }).click();
  await page.getByText("The service did not answer").waitFor();
  await context.setOffline(false);
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByText("20 businesses").waitFor();
});

peopleTests();
keyboardTests();
interruptionTests();
failureTests();

const pages = [
  "",
  "nowhere",
  "playground",
  "jobs",
  "collections",
  "collections/new",
  "exports",
  "webhooks",
  "keys",
  "usage",
  "catalog",
  "settings",
];
test("axe finds nothing on any page, light or dark, and the policy is never violated", { skip }, async () => {
  const { page, context, complaints } = await newVisit();
  await page.goto("/console/sign-in");
  await page.getByRole("heading", { level: 1 }).waitFor();
  assert.deepEqual(await axe(page), [], "sign-in");
  await context.addCookies((await stage.owner.context.storageState()).cookies);
  for (const path of pages) {
    await page.goto(`/console/${path}`);
    await page.getByRole("heading", { level: 1 }).waitFor();
    await page.locator('[aria-busy="true"]').first().waitFor({ state: "detached" });
    assert.deepEqual(await axe(page), [], path || "overview");

    await page.setViewportSize({ width: 390, height: 844 });
    assert.deepEqual(await tooWide(page), [], `${path || "overview"} on a phone`);
    await page.setViewportSize({ width: 1_280, height: 800 });
  }
  assert.deepEqual([...complaints, ...stage.owner.complaints], []);
  await context.close();
});

test("the first load is under 300 KB of compressed script, and leaves the map for later", { skip }, async (t) => {
  const html = await (await fetch(`${stage.service.address}/console/`)).text();
  const scripts = [...html.matchAll(/(?:src|href)="([^"]+\.js)"/g)].map(([, path]) => path ?? "");
  let bytes = 0;
  for (const path of scripts) {
    const response = await fetch(stage.service.address + path, {
      headers: { "Accept-Encoding": "gzip" },
      method: "HEAD",
    });
    bytes += Number(response.headers.get("Content-Length"));
  }
  t.diagnostic(`${scripts.length} scripts, ${bytes} bytes with gzip`);
  assert.ok(scripts.length > 0 && bytes > 0 && bytes < scriptBytesMax, `${bytes} bytes`);
});
