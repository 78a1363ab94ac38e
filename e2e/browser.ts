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

/** What axe finds wrong with the page as it stands, in light and in dark, in one line each. */
export async function axe(page: Page): Promise<string[]> {
  await page.evaluate(axeCore.source);
  const found = [];
  for (const colorScheme of ["dark", "light"] as const) {
    await page.emulateMedia({ colorScheme });
    for (const line of await violations(page)) found.push(`${colorScheme}: ${line}`);
  }
  return found;
}

function violations(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const { axe: checker } = globalThis as unknown as { axe: { run(): Promise<{ violations: Violation[] }> } };
    type Violation = { id: string; nodes: { html: string; failureSummary?: string }[] };
    const report = await checker.run();
    return report.violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 160)} ${failureSummary ?? ""}`),
    );
  });
}
