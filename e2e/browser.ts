import axeCore from "axe-core";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";

export type Visit = {
  page: Page;
  context: BrowserContext;
  /** What the page complained of: policy violations, uncaught errors, failed requests but for the expected 4xx. */
  complaints: string[];
};

/** Every wait of a test ends, also on a machine that does many other things. */
const deadlineMs = 90_000;

export function launch(executablePath: string): Promise<Browser> {
  return chromium.launch({ executablePath });
}

/** A browser profile of its own, with one page. */
export async function visit(
  browser: Browser,
  baseURL: string,
  {
    colorScheme = "light",
    width = 1280,
    height = 860,
  }: { colorScheme?: "light" | "dark"; width?: number; height?: number } = {},
): Promise<Visit> {
  const context = await browser.newContext({
    baseURL,
    colorScheme,
    reducedMotion: "reduce",
    viewport: { width, height },
  });
  const page = await context.newPage();
  page.setDefaultTimeout(deadlineMs);
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(`error: ${error.message}`));
  page.on("console", (message) => {
    if (message.type() !== "error" && !/content security policy/i.test(message.text())) return;
    // The browser reports each answer of 400 and above; the pages show those to the person.
    if (/Failed to load resource/.test(message.text())) return;
    complaints.push(`console: ${message.text()}`);
  });
  return { page, context, complaints };
}

/** The rules of axe that look at colors, which are all that differs between the two schemes. */
const colorRules = ["color-contrast", "link-in-text-block"];

/** What axe finds wrong with the page as it stands, in light and in dark, in one line each. */
export async function axe(page: Page): Promise<string[]> {
  if (!(await page.evaluate("'axe' in globalThis"))) await page.evaluate(axeCore.source);
  const found = [];
  for (const [colorScheme, rules] of [
    ["dark", colorRules],
    ["light", undefined],
  ] as const) {
    await page.emulateMedia({ colorScheme });
    for (const line of await violations(page, rules)) found.push(`${colorScheme}: ${line}`);
  }
  return found;
}

/** By these rules, or by all that axe has. */
function violations(page: Page, rules: readonly string[] | undefined): Promise<string[]> {
  return page.evaluate(async (runOnly) => {
    const { axe: checker } = globalThis as unknown as { axe: Checker };
    type Checker = { run(options: { runOnly?: readonly string[] }): Promise<{ violations: Violation[] }> };
    type Violation = { id: string; nodes: { html: string; failureSummary?: string }[] };
    const report = await checker.run(runOnly ? { runOnly } : {});
    return report.violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 160)} ${failureSummary ?? ""}`),
    );
  }, rules);
}
