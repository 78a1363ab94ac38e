import assert from "node:assert/strict";
import { test } from "node:test";
import { readConfig } from "./config/config.ts";
import { welcome } from "./welcome.ts";

const service = {
  address: "http://127.0.0.1:8080",
  firstKeys: undefined,
  adoptedPostgres: false,
  liveSource: undefined,
  hasDashboard: true,
  stop: async () => undefined,
};

test("a start without a source for live keys says what the chosen one lacks", () => {
  const liveKeys = (source: string) =>
    /^Live keys +(.*)$/m.exec(welcome({ config: readConfig({ WAYPOST_SOURCE: source }), service, readyMs: 1 }))?.[1];

  assert.match(liveKeys("catalog") ?? "", /while the catalog is empty; .* npx waypost catalog add liechtenstein$/);
  assert.match(liveKeys("webmap") ?? "", /: webmap is off without its settings, .*, or set WAYPOST_SOURCE to auto$/);
});
