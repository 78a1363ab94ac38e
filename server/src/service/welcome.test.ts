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
  hasSample: false,
  stop: async () => undefined,
};

test("the greeting names the command that works with the key that was kept, and where the key is", () => {
  const config = readConfig({});
  const greeting = welcome({ config, service, readyMs: 1, keyFile: "/home/me/.config/waypost/credentials.json" });

  assert.match(greeting, /in \/home\/me\/.*credentials\.json:\n\n {2}npx waypost search coffee in Vaduz\n/);
  assert.doesNotMatch(welcome({ config, service, readyMs: 1 }), /npx waypost search/);
});

test("the second line of a greeting with the sample is a search of real places, with the live key", () => {
  const firstKeys = { live: "svc_live_x", test: "svc_test_x", ownerToken: undefined };
  const greet = (keyFile?: string) =>
    welcome({ config: readConfig({}), service: { ...service, firstKeys, hasSample: true }, readyMs: 1, keyFile });

  assert.match(
    greet().split("\n")[1] ?? "",
    /: curl -H "API-KEY: svc_live_x" .*'\{"q":"coffee in Vaduz"\}' http:\/\/127\.0\.0\.1:8080\/api\/v1\/search$/,
  );
  assert.match(greet("/credentials.json").split("\n")[1] ?? "", /: npx waypost search coffee in Vaduz$/);
  assert.match(greet(), /^ +Sample: Liechtenstein, March 2024, © OpenStreetMap contributors$/m);
  assert.doesNotMatch(welcome({ config: readConfig({}), service, readyMs: 1 }), /Sample|svc_live/);
});

test("a start without a source for live keys says what the chosen one lacks", () => {
  const liveKeys = (source: string) =>
    /^Live keys +(.*)$/m.exec(welcome({ config: readConfig({ WAYPOST_SOURCE: source }), service, readyMs: 1 }))?.[1];

  assert.match(liveKeys("catalog") ?? "", /while the catalog is empty; .* npx waypost catalog add liechtenstein$/);
  assert.match(liveKeys("webmap") ?? "", /: webmap is off without its settings, .*, or set WAYPOST_SOURCE to auto$/);
});
