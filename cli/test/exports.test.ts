import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { answer, startScripted } from "../../sdk/test/scripted-server.ts";
import { makeTempFolder, removeFolder } from "../../server/test/temp-folder.ts";
import { waypost } from "./waypost.ts";

const job = `job_${"0".repeat(26)}`;
const id = `exp_${"0".repeat(26)}`;
const content = "name\r\nAdler\r\n";

async function setUp(t: TestContext, change: object = {}, name = "businesses.csv") {
  const folder = await makeTempFolder();
  t.after(() => removeFolder(folder));
  const files = await startScripted(t, (response) =>
    response.writeHead(200, { "Content-Disposition": `attachment; filename="${name}"` }).end(content),
  );
  const sha256 = createHash("sha256").update(content).digest("hex");
  const base = {
    id,
    format: "csv",
    row_count: 1,
    size_bytes: content.length,
    created_at: "2026-09-22",
    expires_at: null,
  };
  const made = { ...base, sha256, download_url: `${files.baseUrl}/file?signature=secret`, status: "ready", ...change };
  const { baseUrl, seen } = await startScripted(t, answer(made));
  return { folder, seen, environment: { WAYPOST_URL: baseUrl, WAYPOST_API_KEY: "svc_test_x" } };
}

test("the results of jobs are exported, downloaded and checked; the link is shown to nobody", async (t) => {
  const { folder, seen, environment } = await setUp(t);
  const path = join(folder, "out.csv");

  const { code, out, error } = await waypost(["export", job, job, "--output", path, "--json"], environment);

  assert.equal(code, 0, error);
  assert.equal(await readFile(path, "utf8"), content);
  assert.deepEqual(JSON.parse(seen[0]?.body ?? ""), { job_ids: [job, job], format: "csv" });
  assert.ok(!`${out}${error}`.includes("signature"));
  assert.equal(JSON.parse(out).path, path);
  assert.deepEqual(await readdir(folder), ["out.csv"]);
});

test("--columns goes to the service as it takes it, and an unknown one is refused before anything is sent", async (t) => {
  const { folder, seen, environment } = await setUp(t);
  const output = ["--output", join(folder, "out.csv"), "--force"];

  for (const chosen of ["all", "name,phone"])
    await waypost(["export", job, "--columns", chosen, ...output], environment);
  const sent = seen.length;
  const refused = await waypost(["export", job, "--columns", "fax", ...output], environment);

  const bodies = seen.flatMap(({ body }) => (body ? [JSON.parse(body).columns] : []));
  assert.deepEqual(bodies, ["all", ["name", "phone"]]);
  assert.deepEqual([refused.code, seen.length], [2, sent]);
});

test("what is there and is no file, such as a device, is not replaced with --force either", async (t) => {
  const { folder, seen, environment } = await setUp(t);
  const path = join(folder, "socket");
  const server = createServer().listen(path);
  t.after(() => server.close());
  await once(server, "listening");

  const { code, error } = await waypost(["export", job, "--output", path, "--force"], environment);

  assert.equal(code, 2, error);
  assert.match(error, /--output takes the name of a file, and '.*socket' is none/);
  assert.deepEqual(seen, []);
  assert.ok((await stat(path)).isSocket());
});

test("a file that is there stays unless --force is given", async (t) => {
  const { folder, seen, environment } = await setUp(t);
  const path = join(folder, "mine.csv");
  await writeFile(path, "mine");

  const kept = await waypost(["export", job, "--output", path], environment);
  assert.equal(kept.code, 1);
  assert.match(kept.error, /is there already; choose another with --output/);
  assert.deepEqual(seen, [], "nothing was made that could not be kept");
  assert.equal(await readFile(path, "utf8"), "mine");
  const forced = await waypost(["exports", "download", id, "--output", path, "--force"], environment);
  assert.equal(forced.code, 0, forced.error);
  assert.equal(await readFile(path, "utf8"), content);
});

test("a damaged download leaves no file", async (t) => {
  const { folder, environment } = await setUp(t, { sha256: "0".repeat(64) });

  const { code, error } = await waypost(["export", job, "--output", join(folder, "out.csv")], environment);

  assert.equal(code, 1);
  assert.match(error, /The download is damaged/);
  assert.deepEqual(await readdir(folder), []);
});

test("an export that failed is told by the exit code, and bad words are refused before anything is sent", async (t) => {
  const { seen, environment } = await setUp(t, {
    status: "failed",
    error_code: "storage_full",
    download_url: undefined,
  });

  const failed = await waypost(["export", job], environment);
  const sent = seen.length;
  const format = await waypost(["export", job, "--format", "pdf"], environment);
  const word = await waypost(["export", "key_1"], environment);

  assert.equal(failed.code, 6);
  assert.match(failed.out, /Status +failed: storage_full/);
  assert.deepEqual([format.code, word.code, seen.length], [2, 2, sent]);
});
