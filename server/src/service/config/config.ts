import { resolve } from "node:path";
import { mapProblems, mapSettings } from "./map.ts";
import { oidcProblems, oidcSettings } from "./oidc.ts";
import { parseKeyText } from "../../domains/api-keys/index.ts";
import { standardAllowance, standardTestQuota } from "../../domains/billing/index.ts";
import { exportProblems, exportSecretNames, exportSettings } from "./exports.ts";
import { unknownVariables } from "./unknown-variables.ts";
import { parseOutboundAllow } from "./outbound.ts";
import type { LogLevel } from "../../platform/log.ts";
import { parseNetwork } from "../../platform/net/networks.ts";
import {
  ConfigProblem,
  integer,
  list,
  oneOf,
  type Parse,
  type Setting,
  setting,
  text,
} from "../../platform/settings.ts";
import type { SettingValues } from "../../sources/definition.ts";
import { sourceNames, sourceSettings } from "../../sources/registry.ts";

/**
 * The settings of the service; sources declare theirs themselves. This file is the only reader of
 * the environment, and docs/reference/configuration.md is held equal to it by a test.
 */
const ownSettings = {
  port: setting("WAYPOST_PORT", "8080", integer(0, 65_535), "The port to listen on; 0 takes any free one."),
  host: setting("WAYPOST_HOST", "127.0.0.1", text(), "The address to listen on; 0.0.0.0 for every interface."),
  dataFolder: setting(
    "WAYPOST_DATA_DIR",
    "./data",
    (value) => resolve(text()(value)),
    "Where the embedded PostgreSQL, the generated secrets and export files live.",
  ),
  databaseUrl: setting(
    "DATABASE_URL",
    undefined,
    postgresUrl,
    "A PostgreSQL of your own, 15 or newer. `sslmode=require` and stricter check its certificate (`sslrootcert=` names a private authority); `sslmode=no-verify` only encrypts. Unset: the service runs one itself in the data folder.",
  ),
  databaseReadUrl: setting(
    "DATABASE_READ_URL",
    undefined,
    replicaUrl,
    "A streaming replica of the PostgreSQL of DATABASE_URL, which catalog searches read from. What it has not replayed yet is not found; while it is out of reach the primary answers.",
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
  drainSeconds: setting(
    "WAYPOST_DRAIN_SECONDS",
    "0",
    integer(0, 300),
    "How long, after SIGTERM, `/readyz` says 503 and requests are still answered before the port closes. Behind a balancer: a little longer than it takes to notice.",
  ),
  role: setting("WAYPOST_ROLE", "all", oneOf("all", "api", "worker"), "What this process does: all, api or worker."),
  source: setting(
    "WAYPOST_SOURCE",
    "auto",
    oneOf("auto", ...sourceNames),
    `Which source answers live keys: ${["auto", ...sourceNames.slice(0, -1)].join(", ")} or ${sourceNames.at(-1)}.`,
  ),
  defaultAllowance: setting(
    "WAYPOST_DEFAULT_ALLOWANCE",
    String(standardAllowance),
    integer(0, 999_999_999),
    "Request units per calendar month for each organization that was given no allowance of its own.",
  ),
  outboundAllow: setting(
    "WAYPOST_OUTBOUND_ALLOW",
    "",
    parseOutboundAllow,
    "What outbound calls may reach although it is not public, separated by commas: CIDR blocks for webhooks and the operator's own source URLs, `enrichment=`, `imports=` or `oidc=` before a block for those alone (`webhooks=` and `sources=` too), and a port after it for that port alone, as in `10.0.0.0/8:8443`.",
  ),
  webhookPorts: setting(
    "WAYPOST_WEBHOOK_PORTS",
    "443,8443",
    ports,
    "The ports a webhook URL may name, separated by commas.",
  ),
  rateLimitPerSecond: setting(
    "WAYPOST_RATE_LIMIT",
    "50",
    integer(1, 1_000_000),
    "Requests per second for each API key, counted by each process; bursts may reach twice that.",
  ),
  connectionsMax: setting(
    "WAYPOST_CONNECTIONS_MAX",
    "4000",
    integer(10, 1_000_000),
    "The most connections that clients may hold to one process; further ones are closed as they come.",
  ),
  connectionsPerAddressMax: setting(
    "WAYPOST_CONNECTIONS_PER_ADDRESS",
    "1000",
    integer(1, 1_000_000),
    "The most connections of one IPv4 address or one IPv6 /64. Those of WAYPOST_TRUSTED_PROXIES are not counted.",
  ),
  stalledReaderSeconds: setting(
    "WAYPOST_STALLED_READER_SECONDS",
    "30",
    integer(1, 3_600),
    "How long a client may read nothing of an answer that waits for it before its connection is closed.",
  ),
  readerBytesPerSecondMin: setting(
    "WAYPOST_READER_BYTES_PER_SECOND",
    "500",
    integer(0, 1_000_000),
    "What a client must read of an answer that waits for it, on average over twice WAYPOST_STALLED_READER_SECONDS, before its connection is closed; 0 allows any rate.",
  ),
  unreadMegabytesMax: setting(
    "WAYPOST_UNREAD_ANSWERS_MEMORY",
    "256",
    integer(1, 1_048_576),
    "Megabytes of answers that may wait for slow readers in one process; past that, connections with the longest waiting answers are closed.",
  ),
  crawlsMax: setting(
    "WAYPOST_CRAWLS_MAX",
    "50",
    integer(1, 10_000),
    "How many websites of businesses one process visits at once, for `extra: true`; further visits wait.",
  ),
  testQuotaPerDay: setting(
    "WAYPOST_TEST_QUOTA",
    String(standardTestQuota),
    integer(0, 999_999_999),
    "How many jobs, collections and searches with an Idempotency-Key the test keys of one organization may store per day (UTC).",
  ),
  trustedProxies: setting(
    "WAYPOST_TRUSTED_PROXIES",
    "",
    networks,
    "CIDR blocks of the proxies whose X-Forwarded-For counts, separated by commas.",
  ),
  keyPepper: setting(
    "WAYPOST_KEY_PEPPER",
    undefined,
    text(32),
    "The secret under which API keys are hashed, 32 characters or more. Unset: generated in the data folder. All processes on one database need the same.",
  ),
  masterKeys: setting(
    "WAYPOST_MASTER_KEY",
    undefined,
    masterKeys,
    "The key under which stored secrets are sealed, 32 characters or more. To change it: the new one, a comma and the old one, then `npx waypost secrets rekey`. Unset: generated in the data folder. All processes on one database need the same.",
  ),
  backupPassphrase: setting(
    "WAYPOST_BACKUP_PASSPHRASE",
    undefined,
    text(12),
    "The passphrase under which `npx waypost backup` encrypts and `npx waypost restore` decrypts, 12 characters or more. Unset: backups are not encrypted.",
  ),
  seedLiveKey: setting(
    "WAYPOST_SEED_LIVE_KEY",
    undefined,
    seedKey("live"),
    "A well-formed live key to install at the first start instead of a random one.",
  ),
  seedTestKey: setting(
    "WAYPOST_SEED_TEST_KEY",
    undefined,
    seedKey("test"),
    "A well-formed test key to install at the first start instead of a random one.",
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
  ...exportSettings,
  ...oidcSettings,
  ...mapSettings,
  logLevel: setting<LogLevel>(
    "WAYPOST_LOG_LEVEL",
    "info",
    oneOf("debug", "info", "warn", "error", "silent"),
    "The least important lines that are logged: debug, info, warn, error or silent.",
  ),
};

/** All settings, by a key that is unique among them. */
export const settings: Readonly<Record<string, Setting<unknown>>> = { ...ownSettings, ...sourceSettings };

export type Config = { [Name in keyof typeof ownSettings]: ReturnType<(typeof ownSettings)[Name]["read"]> } & {
  /** The values of what the sources declare, by the same keys. */
  sourceSettings: SettingValues;
};

export function readConfig(environment: NodeJS.ProcessEnv = process.env): Config {
  const problems: string[] = [];
  const entries = Object.entries(settings).map(([key, { name, read, isSecret }]) => {
    try {
      return [key, read(environment[name])];
    } catch (error) {
      const isHidden = isSecret || secretNames.has(name) || hasCredentials(environment[name]);
      const shown = isHidden ? "is set to a value that" : `is ${JSON.stringify(environment[name])}: it`;
      problems.push(`${name} ${shown} ${(error as Error).message}.`);
      // Bad, and set all the same: what is said about several settings must not call it unset.
      return [key, environment[name]];
    }
  });
  const names = Object.values(settings).map(({ name }) => name);
  problems.push(...unknownVariables(environment, names));
  const values: SettingValues = Object.fromEntries(entries);
  problems.push(
    ...databaseProblems(values),
    ...exportProblems(values),
    ...oidcProblems(values),
    ...mapProblems(values),
  );
  if (problems.length > 0) throw new ConfigProblem(problems);
  const ofSources = Object.keys(sourceSettings).map((key) => [key, values[key]] as const);
  const own = Object.keys(ownSettings).map((key) => [key, values[key]] as const);
  // Each entry was made by the reader of its own key.
  return { ...Object.fromEntries(own), sourceSettings: Object.fromEntries(ofSources) } as Config;
}

const secretNames = new Set([
  "DATABASE_URL",
  "DATABASE_READ_URL",
  "WAYPOST_KEY_PEPPER",
  "WAYPOST_MASTER_KEY",
  "WAYPOST_BACKUP_PASSPHRASE",
  "WAYPOST_SEED_LIVE_KEY",
  "WAYPOST_SEED_TEST_KEY",
  ...exportSecretNames,
]);

/** A URL with a user and a password in it is a secret, whatever its setting. */
function hasCredentials(value = ""): boolean {
  return /:\/\/[^/?#]*@/.test(value);
}

function masterKeys(value: string): string[] {
  const keys = list(value);
  if (keys.length > 0 && keys.every((key) => key.length >= 32)) return keys;
  throw new Error(
    "must have at least 32 characters in each key; make one with `openssl rand -base64 32`, or unset it for the default",
  );
}

function networks(value: string): string[] {
  for (const item of list(value)) {
    if (!parseNetwork(item)) {
      throw new Error(`has ${item}, which is not a CIDR block; write blocks such as 10.0.0.0/8 or fd00::/8`);
    }
  }
  return list(value);
}

function ports(value: string): number[] {
  const named = list(value);
  const bad = named.find((item) => !/^[1-9]\d{0,4}$/.test(item) || Number(item) > 65_535);
  if (named.length > 0 && bad === undefined) return named.map(Number);
  throw new Error(`has ${bad ?? "no port"}; write ports from 1 to 65535 such as 443,8443, or unset it for the default`);
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

/** A line when a replica is named and not what it is a replica of: the embedded server has none. */
function databaseProblems({ databaseUrl, databaseReadUrl }: SettingValues): string[] {
  if (databaseReadUrl === undefined || databaseUrl !== undefined) return [];
  return ["DATABASE_URL is unset, and DATABASE_READ_URL needs it: set both, or neither."];
}

function seedKey(environment: "live" | "test"): Parse<string> {
  return (value) => {
    if (parseKeyText(value)?.environment === environment) return value;
    throw new Error(
      `must be a well-formed ${environment} key with a right checksum; make one with \`npx waypost keys generate --environment ${environment}\`, or unset it for a random one`,
    );
  };
}
