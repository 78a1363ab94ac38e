import assert from "node:assert/strict";
import { access, copyFile, cp, link, mkdir, readdir, readFile, readlink, rm, symlink } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { test } from "node:test";
import { buildDashboardWhenStale } from "../cli/src/dashboard.ts";
import { areaBodyBytesMax } from "../server/src/domains/collections/index.ts";
import { newDataFolder, newPreparedFolder, root, run, search, startService } from "./service.ts";

type Step = { verb: string; rest: string };

/** The instructions of each stage of the Dockerfile. */
async function readStages(): Promise<Step[][]> {
  const text = (await readFile(join(root, "Dockerfile"), "utf8")).replace(/^#.*\n/gm, "");
  const steps = text.split("\n").flatMap((line) => {
    const [, verb, rest] = /^([A-Z]+) (.*)$/.exec(line) ?? [];
    return verb && rest ? [{ verb, rest }] : [];
  });
  const starts = steps.flatMap(({ verb }, index) => (verb === "FROM" ? [index] : []));
  return starts.map((start, index) => steps.slice(start, starts[index + 1]));
}

const isTest = (path: string) =>
  /\/node_modules(\/|$)|\/dashboard\/dist(\/|$)|\.test\.ts$|\/server\/test(\/|$)|\/sdk\/(test|examples)(\/|$)/.test(
    path,
  );

/** What the build stage does, in a plain folder. The dashboard is built here instead of in a stage of its own. */
async function build(stage: readonly Step[], app: string) {
  for (const { verb, rest } of stage) {
    if (verb === "COPY") {
      const [, from, paths = rest] = /^--from=(\w+) (.*)$/.exec(rest) ?? [];
      const words = paths.split(" ");
      const target = words.pop() ?? "";
      for (const source of words) {
        const isFolder = target.endsWith("/");
        const to = isFolder ? join(app, target, source.split("/").at(-1) ?? "") : join(app, target);
        await mkdir(dirname(to), { recursive: true });
        if (from) await cp(source.replace("/app", root), to, { recursive: true });
        else
          await cp(join(root, source), to, { recursive: true, filter: (path) => !isTest(path.slice(root.length - 1)) });
      }
    }
    if (verb === "RUN") await install(rest, app);
  }
}

/**
 * What `npm ci` would install, without the network and the unpacking: npm checks the lock file and names the
 * packages, and their files are those of the installation that runs this test.
 */
async function install(command: string, app: string) {
  assert.match(command, /^npm ci /);
  const environment = { HOME: process.env["HOME"] ?? app };
  const { code, stdout, stderr } = await run("sh", ["-c", `${command} --dry-run`], environment, app);
  assert.equal(code, 0, stderr);
  const named = new Set(Array.from(stdout.matchAll(/^add (\S+ \S+)$/gm), ([, name]) => name));
  assert.ok(named.size > 100, stdout);

  const lock = JSON.parse(await readFile(join(app, "package-lock.json"), "utf8")) as Lock;
  const isNamed = (path: string, version: string) => named.has(`${path.split("node_modules/").at(-1)} ${version}`);
  for (const [path, { version = "", link: isLink, resolved = "", dev }] of Object.entries(lock.packages)) {
    if (!path.includes("node_modules/") || (dev && command.includes("--omit=dev"))) continue;
    const to = join(app, path);
    if (isLink && named.has(`${path.slice("node_modules/".length)} ${lock.packages[resolved]?.version}`)) {
      await mkdir(dirname(to), { recursive: true });
      await symlink(relative(dirname(to), join(app, resolved)), to);
    }
    if (!isLink && isNamed(path, version)) await linkFolder(join(root, path), to);
  }
}

type Lock = { packages: Record<string, { version?: string; link?: boolean; resolved?: string; dev?: boolean }> };

/** The same files under another name, or copies where the two are on different disks; packages inside have their own turn. */
async function linkFolder(from: string, to: string) {
  const entries = await readdir(from, { withFileTypes: true }).catch(() => []); // another platform's package is not installed
  if (entries.length > 0) await mkdir(to, { recursive: true });
  for (const entry of entries) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.name === "node_modules") continue;
    if (entry.isDirectory()) await linkFolder(source, target);
    else if (entry.isSymbolicLink()) await symlink(await readlink(source), target);
    else await link(source, target).catch(() => copyFile(source, target));
  }
}

test("the Dockerfile's steps, run in a plain folder, make a service that its health check accepts", async (t) => {
  const stages = await readStages();
  const last = stages.pop() ?? [];
  const app = await newDataFolder(t);
  await buildDashboardWhenStale();
  await build(stages.pop() ?? [], app);
  const environment = Object.fromEntries(
    last.filter(({ verb }) => verb === "ENV").flatMap(({ rest }) => rest.split(" ").map((pair) => pair.split("="))),
  ) as Record<string, string>;
  const words = last
    .filter(({ verb }) => verb === "ENTRYPOINT" || verb === "CMD")
    .flatMap(({ rest }) => JSON.parse(rest) as string[]);
  assert.deepEqual(words, ["node", "cli/bin/waypost.js", "serve"]);
  assert.ok(last.some(({ verb, rest }) => verb === "USER" && rest === "node"));

  const service = await startService(
    t,
    { ...environment, WAYPOST_DATA_DIR: await newDataFolder(t), WAYPOST_HOST: "127.0.0.1", WAYPOST_DRAIN_SECONDS: "0" },
    words.slice(1),
    app,
  );
  const key = /svc_test_\w+/.exec(service.output)?.[0] ?? "";
  assert.equal((await search(service.address, key)).status, 200);
  assert.match(await (await fetch(`${service.address}/console/`)).text(), /<div id="root">/);
  if (process.platform === "linux") {
    const running = await readFile(`/proc/${service.child.pid}/cmdline`, "utf8");
    assert.ok(running.split("\0").includes("--max-semi-space-size=32"), running);
  }

  const check = last.find(({ verb }) => verb === "HEALTHCHECK")?.rest.replace(/^.* CMD /, "") ?? "";
  const [, ...flags] = JSON.parse(check) as string[];
  const { port } = new URL(service.address);
  assert.equal((await run(process.execPath, flags, { WAYPOST_PORT: port })).code, 0);
  await service.end("SIGTERM");
  assert.equal((await run(process.execPath, flags, { WAYPOST_PORT: port })).code, 1);
});

