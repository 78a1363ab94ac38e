import type { FastifyReply, RouteOptions } from "fastify";
import type { ServiceError } from "../platform/errors.ts";
import { MethodNotAllowed, NotFound } from "../platform/http/errors.ts";
import type { HttpServer } from "../platform/http/server.ts";

export type Route = { method: string; url: string; config: RouteOptions["config"]; schema: RouteOptions["schema"] };

/** Every route there is: 405 answers and the tests of all routes read it. */
export function createRouteTable(app: HttpServer) {
  // The options themselves, not copies: a hook that comes later may still complete them.
  const registered: RouteOptions[] = [];
  const patterns = new Map<string, RegExp>();

  app.addHook("onRoute", (route) => {
    const { url } = route;
    registered.push(route);
    patterns.set(
      url,
      new RegExp(`^${url.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&").replaceAll(/:[A-Za-z]+/g, "[^/]+")}$`),
    );
  });

  /** Why no route took a request: there is nothing at its path, or not with its method. */
  function explainMiss(method: string, url: string, reply: FastifyReply): ServiceError {
    const path = url.split("?", 1)[0] ?? url;
    const methods = list()
      .filter((route) => patterns.get(route.url)?.test(path))
      .map((route) => route.method);
    if (methods.length === 0) return NotFound({ method, path: path.slice(0, 200) });
    const allow = [...new Set(methods)].sort().join(", ");
    reply.header("Allow", allow);
    return MethodNotAllowed({ method, allow });
  }

  function list(): Route[] {
    return registered.flatMap(({ method, url, config, schema }) =>
      [method].flat().map((each) => ({ method: each, url, config, schema })),
    );
  }

  return { list, explainMiss };
}

export type RouteTable = ReturnType<typeof createRouteTable>;
