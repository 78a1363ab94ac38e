import net from "node:net";
import tls from "node:tls";
import { type buildConnector, Client, type Dispatcher, Pool } from "undici";
import { limitSmallChunks } from "./chunk-limit.ts";
import { OutboundFailure } from "./outbound-failure.ts";
import { isSameAddress } from "./public-address.ts";
import type { Target } from "./target.ts";
import { openTunnel } from "./tunnel.ts";

/** A way to one target, and what to do with it after one request. */
export type Connection = { dispatcher: Dispatcher; release(): void };

const poolsMax = 256;
const socketsPerPoolMax = 128;
const connectMs = 10_000;
const nextAddressAfterMs = 1000;

// The caller's deadline bounds headers and body. HTTP/1.1 only: one request to a socket keeps a
// slow answer from holding up another.
const dispatcherOptions = {
  headersTimeout: 0,
  bodyTimeout: 0,
  maxHeaderSize: 16_384,
  allowH2: false,
  pipelining: 1,
  keepAliveTimeout: 4000,
  keepAliveMaxTimeout: 30_000,
};

/**
 * Sockets to checked targets. A socket is kept for a later request only under the addresses that
 * request was checked with: when a name's answers change, the old sockets are out of reach.
 */
export function createConnections() {
  const pools = new Map<string, Pool>();
  const pooledSockets = new Set<net.Socket>();

  function open(target: Target, { keepAlive }: { keepAlive: boolean }): Connection {
    if (keepAlive) return { dispatcher: pooled(target).compose(limitSmallChunks), release: () => {} };

    const own = new Set<net.Socket>();
    const client = new Client(target.url.origin, { ...dispatcherOptions, connect: connector(target, own) });
    return { dispatcher: client.compose(limitSmallChunks), release: () => discard(client, own) };
  }

  function pooled(target: Target): Pool {
    const { tunnel } = target;
    const way = tunnel ? [`${tunnel.host}:${tunnel.port}`, tunnel.authorization] : [];
    const key = [target.url.origin, ...way, ...target.addresses.toSorted()].join(" ");
    let pool = pools.get(key);
    if (pool) pools.delete(key);
    else {
      const connect = connector(target, pooledSockets);
      pool = new Pool(target.url.origin, { ...dispatcherOptions, connections: socketsPerPoolMax, connect });
    }
    pools.set(key, pool);
    if (pools.size > poolsMax) retireOldest();
    return pool;
  }

  /** Lets the pool that was used longest ago finish what it is doing. */
  function retireOldest(): void {
    const [oldest] = pools;
    if (!oldest) return;
    pools.delete(oldest[0]);
    oldest[1].close().catch(() => {});
  }

  async function close(): Promise<void> {
    const closing = [...pools.values()].map((pool) => pool.destroy());
    pools.clear();
    destroyAll(pooledSockets);
    await Promise.allSettled(closing);
  }

  return { open, close };
}

function discard(client: Client, sockets: ReadonlySet<net.Socket>): void {
  client.destroy().catch(() => {});
  destroyAll(sockets); // one still connecting is not the client's yet
}

function destroyAll(sockets: ReadonlySet<net.Socket>): void {
  for (const socket of sockets) socket.destroy();
}

/** Connects to the target's checked addresses and no other, whatever its name may answer by now. */
function connector(target: Target, sockets: Set<net.Socket>): buildConnector.connector {
  const { host, secure, addresses, tunnel } = target;
  const way = tunnel ?? target;
  const answers = addresses.map((address) => ({ address, family: net.isIP(address) }));

  return (_options, callback) => {
    const socket = net.connect({
      host: way.host,
      port: way.port,
      lookup: (_hostname, { all }, answer) =>
        all ? answer(null, answers) : answer(null, answers[0]?.address ?? "", answers[0]?.family),
      autoSelectFamily: true,
      autoSelectFamilyAttemptTimeout: nextAddressAfterMs,
      noDelay: true,
      keepAlive: true,
    });
    let encrypted: tls.TLSSocket | undefined;
    let isSettled = false;
    const settle = (outcome: OutboundFailure | net.Socket) => {
      if (isSettled) return;
      isSettled = true;
      clearTimeout(timer);
      if (!(outcome instanceof Error)) return callback(null, outcome);
      socket.destroy();
      callback(outcome, null);
    };
    const timer = setTimeout(() => settle(new OutboundFailure(encrypted ? "tls_failed" : "connect_failed")), connectMs);

    sockets.add(socket);
    socket.once("close", () => {
      sockets.delete(socket);
      settle(new OutboundFailure(encrypted ? "tls_failed" : "connect_failed"));
    });
    socket.on("error", (error) =>
      settle(new OutboundFailure(encrypted ? "tls_failed" : "connect_failed", undefined, error)),
    );
    socket.once("connect", () => {
      const reached = socket.remoteAddress ?? "";
      if (!addresses.some((address) => isSameAddress(address, reached)))
        return settle(new OutboundFailure("not_public"));
      if (tunnel) openTunnel(socket, target, tunnel, (failure) => (failure ? settle(failure) : speak()));
      else speak();
    });

    const speak = () => {
      if (!secure) return settle(socket);
      encrypted = tls.connect({
        socket,
        host,
        servername: net.isIP(host) === 0 ? host : "",
        ALPNProtocols: ["http/1.1"],
      });
      encrypted.once("secureConnect", function onSecure(this: tls.TLSSocket) {
        settle(this);
      });
      encrypted.on("error", (error) => settle(new OutboundFailure("tls_failed", undefined, error)));
    };
  };
}
