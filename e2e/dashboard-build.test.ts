import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { access, chmod, cp, mkdir, symlink } from "node:fs/promises";
import { join, relative } from "node:path";
import { test, type TestContext } from "node:test";
import { defer } from "../server/test/defer.ts";
import { inherited, newDataFolder, root } from "./service.ts";

/** Root may write anywhere, so it builds as somebody else. */
const stranger = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

/** A checkout that was never built, with what `npm run build` needs. */
async function givenCheckout(t: TestContext, { isInstalled }: { isInstalled: boolean }): Promise<string> {
  const app = await newDataFolder(t);
  for (const path of ["cli", "dashboard", "scripts/build-dashboard.ts"]) {
    await mkdir(join(app, path, ".."), { recursive: true });
    const filter = (source: string) => !/^\w+\/(dist|node_modules)\b/.test(relative(root, source));
    await cp(join(root, path), join(app, path), { recursive: true, filter });
  }
  if (isInstalled) await symlink(join(root, "node_modules"), join(app, "node_modules"));
  return app;
}

function runAsStranger(app: string, words: readonly string[], environment: NodeJS.ProcessEnv = {}) {
  const options = { cwd: app, env: { ...inherited, ...environment }, ...stranger };
  return new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve) => {
    const child = execFile(process.execPath, words, options, (_error, stdout, stderr) =>
      resolve({ code: child.exitCode, stdout, stderr }),
    );
  });
}

const build = (app: string) => runAsStranger(app, ["scripts/build-dashboard.ts"]);

test("a folder that cannot be written to is one sentence, and no build", async (t) => {
  const app = await givenCheckout(t, { isInstalled: true });
  const { code: unreachable } = await runAsStranger(app, ["-e", 'fs.accessSync("node_modules/vite")']);
  if (unreachable !== 0) return t.skip("nobody but root can reach this checkout");
  const dashboard = join(app, "dashboard");
  await chmod(dashboard, 0o555);
  defer(t, () => chmod(dashboard, 0o755));

  const { code, stdout, stderr } = await build(app);

  assert.deepEqual([code, stdout], [1, ""]);
  assert.equal(
    stderr,
    `The dashboard was not built, because this user cannot write to ${dashboard}; run \`npm run build\` as the owner of the project's folder.\n`,
  );
  await assert.rejects(access(join(dashboard, "dist")), { code: "ENOENT" });
});

test("a build without Vite fails, and says what to run first", async (t) => {
  const app = await givenCheckout(t, { isInstalled: false });

  const { code, stderr } = await build(app);

  assert.equal(code, 1);
  assert.match(stderr, /^The dashboard was not built, because Vite is missing; run `npm ci`.*\n$/);
});

test("a worker, and a start that its configuration stops, builds no pages", async (t) => {
  const app = await givenCheckout(t, { isInstalled: true });
  const away = { DATABASE_URL: "postgres://waypost@127.0.0.1:1/waypost", WAYPOST_DATABASE_WAIT_SECONDS: "0" };
  const serve = (environment: NodeJS.ProcessEnv) =>
    runAsStranger(app, ["cli/bin/waypost.js", "serve"], { WAYPOST_DATA_DIR: join(app, "data"), ...environment });

  const worker = await serve({ ...away, WAYPOST_ROLE: "worker" });
  const stopped = await serve({ WAYPOST_PORT: "none" });

  assert.deepEqual([worker.code, worker.stdout], [1, ""]);
  assert.match(worker.stderr, /^Waypost could not start: The PostgreSQL of DATABASE_URL could not be reached/m);
  assert.deepEqual([stopped.code, stopped.stdout], [1, ""]);
  assert.match(stopped.stderr, /^WAYPOST_PORT is "none": it must be a whole number/);
});
