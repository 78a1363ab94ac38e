// Throughput of an authenticated test search beside a bare Fastify route that returns the same bytes
// with no authentication, no database and no validation. Both run in processes of their own, take
// turns under the same load, and are compared round by round.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { makeTempFolder, removeFolder } from "../server/test/temp-folder.ts";
import { median } from "./figures.ts";
import { measure, type Load } from "./load.ts";

const rounds = 7;
const secondsPerRound = 3;
const connections = 32;

const path = (file: string) => fileURLToPath(new URL(file, import.meta.url));

export async function run(): Promise<void> {
  const dataFolder = await makeTempFolder();
  const service = await start(path("../server/src/main.ts"), {
    WAYPOST_DATA_DIR: dataFolder,
    WAYPOST_PORT: "0",
    WAYPOST_RATE_LIMIT: "1000000",
  });
  const key = /svc_test_\w+/.exec(service.output)?.[0] ?? "";
  const search: Load = {
    address: service.address,
    path: "/api/v1/search",
    headers: { "API-KEY": key, "Content-Type": "application/json" },
    // Seven pages of each of a hundred questions, which are read while the service warms up.
    body: (sent) => JSON.stringify({ q: `coffee in Vaduz ${sent % 100}`, page: 1 + (Math.floor(sent / 100) % 7) }),
    connections,
  };
  const sample = await (
    await fetch(search.address + search.path, { method: "POST", headers: search.headers, body: search.body(0) })
  ).text();
  const bare = await start(path("./bare-route.ts"), { BARE_ROUTE_BODY: sample });
  const baseline: Load = { ...search, address: bare.address };
  try {
    await measure(search, 2);
    await measure(baseline, 2);
    const ratios: number[] = [];
    const figures = { search: [] as number[], bare: [] as number[] };
    for (let round = 0; round < rounds; round += 1) {
      const ours = await measure(search, secondsPerRound);
      const theirs = await measure(baseline, secondsPerRound);
      figures.search.push(ours.perSecond);
      figures.bare.push(theirs.perSecond);
      ratios.push(ours.perSecond / theirs.perSecond);
    }
    console.log(
      `answer of ${Buffer.byteLength(sample)} bytes, ${connections} connections, median of ${rounds} rounds of ${secondsPerRound} s`,
    );
    console.log(`  authenticated test search  ${Math.round(median(figures.search))} requests/s`);
    console.log(`  bare Fastify route         ${Math.round(median(figures.bare))} requests/s`);
    console.log(`  ratio                      ${median(ratios).toFixed(2)} (at least 0.50 is promised)`);
  } finally {
    await Promise.all([stop(service.child), stop(bare.child)]);
    await removeFolder(dataFolder);
  }
}

async function start(file: string, environment: Record<string, string>) {
  const child = spawn(process.execPath, [file], {
    env: { PATH: process.env["PATH"], ...environment },
    stdio: ["ignore", "pipe", "ignore"],
  });
  let output = "";
  for await (const chunk of child.stdout) {
    output += String(chunk);
    const address = /ready at (\S+)/.exec(output)?.[1];
    if (address) return { address, output, child };
  }
  throw new Error(`${file} did not start: ${output}`);
}

async function stop(child: ChildProcess) {
  if (child.exitCode !== null) return;
  child.kill("SIGTERM");
  await once(child, "exit");
}
