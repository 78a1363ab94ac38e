import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { before, after, test } from "node:test";
import { promisify } from "node:util";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { publint } from "publint";
import { makeTempFolder, removeFolder } from "../../server/test/temp-folder.ts";
import { buildPackage } from "../scripts/package.ts";
import { answer, startScripted } from "./scripted-server.ts";

const run = promisify(execFile);
const { resolve } = createRequire(import.meta.url);
const compiler = join(dirname(resolve("typescript/package.json")), "bin/tsc");

let folder = "";
let built = "";
let tarball = "";

before(async () => {
  folder = await makeTempFolder();
  built = join(folder, "built");
  await buildPackage(built);
  const { stdout } = await npm(folder, "pack", built, "--json");
  const [{ filename, files }] = JSON.parse(stdout) as [{ filename: string; files: { path: string }[] }];
  tarball = join(folder, filename);
  assert.ok(
    files.every(({ path }) => /^(?:cjs\/)?[\w-]+(\.d\.ts|\.js|\.json|\.md)?$/.test(path)),
    JSON.stringify(files),
  );
});

after(() => removeFolder(folder));

test("publint finds nothing to improve", async () => {
  const { messages } = await publint({ pkgDir: built, pack: false, strict: true });

  assert.deepEqual(messages, []);
});

test("the types resolve as the code does, for ES modules and CommonJS", async () => {
  const analysis = await checkPackage(createPackageFromTarballData(await readFile(tarball)));

  assert.ok(analysis.types);
  // An older resolver does not read "exports".
  const problems = analysis.problems.filter(
    (problem) => !("resolutionKind" in problem) || problem.resolutionKind !== "node10",
  );
  assert.deepEqual(problems, []);
});

test("installed from its tarball, without a network, it compiles and runs in another project", async (t) => {
  const project = join(folder, "project");
  await mkdir(project);
  await writeFile(join(project, "package.json"), JSON.stringify({ name: "project", type: "module", private: true }));
  await writeFile(join(project, "program.js"), program);
  await writeFile(join(project, "typed.ts"), typed);
  const { baseUrl } = await startScripted(t, answer({ total: 1, businesses: [{ place: { name: "Adler" } }] }));

  await npm(project, "install", tarball, "--offline", "--no-audit", "--no-fund");
  const env = { ...process.env, WAYPOST_URL: baseUrl, WAYPOST_API_KEY: "svc_test_00000000_x" };
  const { stdout } = await run(process.execPath, ["program.js"], { cwd: project, env });
  const strict = ["--noEmit", "--strict", "--module", "nodenext", "--target", "es2022"];
  await run(process.execPath, [compiler, ...strict, "typed.ts"], { cwd: project });

  assert.equal(stdout, "Adler\nmissing_header\n");
});

// With "module": "node16" a file of CommonJS is refused types of ES modules alone (TS1479).
test("a project of CommonJS compiles against its types and runs it", async (t) => {
  const project = join(folder, "commonjs");
  await mkdir(project);
  await writeFile(join(project, "package.json"), JSON.stringify({ name: "commonjs", private: true }));
  await writeFile(join(project, "program.ts"), commonJsProgram);
  const { baseUrl } = await startScripted(t, answer({ total: 1, businesses: [{ place: { name: "Adler" } }] }));

  await npm(project, "install", tarball, "--offline", "--no-audit", "--no-fund");
  const strict = ["--strict", "--module", "node16", "--target", "es2022", "--lib", "es2022,dom,dom.iterable"];
  await run(process.execPath, [compiler, ...strict, "program.ts"], { cwd: project }).catch(
    ({ stdout: said }: { stdout: string }) => assert.fail(said),
  );
  const env = { ...process.env, WAYPOST_URL: baseUrl, WAYPOST_API_KEY: "svc_test_00000000_x" };
  const { stdout } = await run(process.execPath, ["program.js"], { cwd: project, env });

  assert.match(await readFile(join(project, "program.js"), "utf8"), /require\("@waypost\/sdk"\)/);
  assert.equal(stdout, "Adler\n");
});

const commonJsProgram = `
import { Waypost, type Business } from "@waypost/sdk";
void new Waypost().search({ q: "coffee" }).then(({ businesses }) => {
  const [first]: readonly Business[] = businesses;
  console.log(first?.place.name);
});
`;

const program = `
import { verifyWebhook, Waypost } from "@waypost/sdk";
const { businesses } = await new Waypost().search({ q: "coffee" });
console.log(businesses[0].place.name);
await verifyWebhook("{}", new Headers(), "whsec_x").catch(({ reason }) => console.log(reason));
`;

const typed = `
import { isWaypostError, Waypost, type Business, type WebhookEvent } from "@waypost/sdk";
export async function names(waypost: Waypost, job: string): Promise<(string | null)[]> {
  const found: Business[] = [];
  for await (const business of waypost.scrapes.results(job)) found.push(business);
  return found.map(({ place }) => place.name);
}
export function jobOf(event: WebhookEvent): string | null {
  return event.type === "scrape.failed" && "job_id" in event.data ? event.data.job_id : null;
}
export const isOver = (error: unknown) => isWaypostError(error, "allowance_exhausted");
// @ts-expect-error: no such code
export const never = (error: unknown) => isWaypostError(error, "no_such_code");
`;

/** The npm that runs this, or the one beside Node; its settings come from here and not from the machine. */
async function npm(cwd: string, ...words: string[]) {
  const env = { ...process.env, npm_config_cache: join(folder, "npm-cache"), npm_config_update_notifier: "false" };
  const cli = process.env["npm_execpath"];
  return cli ? run(process.execPath, [cli, ...words], { cwd, env }) : run("npm", words, { cwd, env });
}
