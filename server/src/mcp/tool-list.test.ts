import assert from "node:assert/strict";
import { test } from "node:test";
import { getEncoding } from "js-tiktoken";
import { startApi } from "../../test/harness.ts";
import { callTool, sendMcp } from "../../test/mcp.ts";
import { scopes } from "../domains/api-keys/index.ts";

const q = "coffee in Vaduz";
const withoutWebhooks = scopes.filter((scope) => scope !== "webhooks:manage");
test("every tool is listed with its arguments, its price and the hints that clients act on", async (t) => {
  const api = await startApi(t);
  const { text: key } = await api.givenKey({ environment: "live" });

  const { body } = await sendMcp(api, key, "tools/list");

  const { tools } = body["result"];
  assert.equal(tools.length, 29);
  for (const tool of tools) {
    assert.equal(tool.inputSchema.type, "object", tool.name);
    assert.equal(tool.inputSchema.additionalProperties, false, tool.name);
    assert.doesNotMatch(JSON.stringify(tool), /\$id|\$ref/, tool.name);
  }
  const named = (name: string) => tools.find((tool: { name: string }) => tool.name === name);
  assert.ok(named("create_scrape").inputSchema.required.includes("idempotency_key"));
  assert.ok(named("create_collection").inputSchema.required.includes("max_units"));
  assert.match(
    named("create_collection").description,
    /Costs one request unit for each page.*never more than max_units/,
  );
  const oneUnit = tools.filter(({ description }: { description: string }) =>
    description.endsWith(" Costs one request unit."),
  );
  assert.deepEqual(
    oneUnit.map(({ name }: { name: string }) => name),
    ["search_businesses", "create_scrape"],
  );
  assert.equal(named("cancel_scrape").annotations.destructiveHint, true);
  for (const noun of ["scrape", "collection", "export", "webhook_endpoint"]) {
    assert.equal(named(`delete_${noun}`).annotations.destructiveHint, true, noun);
  }
  assert.equal(named("get_scrape").annotations.readOnlyHint, true);
});

// By o200k_base, which the models of several makers count with; an agent pays for its list in every conversation.
test("the list of all tools takes less than 8,000 tokens, and without those for webhooks less than 3,000", async (t) => {
  const api = await startApi(t);
  const { text: every } = await api.givenKey({ environment: "live" });
  const { text: usual } = await api.givenKey({ environment: "live", scopes: withoutWebhooks });
  const tokenizer = getEncoding("o200k_base");

  const tokensFor = async (key: string) => tokenizer.encode((await sendMcp(api, key, "tools/list")).text, "all").length;
  const [all, fewer] = [await tokensFor(every), await tokensFor(usual)];

  assert.ok(all < 8_000, `${all} tokens`);
  assert.ok(fewer < 3_000, `${fewer} tokens`);
});

test("a long argument is whole in the first tool of a key's list, and the others name that tool", async (t) => {
  const api = await startApi(t);
  const { text: every } = await api.givenKey();
  const { text: reader } = await api.givenKey({ scopes: ["datasets:read"] });
  const fieldsFor = async (key: string) => {
    const { tools } = (await sendMcp(api, key, "tools/list")).body["result"];
    return Object.fromEntries(
      tools.flatMap(({ name, inputSchema }: { name: string; inputSchema: { properties: Record<string, unknown> } }) =>
        inputSchema.properties["fields"] === undefined ? [] : [[name, inputSchema.properties["fields"]]],
      ),
    );
  };

  const [all, fewer] = [await fieldsFor(every), await fieldsFor(reader)];

  assert.ok(all["search_businesses"].items.enum.includes("openingHours"));
  const named = { type: "array", description: "As in search_businesses." };
  assert.deepEqual([all["get_scrape_results"], all["get_collection_results"]], [named, named]);
  assert.deepEqual(Object.keys(fewer), ["get_scrape_results", "get_collection_results"]);
  assert.ok(fewer["get_scrape_results"].items.enum.includes("openingHours"));
  assert.equal(fewer["get_collection_results"].description, "As in get_scrape_results.");
});

test("no tool shows a pattern, and text that fits none is refused all the same", async (t) => {
  const api = await startApi(t);
  const { text: key } = await api.givenKey({ environment: "live" });

  const { text } = await sendMcp(api, key, "tools/list");
  const { isError, structuredContent } = await callTool(api, key, "search_businesses", { q: "coffee \ud800" });

  assert.doesNotMatch(text, /"pattern"|\\u[dD][89a-fA-F]/);
  assert.equal(isError, true);
  assert.match(structuredContent["error"].details[0], /^\/q: must be text without NUL or unpaired surrogates/);
});

test("nothing is announced that never comes: a subscription ends at once and holds no connection", async (t) => {
  const api = await startApi(t);
  const { text: key } = await api.givenKey();

  const discovered = await sendMcp(api, key, "server/discover");
  const notifications = { toolsListChanged: true, resourcesListChanged: true };
  const listened = await sendMcp(api, key, "subscriptions/listen", { notifications });

  const { tools, resources } = discovered.body["result"].capabilities;
  assert.deepEqual([tools, resources], [{ listChanged: false }, { listChanged: false }]);
  const messages = Array.from(listened.text.matchAll(/^data: (\{.*\})$/gm), ([, json]) => JSON.parse(json ?? ""));
  assert.deepEqual(messages[0].params.notifications, {});
  assert.equal(messages.at(-1).result.resultType, "complete");
});

test("a key sees the tools that it may use, and no others", async (t) => {
  const api = await startApi(t);
  const { text: poor } = await api.givenKey({ environment: "live", scopes: ["scrapes:read"] });
  const { text: testKey } = await api.givenKey({ environment: "test" });

  const namesFor = async (key: string) =>
    (await sendMcp(api, key, "tools/list")).body["result"].tools.map(({ name }: { name: string }) => name);

  assert.deepEqual(await namesFor(poor), [
    "list_scrapes",
    "get_scrape",
    "estimate_collection",
    "list_collections",
    "get_collection",
  ]);
  assert.ok(!(await namesFor(testKey)).some((name: string) => name.includes("webhook")));
  const refused = await callTool(api, poor, "search_businesses", { q });
  assert.equal(refused.isError, true);
  assert.equal(refused.structuredContent["error"].code, "insufficient_scope");
  assert.equal(refused.structuredContent["error"].retryable, false);
  const templates = await sendMcp(api, poor, "resources/templates/list");
  assert.deepEqual(
    templates.body["result"].resourceTemplates.map(({ name }: { name: string }) => name),
    ["scrape"],
  );
});
