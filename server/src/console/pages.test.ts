import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { startApi } from "../../test/harness.ts";
import { makeTempFolder, removeFolder } from "../../test/temp-folder.ts";

test("readers get the dashboard's files as they were at the start, in the encoding that they accept", async (t) => {
  const folder = await makeTempFolder();
  t.after(() => removeFolder(folder));
  await mkdir(join(folder, "assets"));
  await writeFile(join(folder, "index.html"), "<title>Dashboard</title>");
  await writeFile(join(folder, "assets/app.js"), "run();");
  await writeFile(join(folder, "waypost.svg"), "<svg/>");
  const { call } = await startApi(t, { dashboardFolder: folder });
  await writeFile(join(folder, "assets/app.js"), "of the next build");

  const together = ["br", "gzip", "identity", "br;q=0, gzip;q=0.5"].map((encoding) =>
    call("/console/assets/app.js", { headers: { "Accept-Encoding": encoding } }),
  );
  const [brotli, gzip, plain, refusing] = await Promise.all(together);
  const known = await call("/console/assets/app.js", {
    headers: { "If-None-Match": `"other", W/${plain?.headers.get("etag")}`, "Accept-Encoding": "identity" },
  });
  const page = await call("/console/jobs?status=failed");
  const icon = await call("/favicon.ico");
  const missing = await call("/console/assets/other.js");

  assert.deepEqual(
    [brotli, gzip, plain, refusing].map((answer) => [answer?.text, answer?.headers.get("content-encoding")]),
    [
      ["run();", "br"],
      ["run();", "gzip"],
      ["run();", null],
      ["run();", "gzip"],
    ],
  );
  assert.match(plain?.headers.get("cache-control") ?? "", /immutable/);
  assert.deepEqual([known.status, known.text], [304, ""]);
  assert.deepEqual([page.text, page.headers.get("cache-control")], ["<title>Dashboard</title>", "no-cache"]);
  assert.deepEqual([icon.status, icon.text, icon.headers.get("content-type")], [200, "<svg/>", "image/svg+xml"]);
  assert.deepEqual([missing.status, missing.body["error"].code], [404, "not_found"]);
});

test("a route of the dashboard that is not there is an error and no page", async (t) => {
  const folder = await makeTempFolder();
  t.after(() => removeFolder(folder));
  await writeFile(join(folder, "index.html"), "<title>Dashboard</title>");
  const { call } = await startApi(t, { dashboardFolder: folder });

  const unknown = await call("/console/api/nothing");
  const otherMethod = await call("/console/api/password");

  assert.deepEqual([unknown.status, unknown.body["error"].code], [404, "not_found"]);
  assert.deepEqual([otherMethod.status, otherMethod.headers.get("allow")], [405, "POST"]);
});

test("a dashboard that was not built is a sentence that says how to build it", async (t) => {
  const { call } = await startApi(t);

  const { status, text } = await call("/console/");

  assert.equal(status, 404);
  assert.match(text, /run `npm ci` and `npm run build`/);
});
