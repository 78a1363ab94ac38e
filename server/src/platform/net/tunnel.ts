import type net from "node:net";
import { OutboundFailure } from "./outbound-failure.ts";
import type { Target, Tunnel } from "./target.ts";

/** The longest that a proxy's own answer may be. */
const headMax = 8192;
const headEnd = "\r\n\r\n";

/** Asks the proxy at the other end of the socket for a connection to the target (HTTP CONNECT). */
export function openTunnel(
  socket: net.Socket,
  { host, port }: Target,
  { authorization }: Tunnel,
  done: (failure?: OutboundFailure) => void,
): void {
  const authority = host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
  const lines = [`CONNECT ${authority} HTTP/1.1`, `Host: ${authority}`];
  if (authorization !== undefined) lines.push(`Proxy-Authorization: ${authorization}`);
  let head = Buffer.alloc(0);

  const read = () => {
    for (let chunk: Buffer | null = socket.read(); chunk !== null; chunk = socket.read()) {
      head = Buffer.concat([head, chunk]);
      const end = head.indexOf(headEnd);
      if (end >= 0) return finish(end);
      if (head.length > headMax) return finish(-1);
    }
  };
  const finish = (end: number) => {
    socket.off("readable", read);
    const [statusLine = ""] = head.toString("latin1").split("\r\n", 1);
    if (end < 0 || !/^HTTP\/1\.[01] 2\d\d\b/.test(statusLine)) return done(new OutboundFailure("connect_failed"));
    const rest = head.subarray(end + headEnd.length);
    if (rest.length > 0) socket.unshift(rest);
    done();
  };

  // Read on demand instead of flowing: what comes after the head belongs to the tunnel's user.
  socket.on("readable", read);
  socket.write(lines.join("\r\n") + headEnd);
}
