import type { Authorize, CostLimit } from "../domains/api-keys/index.ts";
import type { HttpServer } from "../platform/http/server.ts";
import { lazy } from "../platform/lazy.ts";
import type { Log } from "../platform/log.ts";
import { type CollectionToolDeps, collectionTools } from "./collection-tools.ts";
import { type ExportToolDeps, exportTools } from "./export-tools.ts";
import { createResources } from "./resources.ts";
import { mcpRoutes } from "./routes.ts";
import { type ScrapeToolDeps, scrapeTools } from "./scrape-tools.ts";
import type { Exchange } from "./server.ts";
import type { Tool } from "./tool.ts";
import { type WebhookToolDeps, webhookTools } from "./webhook-tools.ts";

type ToolDeps = ScrapeToolDeps & CollectionToolDeps & ExportToolDeps & WebhookToolDeps;

export type McpDeps = ToolDeps & {
  authorize: Authorize;
  costs: CostLimit;
  /** The name that this service goes by; undefined for the address that a request names. */
  publicUrl: string | undefined;
  log: Log;
};

/** Every tool there is: lists, calls and the guide read this table. */
export function toolTable(deps: ToolDeps): readonly Tool[] {
  return [...scrapeTools(deps), ...collectionTools(deps), ...exportTools(deps), ...webhookTools(deps)];
}

/** The edge for agents: MCP over HTTP at `/mcp`, each message on its own. */
export function createMcp(deps: McpDeps) {
  const tools = toolTable(deps);
  const resources = createResources(deps.scrapes);
  const { authorize, costs, publicUrl, log } = deps;
  return async function mount(app: HttpServer): Promise<void> {
    // Loading takes an eighth of the start, and many never use it.
    const handler = lazy(async () => {
      const [protocol, server] = await Promise.all([import("@modelcontextprotocol/server"), import("./server.ts")]);
      return protocol.createMcpHandler(
        // The routes put it there for every message that they let through.
        ({ authInfo }) => server.createExchangeServer(authInfo?.extra?.["exchange"] as Exchange, tools, resources),
        { onerror: (error) => log.debug({ err: error }, "mcp.refused") },
      );
    });
    app.lateLoads.push(handler);
    await app.register(async (scope) => mcpRoutes(scope as HttpServer, { handler, authorize, costs, publicUrl, log }));
  };
}
