import { callbackify } from "node:util";
import type pg from "pg";
import type { Hosts } from "./hosts.ts";
import { type WatchedClient, watchedClient } from "./watched-client.ts";

type Callback = ((error: Error) => void) | ((error: null, client: pg.Client) => void);

/**
 * For a pool whose URL has several hosts: each connection goes to the primary that is known when it is
 * made, and one that fails or meets a replica has the primary looked for.
 */
export function followingClient(hosts: Hosts, currentConfig: () => pg.ClientConfig): new () => WatchedClient {
  const Client = watchedClient(currentConfig);
  if (!hosts.isMany) return Client;

  class FollowingClient extends Client {
    // The pool calls back; everybody else awaits.
    override connect(): Promise<pg.Client>;
    override connect(callback: Callback): void;
    override connect(callback?: Callback): Promise<pg.Client> | void {
      if (!callback) return this.connectToPrimary();
      const done = callback as (error: Error | null, client: pg.Client) => void; // the union of both forms
      callbackify(() => this.connectToPrimary())(done);
    }

    private async connectToPrimary(): Promise<pg.Client> {
      try {
        await super.connect();
        const { rows } = await this.query<{ replica: boolean }>("select pg_is_in_recovery() as replica");
        if (rows[0]?.replica) throw new Error("Connection terminated: the server is a replica");
        return this;
      } catch (error) {
        this.end().catch(() => undefined);
        await hosts.find();
        throw error;
      }
    }
  }
  return FollowingClient;
}
