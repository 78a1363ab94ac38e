import { integer, secret, setting } from "../../platform/settings.ts";
import type { SettingValues } from "../../sources/definition.ts";

export const databaseSettings = {
  databaseUrl: secret(
    setting(
      "DATABASE_URL",
      undefined,
      postgresUrl,
      "A PostgreSQL of your own, 15 or newer. `sslmode=require` and stricter check its certificate (`sslrootcert=` names a private authority); `sslmode=no-verify` only encrypts. Unset: the service runs one itself in the data folder.",
    ),
  ),
  databaseReadUrl: secret(
    setting(
      "DATABASE_READ_URL",
      undefined,
      replicaUrl,
      "A streaming replica of the PostgreSQL of DATABASE_URL, which searches of the catalog read areas and their outlines from. While it is out of reach the primary answers.",
    ),
  ),
  databaseConnectionsMax: setting(
    "WAYPOST_DATABASE_CONNECTIONS",
    "20",
    integer(2, 1_000),
    "The most connections one process holds to the database.",
  ),
  databaseWaitSeconds: setting(
    "WAYPOST_DATABASE_WAIT_SECONDS",
    "60",
    integer(0, 3_600),
    "How long a start waits for the PostgreSQL of DATABASE_URL to come up, and repeats what an outage of it cuts off.",
  ),
  retentionDays: setting(
    "WAYPOST_RETENTION_DAYS",
    "30",
    integer(1, 3_650),
    "How many days scrape jobs and their results are kept.",
  ),
  ledgerMonths: setting(
    "WAYPOST_LEDGER_MONTHS",
    "13",
    integer(2, 120),
    "How many months, the current one included, the ledger keeps every entry; an earlier month of an organization becomes one entry.",
  ),
};

/** A line when a replica is configured without its primary: the embedded server has none. */
export function databaseProblems({ databaseUrl, databaseReadUrl }: SettingValues): string[] {
  if (databaseReadUrl === undefined || databaseUrl !== undefined) return [];
  return ["DATABASE_URL is unset, and DATABASE_READ_URL needs it: set both, or neither."];
}

function postgresUrl(value: string, withoutIt = "the embedded one"): string {
  // Not parsed as a URL: postgres://user:password@/database?host=/run/postgresql is a good one, and has no host.
  const [, hosts, path = ""] = /^postgres(?:ql)?:\/\/(?:[^/?#\s]*@)?([^/?#@\s]*)([/?]\S*)?$/.exec(value) ?? [];
  const isRead = hosts?.split(",").every((host) => /^(\[[^[\]]+\]|[^:[\]]*)(:\d+)?$/.test(host));
  // An @ in the path ends a password whose slash was taken for the end of the host.
  if (isRead && !/^[^?]*@/.test(path)) return value;
  throw new Error(
    `must be a PostgreSQL URL; write postgres://user:password@host:5432/database, with / ? # in the password as %2F %3F %23, or unset it for ${withoutIt}`,
  );
}

function replicaUrl(value: string): string {
  const url = postgresUrl(value, "reads from the primary");
  const [, authority = ""] = /^\w+:\/\/([^/?]*)/.exec(url) ?? [];
  if (!authority.slice(authority.lastIndexOf("@") + 1).includes(",")) return url;
  throw new Error("must name one host; put a balancer before several replicas, or give each process its own");
}
