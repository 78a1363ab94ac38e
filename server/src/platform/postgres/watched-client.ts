import { Socket } from "node:net";
import pg from "pg";
import type { Sent } from "./stall-watch.ts";

/** A connection that tells its session at the server, and the bytes that came and went. */
export class WatchedClient extends pg.Client {
  readonly #socket: Socket;
  #session = 0;

  constructor(config: pg.ClientConfig) {
    const socket = new Socket();
    super({ ...config, stream: () => socket });
    this.#socket = socket;
  }

  /** Asks the server for the number of the session. */
  async askSession(): Promise<void> {
    const { rows } = await this.query<{ pid: number }>("select pg_backend_pid() as pid");
    this.#session = rows[0]?.pid ?? 0;
  }

  sent(): Sent {
    return { session: this.#session, moved: () => this.#socket.bytesRead - this.#socket.writableLength };
  }
}

/** For a pool: its own options hide the password from whoever copies them. */
export function watchedClient(currentConfig: () => pg.ClientConfig): new () => WatchedClient {
  return class extends WatchedClient {
    constructor() {
      super(currentConfig());
    }
  };
}

/** The pool makes no other connections. */
export function watched(client: pg.ClientBase): WatchedClient {
  if (client instanceof WatchedClient) return client;
  throw new Error("the connection is not of a pool");
}
