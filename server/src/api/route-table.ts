import type { FastifyReply, RouteOptions } from "fastify";
import type { ServiceError } from "../platform/errors.ts";
import { MethodNotAllowed, NotFound } from "../platform/http/errors.ts";
import type { HttpServer } from "../platform/http/server.ts";

export type Route = { method: string; url: string; schema: RouteOptions["schema"]; config: RouteOptions["config"] };

/** Every route there is: what 405 is told from, and what the tests of all routes read. */
export function createRouteTable(app: HttpServer) {
  const routes: Route[] = [];
  const patterns = new Map<string, RegExp>();

  app.addHook("onRoute", ({ method, url, schema, config }) => {
    for (const each of [method].flat()) routes.push({ method: each, url, schema, config });
    patterns.set(
      url,
      new RegExp(`^${url.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&").replaceAll(/:[A-Za-z]+/g, "[^/]+")}$`),
    );
  });

  /** Why no route took a request: there is nothing at its path, or not with its method. */
  function explainMiss(method: string, url: string, reply: FastifyReply): ServiceError {
    const path = url.split("?", 1)[0] ?? url;
    const methods = routes.filter((route) => patterns.get(route.url)?.test(path)).map((route) => route.method);
    if (methods.length === 0) return NotFound({ method, path: path.slice(0, 200) });
    const allow = [...new Set(methods)].sort().join(", ");
    reply.header("Allow", allow);
    return MethodNotAllowed({ method, allow });
  }

  return { list: (): readonly Route[] => routes, explainMiss };
}

export type RouteTable = ReturnType<typeof createRouteTable>;
