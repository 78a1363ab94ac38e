// Starts a Prometheus on loopback with deploy/prometheus/alerts.yml and a service to scrape, and evaluates every
// expression of the alerts and of the Grafana dashboard in it: `npm run monitoring:check`. It needs Debian's
// package prometheus, or the binaries `prometheus` and `promtool` from elsewhere, on the PATH.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { readConfig } from "../server/src/service/config/config.ts";
import { silentLog } from "../server/src/platform/log.ts";
import { startService } from "../server/src/service/start.ts";
import { makeTempFolder, removeFolder } from "../server/test/temp-folder.ts";

const rules = fileURLToPath(new URL("../deploy/prometheus/alerts.yml", import.meta.url));
const dashboard = new URL("../deploy/grafana/waypost.json", import.meta.url);
const deadlineMs = 60_000;

type Rule = { name: string; health: string; state: string };
type Answer = { status: string; error?: string; data: { result: unknown[]; groups: { rules: Rule[] }[] } };

if (spawnSync("prometheus", ["--version"]).error) {
  console.error("prometheus is not on this machine: install Debian's package prometheus, or put it on the PATH.");
  process.exitCode = 2;
} else {
  await main();
}

async function main() {
  const folder = await makeTempFolder();
  const service = await startService(readConfig({ WAYPOST_DATA_DIR: folder, WAYPOST_PORT: "0" }), silentLog);
  const port = await freePort();
  const config = join(folder, "prometheus.yml");
  const target = service.address.replace("http://", "");
  await writeFile(
    config,
    JSON.stringify({
      global: { scrape_interval: "1s", evaluation_interval: "1s" },
      rule_files: [rules],
      scrape_configs: [{ job_name: "waypost", static_configs: [{ targets: [target] }] }],
    }),
  );
  const storage = `--storage.tsdb.path=${join(folder, "tsdb")}`;
  const words = [`--config.file=${config}`, storage, `--web.listen-address=127.0.0.1:${port}`, "--log.level=error"];
  const prometheus = spawn("prometheus", words, { stdio: ["ignore", "inherit", "inherit"] });
  const base = `http://127.0.0.1:${port}/api/v1`;
  try {
    await until(async () => (await query(base, 'up{job="waypost"} == 1')).length === 1, "the service was not scraped");
    await until(async () => (await loadedRules(base)).every(({ health }) => health === "ok"), "a rule is not healthy");
    const alerts = await loadedRules(base);
    const firing = alerts.filter(({ state }) => state === "firing").map(({ name }) => name);
    const panels = await expressions();
    const empty: string[] = [];
    for (const expression of panels) if ((await query(base, expression)).length === 0) empty.push(expression);
    console.log(`${alerts.length} alerts loaded, all healthy, ${firing.length} firing: ${firing.join(", ") || "none"}`);
    console.log(`${panels.length} expressions of the dashboard evaluated, ${panels.length - empty.length} with series`);
    if (firing.length > 0) process.exitCode = 1;
  } finally {
    prometheus.kill();
    await once(prometheus, "exit");
    await service.stop();
    await removeFolder(folder);
  }
}

async function query(base: string, expression: string): Promise<unknown[]> {
  const response = await fetch(`${base}/query?query=${encodeURIComponent(expression)}`).catch(() => undefined);
  if (!response) return []; // Prometheus is still starting
  const { status, error, data } = (await response.json()) as Answer;
  if (status !== "success") throw new Error(`${expression}: ${error}`);
  return data.result;
}

async function loadedRules(base: string): Promise<Rule[]> {
  const { data } = (await (await fetch(`${base}/rules`)).json()) as Answer;
  const found = data.groups.flatMap((group) => group.rules);
  if (found.length === 0) throw new Error("no rules were loaded");
  return found;
}

async function expressions(): Promise<string[]> {
  const { panels } = JSON.parse(await readFile(dashboard, "utf8")) as { panels: { targets: { expr: string }[] }[] };
  return panels.flatMap(({ targets }) => targets.map(({ expr }) => expr.replaceAll("$__rate_interval", "1m")));
}

async function until(isTrue: () => Promise<boolean>, otherwise: string) {
  const deadline = Date.now() + deadlineMs;
  while (!(await isTrue())) {
    if (Date.now() > deadline) throw new Error(otherwise);
    await sleep(250);
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
