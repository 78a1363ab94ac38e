import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { extname, join, relative } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { FastifyReply, FastifyRequest } from "fastify";
import { Type } from "typebox";
import type { HttpServer } from "../platform/http/server.ts";

/** A file of the built dashboard, compressed once at start and sent from these buffers. */
type Asset = { type: string; etag: string; isHashed: boolean; plain: Buffer; br: Buffer; gzip: Buffer };

const types: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".json": "application/json; charset=utf-8",
  ".woff2": "font/woff2",
};

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "worker-src 'self'",
  "font-src 'self'",
  "manifest-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** Serves the dashboard under `/console/`: its files, and its one page for every address of its own. */
export async function dashboardPages(app: HttpServer, folder: string) {
  const assets = await readAssets(folder);

  app.get("/console", {
    schema: { hide: true },
    config: { public: true },
    handler: (_request, reply) => reply.redirect("/console/"),
  });
  app.get("/console/*", {
    // A page's address has a query of its own, such as a filter or where to go after the sign-in.
    schema: { hide: true, querystring: Type.Object({}, { additionalProperties: true }) },
    config: { public: true },
    handler(request, reply) {
      reply.header("Content-Security-Policy", policy);
      const path = (request.params as { "*": string })["*"];
      // An address of the dashboard has no ending; a file that is not there is not found.
      const asset = assets.get(path) ?? (extname(path) === "" ? assets.get("index.html") : undefined);
      return asset ? send(asset, request, reply) : notBuilt(reply, assets.size === 0);
    },
  });
}

function send(asset: Asset, request: FastifyRequest, reply: FastifyReply) {
  reply.header("ETag", asset.etag);
  reply.header("Vary", "Accept-Encoding");
  reply.header("Cache-Control", asset.isHashed ? "public, max-age=31536000, immutable" : "no-cache");
  if (request.headers["if-none-match"] === asset.etag) return reply.code(304).send();
  const accepted = request.headers["accept-encoding"] ?? "";
  const encoding = /\bbr\b/.test(accepted) ? "br" : /\bgzip\b/.test(accepted) ? "gzip" : undefined;
  if (encoding) reply.header("Content-Encoding", encoding);
  return reply.type(asset.type).send(asset[encoding ?? "plain"]);
}

function notBuilt(reply: FastifyReply, isMissing: boolean) {
  const sentence = isMissing
    ? "The dashboard has not been built yet. Run `npm run build` in the project's folder and start the service again."
    : "There is no such file.";
  return reply.code(404).type("text/plain; charset=utf-8").send(`${sentence}\n`);
}

async function readAssets(folder: string): Promise<Map<string, Asset>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const assets = await Promise.all(files.map(async (file) => [relative(folder, file), await readAsset(file)] as const));
  return new Map(assets);
}

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);
// Quality 5 compresses nearly as well as 11 in a twentieth of the time, at each start.
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };

async function readAsset(file: string): Promise<Asset> {
  const plain = await readFile(file);
  const [br, gzipped] = await Promise.all([brotli(plain, brotliOptions), zip(plain)]);
  return {
    type: types[extname(file)] ?? "application/octet-stream",
    etag: `"${createHash("sha256").update(plain).digest("base64url").slice(0, 22)}"`,
    isHashed: file.includes("/assets/"),
    plain,
    br,
    gzip: gzipped,
  };
}
