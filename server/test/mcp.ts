import assert from "node:assert/strict";
import type { startApi } from "./harness.ts";

type Api = Pick<Awaited<ReturnType<typeof startApi>>, "call">;

const currentVersion = "2026-07-28";

/** A message as a client of the current protocol sends it, each with what its client can do. */
export async function sendMcp(
  api: Api,
  key: string | undefined,
  method: string,
  params: Record<string, unknown> = {},
  headers: Record<string, string> = {},
) {
  const name = params["name"] ?? params["uri"];
  const meta = {
    "io.modelcontextprotocol/protocolVersion": currentVersion,
    "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  return api.call("/mcp", {
    ...(key === undefined ? {} : { key }),
    json: { jsonrpc: "2.0", id: 1, method, params: { ...params, _meta: { ...meta, ...metaOf(params) } } },
    headers: {
      Accept: "application/json, text/event-stream",
      "MCP-Protocol-Version": currentVersion,
      "Mcp-Method": method,
      ...(typeof name === "string" ? { "Mcp-Name": name } : {}),
      ...headers,
    },
  });
}

function metaOf({ _meta: meta }: Record<string, unknown>): object {
  return typeof meta === "object" && meta !== null ? meta : {};
}

/** Calls a tool and resolves to its result, whether it is an error or not. */
export async function callTool(api: Api, key: string, name: string, input: Record<string, unknown> = {}) {
  const { status, body, text } = await sendMcp(api, key, "tools/call", { name, arguments: input });
  assert.equal(status, 200, text);
  assert.ok(body["result"], text);
  return body["result"] as ToolResult;
}

// What a tool answers with differs from tool to tool; the tests say what they expect of it.
export type ToolResult = {
  content: { type: string; text: string }[];
  structuredContent: Record<string, any>;
  isError?: boolean;
};
