import { createHmac, timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import tls from "node:tls";
import { generate } from "selfsigned";

/** A certificate authority of the tests' own, and a certificate it gave to this machine. */
export type TestCertificates = { authority: string; certificate: string; key: string };

const day = 86_400_000;

export async function makeCertificates(): Promise<TestCertificates> {
  const common = {
    keyType: "ec",
    curve: "P-256",
    algorithm: "sha256",
    notBeforeDate: new Date(Date.now() - day),
    notAfterDate: new Date(Date.now() + 2 * day),
  } as const;
  const authority = await generate([{ name: "commonName", value: "Waypost tests" }], {
    ...common,
    extensions: [
      { name: "basicConstraints", cA: true, critical: true },
      { name: "keyUsage", keyCertSign: true, cRLSign: true },
    ],
  });
  const own = await generate([{ name: "commonName", value: "localhost" }], {
    ...common,
    ca: { key: authority.private, cert: authority.cert },
    extensions: [
      { name: "basicConstraints", cA: false },
      { name: "keyUsage", digitalSignature: true },
      { name: "extKeyUsage", serverAuth: true },
      {
        name: "subjectAltName",
        altNames: [
          { type: 2, value: "localhost" },
          { type: 2, value: "receiver.test" },
          { type: 7, ip: "127.0.0.1" },
        ],
      },
    ],
  });
  return { authority: authority.cert, certificate: own.cert, key: own.private };
}

/** Makes this process trust the tests' authority; other processes are told by NODE_EXTRA_CA_CERTS. */
export function trust({ authority }: TestCertificates) {
  tls.setDefaultCACertificates([...tls.getCACertificates(), authority]);
}

export type Received = {
  path: string;
  headers: IncomingHttpHeaders;
  /** The exact bytes. */
  raw: Buffer;
  body: Record<string, any>;
  atMs: number;
};

export type Answer = (received: Received, response: ServerResponse) => void;

export const accept: Answer = (_received, response) => void response.writeHead(204).end();

/** Answers with a status, headers and a body. */
export function answering(status: number, headers: Record<string, string> = {}, body = ""): Answer {
  return (_received, response) => void response.writeHead(status, headers).end(body);
}

/** An HTTPS receiver on loopback. What it answers can be changed at any time. */
export async function openReceiver(certificates: TestCertificates, answer: Answer = accept) {
  const received: Received[] = [];
  const waiting: (() => void)[] = [];
  const receiver = { answer, received, port: 0, url: "", connections: 0, until, close };
  const server = createServer({ cert: certificates.certificate, key: certificates.key });
  server.on("secureConnection", () => (receiver.connections += 1));
  server.on("request", (request: IncomingMessage, response: ServerResponse) => void take(request, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  receiver.port = (server.address() as AddressInfo).port;
  receiver.url = `https://127.0.0.1:${receiver.port}/hook`;

  async function take(request: IncomingMessage, response: ServerResponse) {
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of request) chunks.push(chunk as Buffer);
    } catch {
      return; // the sender went away
    }
    const raw = Buffer.concat(chunks);
    const call: Received = {
      path: request.url ?? "",
      headers: request.headers,
      raw,
      body: JSON.parse(raw.toString("utf8")),
      atMs: performance.now(),
    };
    received.push(call);
    receiver.answer(call, response);
    for (const wake of waiting.splice(0)) wake();
  }

  /** Waits until something holds, looking again at each request. */
  async function until(holds: () => boolean) {
    while (!holds()) await new Promise<void>((resolve) => waiting.push(resolve));
  }

  async function close() {
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  }

  return receiver;
}

/** The documented verification, written from the interface alone. */
export function isSigned({ headers, raw }: Pick<Received, "headers" | "raw">, secret: string): boolean {
  const timestamp = header(headers, "x-svc-timestamp");
  const expected = createHmac("sha256", secret).update(`${timestamp}.`).update(raw).digest();
  const [version, hex = ""] = header(headers, "x-svc-signature").split("=");
  if (version !== "v1" || !/^[0-9a-f]{64}$/.test(hex)) return false;
  return timingSafeEqual(expected, Buffer.from(hex, "hex"));
}

export function header(headers: IncomingHttpHeaders, name: string): string {
  const value = headers[name];
  return typeof value === "string" ? value : "";
}
