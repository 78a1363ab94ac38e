import { createMcpHandler } from "@modelcontextprotocol/server";
import type { Authorize } from "../domains/api-keys/index.ts";
import type { HttpServer } from "../platform/http/server.ts";
import type { Log } from "../platform/log.ts";
import { type CollectionToolDeps, collectionTools } from "./collection-tools.ts";
import { type DataToolDeps, dataTools } from "./data-tools.ts";
import { createResources } from "./resources.ts";
import { mcpRoutes } from "./routes.ts";
import { createExchangeServer, type Exchange } from "./server.ts";
import type { Tool } from "./tool.ts";
import { type WebhookToolDeps, webhookTools } from "./webhook-tools.ts";

type ToolDeps = DataToolDeps & CollectionToolDeps & WebhookToolDeps;

export type McpDeps = ToolDeps & {
  authorize: Authorize;
  /** The name that this service goes by; undefined for the address that a request names. */
  publicUrl: string | undefined;
  log: Log;
};

const subscriptionsMax = 100;

/** Every tool there is: lists, calls and the guide read this table. */
export function toolTable(deps: ToolDeps): readonly Tool[] {
  return [...dataTools(deps), ...collectionTools(deps), ...webhookTools(deps)];
}

/** The edge for agents: MCP over HTTP at `/mcp`, each message on its own. */
export function createMcp(deps: McpDeps) {
  const tools = toolTable(deps);
  const resources = createResources(deps.scrapes);
  const { authorize, publicUrl, log } = deps;
  return async function mount(app: HttpServer): Promise<void> {
    const handler = createMcpHandler(
      // The routes put it there for every message that they let through.
      ({ authInfo }) => createExchangeServer(authInfo?.extra?.["exchange"] as Exchange, tools, resources),
      { maxSubscriptions: subscriptionsMax, onerror: (error) => log.debug({ err: error }, "mcp.refused") },
    );
    await app.register(async (scope) => mcpRoutes(scope as HttpServer, { handler, authorize, publicUrl, log }));
  };
}
