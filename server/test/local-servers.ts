import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import net from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";

export type LocalServer = { port: number; connections: net.Socket[] };

/** A web server of the test's own making, on loopback. */
export async function startHttp(t: TestContext, listener: RequestListener, host = "127.0.0.1"): Promise<LocalServer> {
  return listen(t, createServer(listener), host, 0);
}

/** A server that speaks whatever the test says, below HTTP. */
export async function startTcp(
  t: TestContext,
  talk: (socket: net.Socket) => void,
  { host = "127.0.0.1", port = 0 } = {},
): Promise<LocalServer> {
  return listen(t, net.createServer(talk), host, port);
}

async function listen(t: TestContext, server: net.Server, host: string, port: number): Promise<LocalServer> {
  const connections: net.Socket[] = [];
  server.on("connection", (socket) => {
    connections.push(socket);
    socket.on("error", () => {});
  });
  server.listen(port, host);
  await once(server, "listening");
  t.after(async () => {
    for (const socket of connections) socket.destroy();
    server.close();
    await once(server, "close");
  });
  return { port: (server.address() as net.AddressInfo).port, connections };
}

const program = "openssl";

export type Certificate = { certFile: string; keyFile: string };

/** A self-signed certificate for a name, or undefined on a machine without openssl. */
export function makeCertificate(t: TestContext, name: string): Certificate | undefined {
  const folder = mkdtempSync(join(tmpdir(), "waypost-certificate-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const [certFile, keyFile] = [join(folder, "cert.pem"), join(folder, "key.pem")];
  const subject = ["-subj", `/CN=${name}`, "-addext", `subjectAltName=DNS:${name}`];
  const kind = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"];
  try {
    execFileSync(program, [...kind, ...subject, "-keyout", keyFile, "-out", certFile], { stdio: "ignore" });
    return { certFile, keyFile };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    t.skip("openssl is not on this machine");
    return undefined;
  }
}
