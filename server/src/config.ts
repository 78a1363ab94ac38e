import { resolve } from "node:path";
import { parseKeyText } from "./domains/api-keys/index.ts";
import { standardAllowance } from "./domains/billing/index.ts";
import type { LogLevel } from "./platform/log.ts";
import { parseNetwork } from "./platform/net/networks.ts";

/**
 * Every setting of the service. This file is the only reader of the environment, and
 * docs/reference/configuration.md is held equal to it by a test.
 */
export const settings = {
  port: setting("WAYPOST_PORT", "8080", integer(0, 65_535), "The port to listen on; 0 takes any free one."),
  host: setting("WAYPOST_HOST", "127.0.0.1", text(), "The address to listen on; 0.0.0.0 for every interface."),
  dataFolder: setting(
    "WAYPOST_DATA_DIR",
    "./data",
    (value) => resolve(text()(value)),
    "Where the embedded PostgreSQL and the generated secrets live.",
  ),
  databaseUrl: setting(
    "DATABASE_URL",
    undefined,
    postgresUrl,
    "A PostgreSQL of your own, 15 or newer. Unset: the service runs one itself in the data folder.",
  ),
  databaseConnectionsMax: setting(
    "WAYPOST_DATABASE_CONNECTIONS",
    "20",
    integer(2, 1_000),
    "The most connections one process holds to the database.",
  ),
  role: setting("WAYPOST_ROLE", "all", oneOf("all", "api", "worker"), "What this process does: all, api or worker."),
  source: setting(
    "WAYPOST_SOURCE",
    "auto",
    oneOf("auto", "catalog", "osm", "webmap"),
    "Which source answers live keys: auto, catalog, osm or webmap.",
  ),
  defaultAllowance: setting(
    "WAYPOST_DEFAULT_ALLOWANCE",
    String(standardAllowance),
    integer(0, 999_999_999),
    "Request units per calendar month for each organization that was given no allowance of its own.",
  ),
  nominatimUrl: setting(
    "WAYPOST_NOMINATIM_URL",
    "https://nominatim.openstreetmap.org",
    httpUrl,
    "The Nominatim that tells the source osm where a place is.",
  ),
  overpassUrl: setting(
    "WAYPOST_OVERPASS_URL",
    "https://overpass-api.de/api",
    httpUrl,
    "The Overpass that tells the source osm what is there.",
  ),
  contact: setting(
    "WAYPOST_CONTACT",
    undefined,
    text(),
    "How the people behind those services reach you, such as an e-mail address; it is sent to them in the User-Agent.",
  ),
  outboundAllow: setting(
    "WAYPOST_OUTBOUND_ALLOW",
    "",
    networks,
    "CIDR blocks that outbound calls may reach although they are not public, separated by commas.",
  ),
  webhookPorts: setting(
    "WAYPOST_WEBHOOK_PORTS",
    "443,8443",
    (value) => list(value).map(integer(1, 65_535)),
    "The ports a webhook URL may name, separated by commas.",
  ),
  rateLimitPerSecond: setting(
    "WAYPOST_RATE_LIMIT",
    "50",
    integer(1, 1_000_000),
    "Requests per second for each API key, counted by each process; bursts may reach twice that.",
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
  logLevel: setting<LogLevel>(
    "WAYPOST_LOG_LEVEL",
    "info",
    oneOf("debug", "info", "warn", "error", "silent"),
    "The least important lines that are logged: debug, info, warn, error or silent.",
  ),
};

export type Config = { [Name in keyof typeof settings]: ReturnType<(typeof settings)[Name]["read"]> };

/** Every problem of a configuration, one line each: the variable, what is wrong with it, and the fix. */
export class ConfigProblem extends Error {
  constructor(lines: readonly string[]) {
    super(lines.join("\n"));
    this.name = "ConfigProblem";
  }
}

export function readConfig(environment: NodeJS.ProcessEnv = process.env): Config {
  const problems: string[] = [];
  const entries = Object.entries(settings).map(([key, { name, read }]) => {
    try {
      return [key, read(environment[name])];
    } catch (error) {
      const shown = secretNames.has(name) ? "is set to a value that" : `is ${JSON.stringify(environment[name])}: it`;
      problems.push(`${name} ${shown} ${(error as Error).message}.`);
      return [key, undefined];
    }
  });
  if (problems.length > 0) throw new ConfigProblem(problems);
  return Object.fromEntries(entries) as Config; // each entry was made by the reader of its own key
}

const secretNames = new Set([
  "DATABASE_URL",
  "WAYPOST_KEY_PEPPER",
  "WAYPOST_MASTER_KEY",
  "WAYPOST_SEED_LIVE_KEY",
  "WAYPOST_SEED_TEST_KEY",
]);

type Parse<Value> = (value: string) => Value;
type Setting<Value> = {
  name: string;
  fallback: string | undefined;
  read(value: string | undefined): Value;
  about: string;
};

function setting<Value>(name: string, fallback: string, parse: Parse<Value>, about: string): Setting<Value>;
function setting<Value>(
  name: string,
  fallback: undefined,
  parse: Parse<Value>,
  about: string,
): Setting<Value | undefined>;
function setting<Value>(name: string, fallback: string | undefined, parse: Parse<Value>, about: string) {
  // An empty variable counts as unset, as in a compose file that passes everything on.
  const read = (value: string | undefined) => {
    const given = value?.trim() || fallback;
    return given === undefined ? undefined : parse(given);
  };
  return { name, fallback, read, about };
}

function integer(min: number, max: number): Parse<number> {
  return (value) => {
    const number = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN;
    if (number >= min && number <= max) return number;
    throw new Error(`must be a whole number from ${min} to ${max}; set it to one, or unset it for the default`);
  };
}

function text(lengthMin = 1): Parse<string> {
  return (value) => {
    if (value.length >= lengthMin) return value;
    throw new Error(`must have at least ${lengthMin} characters; set a longer one, or unset it for the default`);
  };
}

function oneOf<const Choices extends readonly string[]>(...choices: Choices): Parse<Choices[number]> {
  return (value) => {
    const choice = choices.find((known) => known === value);
    if (choice !== undefined) return choice;
    throw new Error(`must be one of ${choices.join(", ")}; set it to one of them, or unset it for the default`);
  };
}

function list(value: string): string[] {
  return value
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");
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

function postgresUrl(value: string): string {
  // Not parsed as a URL: postgres://user:password@/database?host=/run/postgresql is a good one, and has no host.
  if (/^postgres(ql)?:\/\/\S+$/.test(value)) return value;
  throw new Error(
    "must be a PostgreSQL URL; write postgres://user:password@host:5432/database, or unset it for the embedded one",
  );
}

function httpUrl(value: string): string {
  if (URL.canParse(value) && /^https?:/.test(value)) return value;
  throw new Error("must be a URL that begins with https:// or http://; set one, or unset it for the default");
}

function seedKey(environment: "live" | "test"): Parse<string> {
  return (value) => {
    if (parseKeyText(value)?.environment === environment) return value;
    throw new Error(
      `must be a well-formed ${environment} key with a right checksum; make one with \`npx waypost keys generate --environment ${environment}\`, or unset it for a random one`,
    );
  };
}
