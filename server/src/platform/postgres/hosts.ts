import pg from "pg";
import { DatabaseProblem } from "./database-problem.ts";

/** What a connection must allow, as libpq names it. Writing is what every process of ours needs. */
type TargetSession = "read-write" | "any";

/**
 * The hosts of one DATABASE_URL, of which one takes writes. Connections go to the one that was
 * found last; when it fails, or turns out to be a replica, find() asks all of them again.
 */
export type Hosts = {
  /** The URL with one host in it, for connections that are made now. */
  url(): string;
  isMany: boolean;
  /** Asks every host at once; resolves when one that fits has answered, or none does. */
  find(): Promise<void>;
};

const known = new Map<string, Hosts>();

/** One memory for each URL: what one connection learns, the next ones use. */
export function hostsOf(url: string): Hosts {
  const hosts = known.get(url) ?? createHosts(url);
  known.set(url, hosts);
  return hosts;
}

const multiHost = /^(postgres(?:ql)?:\/\/(?:[^@/]*@)?)([^/?]*,[^/?]*)([/?].*)?$/;
const probeTimeoutMs = 2_000;

function createHosts(url: string): Hosts {
  const [, start = "", list = "", rest = ""] = multiHost.exec(url) ?? [];
  if (list === "") return { url: () => forClient(url), isMany: false, find: async () => undefined };

  const target = targetOf(rest);
  const urls = list.split(",").map((host) => forClient(`${start}${host}${rest}`));
  let current = urls[0] ?? url;
  let search: Promise<void> | undefined;

  async function searchAll() {
    const fitting = urls.map(async (candidate) => {
      if (!(await fits(candidate, target))) throw new Error(`${candidate} does not fit`);
      return candidate;
    });
    current = await Promise.any(fitting).catch(() => current);
  }

  return {
    url: () => current,
    isMany: true,
    find() {
      search ??= searchAll().finally(() => (search = undefined));
      return search;
    },
  };
}

/**
 * The URL in the words of the client library. `target_session_attrs` is libpq's own: the server would refuse it as a
 * setting it does not know. The library checks the certificate under every name of TLS, and warns of all but one.
 */
function forClient(url: string): string {
  const withoutTarget = url.replace(/([?&])target_session_attrs=[^&]*(&|$)/, (_match, before: string, after: string) =>
    after === "" ? "" : before,
  );
  if (/[?&]uselibpqcompat=true/.test(url)) return withoutTarget;
  return withoutTarget.replace(/([?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/, "$1verify-full");
}

function targetOf(rest: string): TargetSession {
  const value = /[?&]target_session_attrs=([^&]*)/.exec(rest)?.[1] ?? "read-write";
  if (value === "any") return "any";
  if (value === "read-write" || value === "primary") return "read-write";
  throw new DatabaseProblem(
    `DATABASE_URL has target_session_attrs=${value}, and Waypost writes`,
    "Use read-write, primary or any",
  );
}

async function fits(url: string, target: TargetSession): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: probeTimeoutMs });
  client.on("error", () => undefined);
  try {
    await client.connect();
    if (target === "any") return true;
    const { rows } = await client.query<{ writable: boolean }>(
      "select not pg_is_in_recovery() and current_setting('transaction_read_only') = 'off' as writable",
    );
    return rows[0]?.writable ?? false;
  } finally {
    await client.end().catch(() => undefined);
  }
}
