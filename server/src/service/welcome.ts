import { relative } from "node:path";
import type { Config } from "./config/config.ts";
import { describeOutboundAllow } from "./config/outbound.ts";
import type { Service } from "./start.ts";
import { sample } from "../data-sets/sample.ts";
import { registeredSources } from "../sources/registry.ts";

type Ready = {
  config: Config;
  service: Service;
  readyMs: number;
  /** The file where the command finds the live key. */
  keyFile?: string | undefined;
};

/** The text that the service prints when it is ready. */
export function welcome({ config, service, readyMs, keyFile }: Ready): string {
  const { address, firstKeys, hasDashboard, hasSample } = service;
  const lines = [`Waypost is ready at ${address} (after ${(readyMs / 1000).toFixed(1)} s).`];
  if (config.role === "worker")
    return [...lines, "", `This process has the role worker; it answers ${address}/healthz.`].join("\n");

  if (hasSample) lines.push(liveSearch(service, keyFile));
  lines.push("");
  if (firstKeys) {
    lines.push(
      "Two API keys were made. They are shown this once; keep them:",
      "",
      `  live  ${firstKeys.live}`,
      `  test  ${firstKeys.test}`,
    );
    if (firstKeys.ownerToken !== undefined && hasDashboard) {
      lines.push(
        "",
        "The dashboard waits for its first owner. This link works once, for 7 days:",
        "",
        `  ${config.publicUrl ?? address}/console/join#${firstKeys.ownerToken}`,
      );
    }
  } else {
    lines.push(
      "API keys were shown at the first start. To see or make keys:",
      "",
      "  npx waypost keys list",
      "  npx waypost keys create --name mine --environment test",
    );
  }
  if (keyFile !== undefined) {
    lines.push("", `The command has the live key, in ${keyFile}:`, "", "  npx waypost search coffee in Vaduz");
  }
  lines.push(
    "",
    "A search that works at once (test keys answer with simulated businesses):",
    "",
    `  curl -H "API-KEY: ${firstKeys?.test ?? "$WAYPOST_TEST_KEY"}" -H "Content-Type: application/json" \\`,
    `    -d '{"q":"coffee in Vaduz"}' ${address}/api/v1/search`,
    "",
    `Dashboard   ${hasDashboard ? `${address}/console/` : withoutDashboard(firstKeys)}`,
    `Reference   ${address}/docs`,
    `Data        ${place(config)}`,
    `Live keys   ${liveKeys(config, service)}`,
    ...(hasSample ? [`            ${sample.title}`] : []),
    "Stop        Ctrl-C",
  );
  const allowed = describeOutboundAllow(config.outboundAllow);
  if (allowed !== "") lines.push(`Outbound    may reach ${allowed} (WAYPOST_OUTBOUND_ALLOW)`);
  return `${lines.join("\n")}\n`;
}

/** Real places of the sample, whether or not there is a network. */
function liveSearch({ address, firstKeys }: Service, keyFile: string | undefined): string {
  if (keyFile !== undefined) return "Search real places now: npx waypost search coffee in Vaduz";
  const key = `-H "API-KEY: ${firstKeys?.live ?? "$WAYPOST_API_KEY"}"`;
  const body = `-H "Content-Type: application/json" -d '{"q":"coffee in Vaduz"}'`;
  return `Search real places now: curl ${key} ${body} ${address}/api/v1/search`;
}

/** Without pages the first owner's link leads nowhere, so the operator makes a new one later. */
function withoutDashboard(firstKeys: Service["firstKeys"]): string {
  const build = "not built; run npm ci and npm run build in the project's folder, then start again";
  return firstKeys?.ownerToken === undefined
    ? build
    : `${build} and make its first owner: npx waypost users invite --email you@example.com --role owner`;
}

function liveKeys({ source }: Config, { liveSource, hasSample }: Service): string {
  if (hasSample) {
    return "answered by OpenStreetMap's live services, in Liechtenstein by the sample; for data of your own: npx waypost catalog add austria";
  }
  if (liveSource) return liveSource.greeting ?? `answered by ${liveSource.name}`;
  if (registeredSources.some(({ name, isLocal }) => name === source && isLocal))
    return "no source answers them while the catalog is empty; set WAYPOST_SOURCE to auto, or fill it: npx waypost catalog add liechtenstein";
  return `no source answers them: ${source} is off without its settings, in docs/reference/configuration.md; add them, or set WAYPOST_SOURCE to auto`;
}

function place({ databaseUrl, dataFolder }: Config): string {
  if (databaseUrl) return `the PostgreSQL of DATABASE_URL; secrets in ${shown(dataFolder)}`;
  return `${shown(dataFolder)} (PostgreSQL runs inside it; set DATABASE_URL to use your own)`;
}

function shown(folder: string): string {
  const near = relative(process.cwd(), folder);
  return near === "" || near.startsWith("..") ? folder : `./${near}`;
}