/** What the guide has the owner of the checkout type before systemd starts it. */
async function readCheckoutSteps(): Promise<string[]> {
  const guide = await readFile(join(root, "docs/guides/deploying.md"), "utf8");
  const section = /## As a systemd service[^]*?```sh\n([^]*?)```/.exec(guide)?.[1] ?? "";
  const line = section.split("\n").find((each) => each.startsWith("cd /opt/waypost && ")) ?? "";
  return line.split(" && ").slice(1);
}

const isInstalledOrBuilt = (path: string) => /^(\.git|data|node_modules|\w+\/(node_modules|dist))$/.test(path);

test("the guide's steps for systemd make a service with a dashboard, and without their build it offers none", async (t) => {
  const app = await newDataFolder(t);
  await cp(root, app, { recursive: true, filter: (path) => !isInstalledOrBuilt(relative(root, path)) });
  for (const step of await readCheckoutSteps()) {
    if (step.startsWith("npm ci ")) await install(step, app);
    else {
      const offline = { HOME: process.env["HOME"] ?? app, npm_config_offline: "true" };
      const { code, stderr } = await run("sh", ["-c", step], offline, app);
      assert.equal(code, 0, `${step}: ${stderr}`);
    }
  }
  await assert.rejects(access(join(app, "node_modules/vite")), { code: "ENOENT" });
  const unit = await readFile(join(root, "deploy/waypost.service"), "utf8");
  const words = /^ExecStart=\S+ (.*)$/m.exec(unit)?.[1]?.split(" ") ?? [];
  const start = async () => startService(t, { WAYPOST_DATA_DIR: await newPreparedFolder(t) }, words, app);

  const built = await start();
  assert.match(built.output, /\/console\/join#/);
  assert.doesNotMatch(built.output, /was not built|Building the dashboard/);
  assert.match(await (await fetch(`${built.address}/console/`)).text(), /<div id="root">/);

  await rm(join(app, "dashboard/dist"), { recursive: true });
  const bare = await start();
  assert.match(bare.output, /^The dashboard was not built, because Vite is missing; run `npm ci`/m);
  assert.match(bare.output, /^Dashboard {3}not built; .*npx waypost users invite/m);
  assert.doesNotMatch(bare.output, /\/console\//);
});

test("every file that the guide names is there", async () => {
  const guide = await readFile(join(root, "docs/guides/deploying.md"), "utf8");
  const named = new Set(guide.match(/\bdeploy\/[\w.]+|\bDockerfile\b/g));
  named.delete("deploy/.env");

  assert.ok(named.size >= 5);
  for (const path of named) await access(join(root, path));
});

test("the image and the compose file give API and worker one folder for the files of exports", async () => {
  const compose = await readFile(join(root, "deploy/compose.yaml"), "utf8");
  const shared = /^x-waypost: [^]*?(?=^services:)/m.exec(compose)?.[0] ?? "";
  const last = (await readStages()).at(-1) ?? [];

  assert.match(shared, /^ {2}volumes:\n {4}- exports:\/data\/exports$/m);
  assert.match(compose, /^volumes:\n(?: {2}\w+:\n)* {2}exports:$/m);
  // A volume takes over the owner of the folder it is mounted on, and of no other.
  assert.ok(last.some(({ rest }) => rest.startsWith("install ") && / -o node .* \/data\/exports$/.test(rest)));
});

test("the example for nginx hands on what links, cookies and origins are told by, and every body that is allowed", async () => {
  const example = await readFile(join(root, "deploy/nginx.conf"), "utf8");
  const passedOn = Object.fromEntries(
    Array.from(example.matchAll(/^ +proxy_set_header (\S+) (\S+);$/gm), ([, name, value]) => [name, value]),
  );
  const [, megabytes] = /^ +client_max_body_size (\d+)m;$/m.exec(example) ?? [];

  assert.equal(passedOn["X-Forwarded-Proto"], "$scheme");
  assert.equal(passedOn["Host"], "$http_host"); // $host would lose the port
  assert.ok(Number(megabytes) * 1024 * 1024 > areaBodyBytesMax, example);
});

for (const [command, words] of [
  ["caddy", ["validate", "--adapter", "caddyfile", "--config", "deploy/Caddyfile"]],
  ["systemd-analyze", ["verify", "--man=no", "deploy/waypost.service"]],
] as const) {
  test(`${command} accepts our example`, async (t) => {
    const { code, stderr } = await run(command, words, {}).catch(() => ({ code: undefined, stderr: "" }));
    if (code === undefined) return t.skip(`${command} is not on this machine`);

    assert.equal(code, 0, stderr);
  });
}
