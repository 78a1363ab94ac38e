// A receiver in a process of its own, so that it takes no time from what is measured. It reads its
// certificate from the folder it is given and tells its port; how it behaves is in the path:
// /well answers at once, /hang never, /faulty fails, hangs and resets as often as its query says.
import { readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";

const [folder = "."] = process.argv.slice(2);
const server = createServer({
  cert: readFileSync(join(folder, "certificate.pem")),
  key: readFileSync(join(folder, "key.pem")),
});
server.on("request", (request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("error", () => undefined);
  request.on("end", () => answer(request, response, Buffer.concat(chunks)));
});
server.listen(0, "127.0.0.1", () => process.send?.({ port: (server.address() as AddressInfo).port }));
process.on("disconnect", () => process.exit());

function answer(request: IncomingMessage, response: ServerResponse, raw: Buffer) {
  const { pathname, searchParams } = new URL(request.url ?? "/", "https://receiver");
  const report = searchParams.has("report") ? { headers: request.headers, raw: raw.toString("base64") } : undefined;
  if (pathname === "/hang") return;
  if (pathname === "/faulty") {
    const share = Number(searchParams.get("fails")) + Number(searchParams.get("hangs"));
    const chance = Math.random() * 100;
    if (chance < Number(searchParams.get("fails"))) return tell(report, 500, response);
    if (chance < share) return tell(report, 0, undefined);
    if (chance < share + Number(searchParams.get("resets"))) {
      request.socket.destroy();
      return tell(report, 0, undefined);
    }
  }
  tell(report, 204, response);
}

function tell(report: object | undefined, status: number, response: ServerResponse | undefined) {
  response?.writeHead(status).end();
  if (report) process.send?.({ ...report, status });
}
