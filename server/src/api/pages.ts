import { createHash } from "node:crypto";
import type { HttpServer } from "../platform/http/server.ts";
import { referencePage } from "./reference-page.ts";

/** What a person sees in a browser: a plain page at `/`, the reference at `/docs`. */
export function pages(app: HttpServer) {
  referencePage(app);
  app.get("/", {
    schema: { hide: true },
    config: { public: true },
    async handler(request, reply) {
      reply.header("Content-Type", "text/html; charset=utf-8");
      reply.header("Content-Security-Policy", policy);
      return homePage(request.host);
    },
  });
}

const style = `
body { font: 16px/1.6 system-ui, sans-serif; max-width: 42rem; margin: 4rem auto; padding: 0 1.5rem; color: #1c2430; }
h1 { font-size: 1.75rem; margin-bottom: 0; }
code, pre { font: 14px/1.5 ui-monospace, monospace; background: #f2f4f7; border-radius: 4px; }
code { padding: 0.1em 0.3em; }
pre { padding: 1rem; overflow-x: auto; }
a { color: #0b57d0; }
`;

const policy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash("sha256").update(style).digest("base64")}'`,
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** The host is the caller's own word, so only what can be nothing but a host is repeated. */
const homePage = (host: string) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Waypost</title>
<style>${style}</style>
</head>
<body>
<h1>Waypost</h1>
<p>Business search and scrape jobs, running on this machine.</p>
<ul>
<li><a href="/console/">Dashboard</a></li>
<li><a href="/docs">API reference</a></li>
<li><a href="/api/v1/openapi.json">OpenAPI document</a></li>
<li><a href="/readyz">Readiness</a>, <a href="/healthz">health</a>, <a href="/metrics">metrics</a></li>
</ul>
<p>A first search, with the test key that the first start printed:</p>
<pre>curl -H "API-KEY: $WAYPOST_TEST_KEY" -H "Content-Type: application/json" \\
  -d '{"q":"coffee in Vaduz"}' http://${/^[\w.:[\]-]{1,100}$/.test(host) ? host : "localhost:8080"}/api/v1/search</pre>
<p>Lost the key? <code>npx waypost keys create --name mine --environment test</code> makes another.</p>
</body>
</html>
`;
