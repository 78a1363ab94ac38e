// Websites in a thread of their own, so that serving them costs the thread under test nothing. Started
// with a list of websites, each a table of paths and pages; answers with their ports.
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { parentPort, workerData } from "node:worker_threads";

const ports = (workerData as Record<string, string>[]).map(async (pages) => {
  const server = createServer((request, response) => {
    const [path = ""] = (request.url ?? "").split("?");
    const page = pages[path] ?? pages["*"];
    const type = path === "/robots.txt" ? "text/plain" : "text/html";
    if (page === undefined || (path === "/robots.txt" && !pages[path])) response.writeHead(404).end();
    else response.writeHead(200, { "Content-Type": type }).end(page);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
});
parentPort?.postMessage(await Promise.all(ports), []);
