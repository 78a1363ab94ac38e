import assert from "node:assert/strict";
import { test } from "node:test";
import { silentLog } from "../../platform/log.ts";
import type { Source } from "../../sources/source.ts";
import { createSourceLoading } from "./source-loading.ts";

test("a source that is picked later for the first time is loaded once, and the process stays ready", async () => {
  const loaded: string[] = [];
  const source = (name: string): Source => ({
    name,
    search: async () => ({ listings: [], verdict: "empty" }),
    warm: async () => void loaded.push(name),
  });
  const [live, catalog] = [source("live"), source("catalog")];
  let picked = live;
  const loading = createSourceLoading({ log: silentLog });
  const sources = loading.follow({ pick: () => Promise.resolve(picked), ready: async () => [] });

  await sources.pick();
  assert.deepEqual(loaded, [], "not before the start");
  loading.start(live);
  assert.equal(loading.pending(), "live");
  await sources.pick();
  picked = catalog;
  for (const expected of [catalog, catalog]) assert.equal(await sources.pick(), expected);

  assert.deepEqual(loaded, ["live", "catalog"]);
  assert.equal(loading.pending(), undefined);
});
