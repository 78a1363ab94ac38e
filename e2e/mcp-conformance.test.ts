import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { startHeaderProxy } from "./header-proxy.ts";
import { newDataFolder, run, startService } from "./service.ts";
import { setUp } from "./webhook-stage.ts";

// The package names no entry point but its command.
const manifest = createRequire(import.meta.url).resolve("@modelcontextprotocol/conformance/package.json");
const suite = join(dirname(manifest), "dist", "index.js");
const leftOut = (revision: string) => fileURLToPath(new URL(`mcp-conformance/${revision}.yaml`, import.meta.url));

/** The scenarios that each revision of the protocol has; the files name those that are left out, and why. */
const selections = {
  "2026-07-28": ["--requirements", "2026-07-28"],
  "2025-11-25": ["--suite", "active", "--spec-version", "2025-11-25"],
};

// The suite exits with 1 for a scenario that fails and is not in the file, and for one in the file that passes.
test("the public conformance suite passes, except for the scenarios that the files leave out", async (t) => {
  const { environment } = await setUp(t);
  const service = await startService(t, {
    ...environment,
    WAYPOST_RATE_LIMIT: "100000",
    WAYPOST_PROCESSOR_LIMIT: "100000",
  });
  const key = /svc_test_\w+/.exec(service.output)?.[0] ?? "";
  const proxy = await startHeaderProxy(t, service.address, { "api-key": key });
  const folder = await newDataFolder(t);

  for (const [revision, selection] of Object.entries(selections)) {
    const words = ["server", "--url", `${proxy}/mcp`, "--expected-failures", leftOut(revision), "-o", folder];
    const { code, stdout, stderr } = await run(process.execPath, [suite, ...words, ...selection], {}, folder);
    assert.equal(code, 0, `${revision}\n${stdout.split("=== SUMMARY ===").at(-1)}\n${stderr}`);
  }
});
