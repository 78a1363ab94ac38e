import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { extname, join, relative } from "node:path";
import { defineError } from "../platform/errors.ts";
import { Type } from "../platform/schema.ts";
import type { HttpServer } from "../platform/http/server.ts";
import { requireOwnHost } from "../platform/http/own-host.ts";
import { createStaticFile, sendFile, type StaticFile } from "../platform/http/static-file.ts";

const types: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".json": "application/json; charset=utf-8",
  ".woff2": "font/woff2",
};

/** What the pages may load: their own files, and the map of one other host where the operator names it. */
function policyWith(mapOrigin: string | undefined): string {
  const also = mapOrigin === undefined ? "" : ` ${mapOrigin}`;
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src 'self' data: blob:${also}`,
    `connect-src 'self'${also}`,
    "worker-src 'self'",
    "font-src 'self'",
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}

/** False where there are no pages to serve: the service then offers none. */
export function isDashboardBuilt(folder: string): boolean {
  return existsSync(join(folder, "index.html"));
}

type PagesDeps = { folder: string; mapUrl: string | undefined; publicUrl: string | undefined };

/** Serves the dashboard under `/console/`: its files, and its one page for every address of its own. */
export async function dashboardPages(app: HttpServer, { folder, mapUrl, publicUrl }: PagesDeps) {
  const policy = policyWith(mapUrl === undefined ? undefined : new URL(mapUrl).origin);
  const assets = await readAssets(folder);

  app.get("/console", {
    schema: { hide: true },
    config: { public: true },
    handler: (_request, reply) => reply.redirect("/console/"),
  });
  // Browsers ask for it on pages that name no icon, such as the API reference.
  const icon = assets.get("waypost.svg");
  if (icon) {
    app.get("/favicon.ico", {
      schema: { hide: true },
      config: { public: true },
      handler: async (request, reply) => sendFile(await icon(), request, reply),
    });
  }
  app.get("/console/*", {
    // A page's address has a query of its own, such as a filter or where to go after the sign-in.
    schema: { hide: true, querystring: Type.Object({}, { additionalProperties: true }) },
    config: { public: true },
    async handler(request, reply) {
      requireOwnHost(request.host, publicUrl);
      reply.header("Content-Security-Policy", policy);
      const path = (request.params as { "*": string })["*"];
      const asset = assets.get(path) ?? (isPage(path) ? assets.get("index.html") : undefined);
      if (asset) return sendFile(await asset(), request, reply);
      throw assets.size === 0
        ? DashboardNotBuilt()
        : app.routeTable.explainMiss(request.method, request.originalUrl, reply);
    },
  });
}

/** An address of a page has no ending, as files have, and is no route that only other methods have. */
function isPage(path: string): boolean {
  return extname(path) === "" && !path.startsWith("api/");
}

const DashboardNotBuilt = defineError(
  "not_found",
  "not_found",
  () =>
    "The dashboard has not been built yet; run `npm ci` and `npm run build` in the project's folder and start the service again.",
);

type Asset = () => Promise<StaticFile>;

async function readAssets(folder: string): Promise<Map<string, Asset>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const assets = await Promise.all(files.map(async (file) => [relative(folder, file), await readAsset(file)] as const));
  return new Map(assets);
}

/** Reads a file at the start, so that all are of one build, and compresses it for its first reader. */
async function readAsset(file: string): Promise<Asset> {
  const bytes = await readFile(file);
  const type = types[extname(file)] ?? "application/octet-stream";
  const cacheControl = file.includes("/assets/") ? "public, max-age=31536000, immutable" : "no-cache";
  let compressed: Promise<StaticFile> | undefined;
  return () => (compressed ??= createStaticFile(bytes, { type, cacheControl }));
}
