import { randomBytes } from "node:crypto";
import { fastify } from "fastify";
import type { HttpServer } from "../platform/http/server.ts";
import { createStaticFile, sendFile } from "../platform/http/static-file.ts";
import { lazy } from "../platform/lazy.ts";

const folder = "/docs/";
const scriptPath = `${folder}js/scalar.js`;

/** What the reference is made of: a page that loads a script of several megabytes, which all readers share. */
type Reference = { page: string; script: Buffer };

const open = () => ({ schema: { hide: true }, config: { public: true as const } });

/** The reference in a browser, from the OpenAPI document. */
export function referencePage(app: HttpServer) {
  const nonce = randomBytes(16).toString("base64");
  const policy = [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "frame-ancestors 'none'",
  ].join("; ");
  const reference = lazy(() => loadReference(nonce));
  const script = lazy(async () =>
    createStaticFile((await reference()).script, { type: "text/javascript; charset=utf-8" }),
  );
  app.lateLoads.push(script);

  app.get("/docs", { ...open(), handler: async (_request, reply) => reply.redirect(folder, 301) });
  app.get(folder, {
    ...open(),
    async handler(_request, reply) {
      const { page } = await reference();
      reply.header("Content-Type", "text/html; charset=utf-8");
      reply.header("Content-Security-Policy", policy);
      return page;
    },
  });
  app.get(scriptPath, {
    ...open(),
    async handler(request, reply) {
      return sendFile(await script(), request, reply);
    },
  });
}

/** Loads the library when somebody first reads the reference: with all it imports, it is a sixth of the start. */
async function loadReference(nonce: string): Promise<Reference> {
  const { default: scalar } = await import("@scalar/fastify-api-reference");
  const maker = fastify();
  await maker.register(scalar, {
    routePrefix: folder,
    configuration: {
      url: "/api/v1/openapi.json",
      pageTitle: "Waypost API reference",
      nonce,
      withDefaultFonts: false,
      telemetry: false,
      hideClientButton: true,
      showDeveloperTools: "never",
      agent: { disabled: true },
      mcp: { disabled: true },
    },
  });
  const [page, script] = await Promise.all([maker.inject(folder), maker.inject(scriptPath)]);
  await maker.close();
  return { page: page.body, script: script.rawPayload };
}
