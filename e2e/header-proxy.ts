import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import type { TestContext } from "node:test";
import { defer } from "../server/test/defer.ts";

/** Passes requests on with a header more, for programs that cannot send one; resolves to its own address. */
export async function startHeaderProxy(t: TestContext, target: string, headers: Record<string, string>) {
  const proxy = createServer((incoming, outgoing) => {
    const { method = "GET", url = "/" } = incoming;
    const onward = request(new URL(url, target), { method, headers: { ...incoming.headers, ...headers } }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    onward.on("error", () => outgoing.destroy());
    outgoing.on("close", () => onward.destroy());
    incoming.pipe(onward);
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  defer(t, () => {
    proxy.closeAllConnections();
    proxy.close();
  });
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`; // it listens on a port
}
