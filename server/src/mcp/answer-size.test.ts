import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { getEncoding } from "js-tiktoken";
import { startApi } from "../../test/harness.ts";
import { callTool, sendMcp, type ToolResult } from "../../test/mcp.ts";
import { newUuid } from "../platform/ids.ts";

const tokenizer = getEncoding("o200k_base");
const tokensOf = (text: string) => tokenizer.encode(text, "all").length;

test("typical calls cost the tokens that the guide says, within a tenth", async (t) => {
  const api = await startApi(t);
  const { text: live } = await api.givenKey({ environment: "live" });
  const { text: reader } = await api.givenKey({ environment: "live", scopes: ["scrapes:read", "datasets:read"] });
  const { text: key } = await api.givenKey();
  const q = "coffee in Vaduz";
  const create = { q, idempotency_key: newUuid() };
  const job = await callTool(api, key, "create_scrape", create);
  const { id } = job.structuredContent["job"];
  const circle = { latitude: 47.14, longitude: 9.52, radius_m: 3_000 };
  const wanted = { q: "coffee", circle, max_units: 10, idempotency_key: newUuid() };
  const collected = await callTool(api, key, "create_collection", wanted);
  const list = async (as: string) => JSON.stringify((await sendMcp(api, as, "tools/list")).body["result"].tools);
  const textOf = ({ content }: ToolResult) => content[0]?.text ?? "";
  const call = async (name: string, input: Record<string, unknown>) => textOf(await callTool(api, key, name, input));
  const whole = await api.call(`/api/v1/scrapes/${id}/results?limit=10`, { key });
  const measured: Record<string, string> = {
    "the list of tools, a key with every scope": await list(live),
    "the list of tools, a key with `scrapes:read` and `datasets:read`": await list(reader),
    "`search_businesses`, 20 records": await call("search_businesses", { q }),
    '`search_businesses` with `fields: ["name", "phone"]`': await call("search_businesses", {
      q,
      fields: ["name", "phone"],
    }),
    "`create_scrape`": textOf(job),
    "`get_scrape_results`, 10 records": await call("get_scrape_results", { job_id: id }),
    "the same 10 records over REST, untrimmed": whole.text,
    "`create_collection`": textOf(collected),
    "`get_collection_results`, 10 records": await call("get_collection_results", {
      collection_id: collected.structuredContent["collection"].id,
    }),
  };

  const guide = await readFile(new URL("../../../docs/guides/mcp.md", import.meta.url), "utf8");
  const rows = guide.matchAll(/^\| (.+?) \| ([\d,]+) \|$/gm);
  const documented = Object.fromEntries(Array.from(rows, ([, name, count]) => [name, Number(count?.replace(",", ""))]));

  const counts = Object.entries(measured).map(([name, text]) => [name, tokensOf(text)] as const);
  for (const [name, tokens] of counts) {
    const stated = documented[name] ?? 0;
    assert.ok(Math.abs(stated - tokens) <= tokens / 10, `${name}: ${tokens}; all: ${JSON.stringify(counts)}`);
  }
});
