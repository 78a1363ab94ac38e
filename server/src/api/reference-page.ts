import { randomBytes } from "node:crypto";
import { fastify } from "fastify";
import type { HttpServer } from "../platform/http/server.ts";
import { createStaticFile, sendFile } from "../platform/http/static-file.ts";
import { lazy } from "../platform/lazy.ts";

const folder = "/docs/";
const scriptPath = `${folder}js/scalar.js`;

/** What the reference is made of: a page that loads a script of several megabytes, which all readers share. */
type Reference = { page: string; script: Buffer };

/** Gives each style element that the library makes the page's nonce; the library gives it to one of them only. */
const nonceForStyles = `
      const { nonce } = document.currentScript;
      const { createElement } = Document.prototype;
      Document.prototype.createElement = function (...words) {
        const element = createElement.apply(this, words);
        if (element instanceof HTMLStyleElement) element.nonce = nonce;
        return element;
      };
    `;

/** Stands in the page where each answer has a nonce of its own. */
const nonceMark = randomBytes(16).toString("hex");

const open = () => ({ schema: { hide: true }, config: { public: true as const } });

/** The reference in a browser, from the OpenAPI document. */
export function referencePage(app: HttpServer) {
  const reference = lazy(loadReference);
  const script = lazy(async () =>
    createStaticFile((await reference()).script, { type: "text/javascript; charset=utf-8" }),
  );
  app.lateLoads.push(script);

  app.get("/docs", { ...open(), handler: async (_request, reply) => reply.redirect(folder, 301) });
  app.get(folder, {
    ...open(),
    async handler(_request, reply) {
      const { page } = await reference();
      const nonce = randomBytes(16).toString("base64");
      reply.header("Content-Type", "text/html; charset=utf-8");
      reply.header("Content-Security-Policy", policyWith(nonce));
      reply.header("Cache-Control", "no-store");
      return page.replaceAll(nonceMark, nonce);
    },
  });
  app.get(scriptPath, {
    ...open(),
    async handler(request, reply) {
      return sendFile(await script(), request, reply);
    },
  });
}

function policyWith(nonce: string): string {
  return [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'`,
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}

/** Loads the library when somebody first reads the reference: with all it imports, it is a sixth of the start. */
async function loadReference(): Promise<Reference> {
  const { default: scalar } = await import("@scalar/fastify-api-reference");
  const maker = fastify();
  await maker.register(scalar, {
    routePrefix: folder,
    configuration: {
      url: "/api/v1/openapi.json",
      pageTitle: "Waypost API reference",
      nonce: nonceMark,
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
  const styles = `<script nonce="${nonceMark}">${nonceForStyles}</script>\n  </head>`;
  return { page: page.body.replace("</head>", styles), script: script.rawPayload };
}
