import assert from "node:assert/strict";
import { resolve } from "node:path";
import { test } from "node:test";
import { readConfig } from "./config.ts";
import { newKeyText } from "../../domains/api-keys/index.ts";

const problemOf = (environment: Record<string, string>): string => {
  try {
    readConfig(environment);
  } catch (error) {
    return (error as Error).message;
  }
  return "";
};

test("an empty environment gives the documented defaults", () => {
  assert.deepEqual(readConfig({}), {
    port: 8080,
    host: "127.0.0.1",
    dataFolder: resolve("./data"),
    indexFolder: undefined,
    databaseUrl: undefined,
    databaseReadUrl: undefined,
    databaseConnectionsMax: 20,
    databaseWaitSeconds: 60,
    drainSeconds: 0,
    role: "all",
    source: "auto",
    defaultAllowance: undefined,
    outboundAllow: { webhooks: [], sources: [], enrichment: [], imports: [], oidc: [] },
    webhookPorts: [443, 8443],
    rateLimitPerSecond: 50,
    processorMsPerSecond: 1_000,
    connectionsMax: 4000,
    connectionsPerAddressMax: 1000,
    stalledReaderSeconds: 30,
    unreadMegabytesMax: 256,
    crawlsMax: 50,
    testQuotaPerDay: 10_000,
    trustedProxies: [],
    keyPepper: undefined,
    masterKeys: undefined,
    backupPassphrase: undefined,
    seedLiveKey: undefined,
    seedTestKey: undefined,
    retentionDays: 30,
    ledgerMonths: 13,
    publicUrl: undefined,
    exportBucket: undefined,
    exportPrefix: "waypost-exports/",
    exportEndpoint: undefined,
    exportRegion: "us-east-1",
    exportAccessKeyId: undefined,
    exportSecretAccessKey: undefined,
    exportPathStyle: "true",
    exportChecksums: "when_required",
    oidcIssuer: undefined,
    oidcClientId: undefined,
    oidcClientSecret: undefined,
    oidcName: "single sign-on",
    mapTiles: undefined,
    mapStyle: undefined,
    mapAttribution: undefined,
    overtureUrl: "https://stac.overturemaps.org",
    allThePlacesUrl: "https://data.alltheplaces.xyz",
    logLevel: "info",
    sourceSettings: {
      "osm.nominatimUrl": "https://nominatim.openstreetmap.org",
      "osm.overpassUrl": "https://overpass-api.de/api",
      "osm.contact": undefined,
      "webmap.baseUrl": undefined,
      "webmap.rate": 1,
      "webmap.proxy": undefined,
    },
    warnings: [],
  });
});

test("a variable that is set and empty counts as unset", () => {
  assert.deepEqual(readConfig({ WAYPOST_PORT: "", DATABASE_URL: " " }), readConfig({}));
});

const cases: [name: string, good: string[], bad: string[]][] = [
  ["WAYPOST_PORT", ["0", "1", "65535"], ["-1", "65536", "80a", "8080.5", "tcp://10.0.0.1:80", "1e3"]],
  ["WAYPOST_DATABASE_CONNECTIONS", ["2", "1000"], ["1", "1001", "many"]],
  ["WAYPOST_RATE_LIMIT", ["1", "1000000"], ["0", "1000001", "fast"]],
  ["WAYPOST_CONNECTIONS_MAX", ["10", "1000000"], ["9", "1000001", "all"]],
  ["WAYPOST_CONNECTIONS_PER_ADDRESS", ["1", "1000000"], ["0", "1000001"]],
  ["WAYPOST_STALLED_READER_SECONDS", ["1", "3600"], ["0", "3601", "30s"]],
  ["WAYPOST_UNREAD_ANSWERS_MEMORY", ["1", "1048576"], ["0", "1048577", "256MB"]],
  ["WAYPOST_ROLE", ["all", "api", "worker"], ["web", "API", "all,api"]],
  ["WAYPOST_SOURCE", ["auto", "catalog", "osm"], ["fixtures", "google"]],
  [
    "WAYPOST_NOMINATIM_URL",
    ["http://localhost:8088", "https://n.example/x"],
    ["localhost:8088", "ftp://n.example", "https://me:hush@n.example", "https://n.example/?key=a"],
  ],
  ["WAYPOST_OVERPASS_URL", ["https://o.example/api/"], ["o.example", "https://me@o.example/api"]],
  ["WAYPOST_ALLTHEPLACES_URL", ["https://a.example"], ["a.example"]],
  ["WAYPOST_OVERTURE_URL", ["https://o.example/mirror/"], ["o.example", "https://me@o.example"]],
  ["WAYPOST_WEBMAP_URL", ["https://m.example"], ["m.example", "https://me:hush@m.example", "https://m.example#top"]],
  [
    "WAYPOST_CONTACT",
    ["ops@example.org", "https://example.org/about (Ops)"],
    ["J\u00fcrgen, ops@example.org", "\u904b\u55b6@example.jp", "ops@example.org\r\nX-Evil: 1"],
  ],
  ["WAYPOST_LOG_LEVEL", ["debug", "silent"], ["verbose"]],
  [
    "WAYPOST_PUBLIC_URL",
    ["https://api.example.com/", "http://10.0.0.1:8080", "https://example.com/waypost"],
    ["api.example.com", "https://example.com?", "https://example.com/#top", "https://me:hush@example.com"],
  ],
  [
    "WAYPOST_OUTBOUND_ALLOW",
    [
      "10.0.0.0/8",
      "10.0.0.0/8, fd00::/8",
      "10.0.0.0/8:8443, [fd00::/8]:8443, [10.0.0.0/8]:1",
      "enrichment=10.0.0.0/8, imports = fd00::/8, webhooks=10.1.1.1:65535, sources=::1, oidc=10.0.0.1",
    ],
    [
      "10.0.0.0/33",
      "intranet",
      "10.0.0.0/8;10.1.0.0/16",
      "10.0.0.0/8:0",
      "10.0.0.0/8:65536",
      "10.0.0.0/8:https",
      "crawls=10.0.0.0/8",
      "=10.0.0.0/8",
      "enrichment=",
      "enrichment=10.0.0.0/8=1",
    ],
  ],
  [
    "WAYPOST_MAP_TILES",
    ["https://t.example/{z}/{x}/{y}.png", "https://t.example/{z}/{x}/{y}@2x?key=a", "http://127.0.0.1:9/{z}/{x}/{y}"],
    [
      "http://t.example/{z}/{x}/{y}.png",
      "https://t.example/{z}/{x}.png",
      "https://{s}.t.example/{z}/{x}/{y}",
      "https://{x}{y}{z}.t.example/",
      "/tiles/{z}/{x}/{y}",
    ],
  ],
  [
    "WAYPOST_MAP_STYLE",
    ["https://t.example/style.json?key=a", "http://localhost:9/styles/streets"],
    ["http://t.example/style.json", "https://t.example/{z}/{x}/{y}.pbf", "/style.json"],
  ],
  [
    "WAYPOST_EXPORT_S3_BUCKET",
    ["our-exports", "a.b", "Old_Bucket", "arn:aws:s3:eu-central-1:123456789012:accesspoint/exports"],
    ["b", "our exports", "exports/waypost", "s3://exports", "..", "-exports", "x".repeat(256), "büro"],
  ],
  ["WAYPOST_CRAWLS_MAX", ["1", "10000"], ["0", "10001"]],
  ["WAYPOST_TEST_QUOTA", ["0", "999999999"], ["-1", "1e9"]],
  ["WAYPOST_TRUSTED_PROXIES", ["127.0.0.1", "::1/128"], ["proxy.example"]],
  ["WAYPOST_WEBHOOK_PORTS", ["443", "443, 8443,9000"], ["0", "https", "443,65536", ","]],
  [
    "DATABASE_URL",
    [
      "postgres://u:p@localhost/db",
      "postgresql:///db?host=/run",
      "postgres://u:p@/db?host=/run",
      "postgres://u:p%2Fq+r=@[::1]:5432,two:5433/db?user=a@b",
      "postgres://%2Frun%2Fpostgresql/db",
    ],
    [
      "mysql://localhost/db",
      "localhost",
      "http://localhost",
      "postgres://u:p/q@localhost/db",
      "postgres://u:1/q@localhost/db",
      "postgres://u:p?q@localhost/db",
      "postgres://u:p#q@localhost/db",
      "postgres://u:p@localhost:port/db",
    ],
  ],
  [
    "DATABASE_READ_URL",
    ["postgres://u:p@replica:5432/db", "postgres://u:p,q@replica/db", "postgres://u:p@/db?host=/run"],
    ["mysql://localhost/db", "postgres://u:p@one:5432,two:5432/db", "postgres://one,two/db"],
  ],
  ["WAYPOST_KEY_PEPPER", ["x".repeat(32)], ["x".repeat(31)]],
  [
    "WAYPOST_SEED_LIVE_KEY",
    [newKeyText("live").text],
    [newKeyText("test").text, "svc_live_x", newKeyText("live").text.slice(0, -1)],
  ],
  ["WAYPOST_SEED_TEST_KEY", [newKeyText("test").text], [newKeyText("live").text, "secret"]],
];

test("each variable takes what its rule allows and stops the start otherwise, naming itself and the fix", () => {
  for (const [name, good, bad] of cases) {
    for (const value of good)
      assert.equal(problemOf({ DATABASE_URL: "postgres:///db", [name]: value }), "", `${name}=${value}`);
    for (const value of bad) {
      const problem = problemOf({ [name]: value });
      assert.match(problem, new RegExp(`^${name} .*(must|has).*;`), `${name}=${value}: ${problem}`);
    }
  }
});

test("an identity provider needs all of its settings, and HTTPS unless it is on this machine", () => {
  const client = { WAYPOST_OIDC_CLIENT_ID: "dashboard", WAYPOST_OIDC_CLIENT_SECRET: "hush" };
  for (const issuer of ["https://id.example/realm", "http://127.0.0.1:9", "http://[::1]", "http://localhost:1"]) {
    assert.equal(problemOf({ ...client, WAYPOST_OIDC_ISSUER: issuer }), "", issuer);
  }
  for (const issuer of ["http://id.example", "id.example", "http://127.0.0.1.example"]) {
    assert.match(problemOf({ WAYPOST_OIDC_ISSUER: issuer }), /^WAYPOST_OIDC_ISSUER is .* must be a URL.*;/, issuer);
  }
  assert.match(problemOf({ WAYPOST_OIDC_ISSUER: "https://id.example" }), /^WAYPOST_OIDC_CLIENT_ID is unset/);
  assert.match(problemOf(client), /^WAYPOST_OIDC_ISSUER is unset/);
});

test("a setting of a bucket needs the bucket", () => {
  for (const [name, value] of [
    ["WAYPOST_EXPORT_S3_ENDPOINT", "http://127.0.0.1:9000"],
    ["WAYPOST_EXPORT_S3_REGION", "eu-central-1"],
    ["WAYPOST_EXPORT_S3_PREFIX", "mine/"],
    ["WAYPOST_EXPORT_S3_PATH_STYLE", "false"],
    ["WAYPOST_EXPORT_S3_ACCESS_KEY_ID", "AKIA"],
  ] as const) {
    assert.match(problemOf({ [name]: value }), new RegExp(`^WAYPOST_EXPORT_S3_BUCKET is unset, and ${name} needs it`));
  }
  assert.equal(problemOf({ WAYPOST_EXPORT_S3_BUCKET: "exports", WAYPOST_EXPORT_S3_REGION: "eu-central-1" }), "");
  assert.equal(problemOf({ WAYPOST_EXPORT_S3_BUCKET: "", WAYPOST_EXPORT_S3_REGION: "us-east-1" }), "");
});

test("a replica needs the PostgreSQL it is a replica of", () => {
  const replica = { DATABASE_READ_URL: "postgres://u:p@replica/db" };
  assert.match(problemOf(replica), /^DATABASE_URL is unset, and DATABASE_READ_URL needs it: set both, or neither\.$/);
  assert.equal(problemOf({ ...replica, DATABASE_URL: "postgres://u:p@primary/db" }), "");
});

test("the credentials of a bucket need both settings", () => {
  const bucket = { WAYPOST_EXPORT_S3_BUCKET: "exports" };
  const [id, secret] = [{ WAYPOST_EXPORT_S3_ACCESS_KEY_ID: "AKIA" }, { WAYPOST_EXPORT_S3_SECRET_ACCESS_KEY: "hush" }];

  assert.equal(problemOf({ ...bucket, ...id, ...secret }), "");
  assert.match(
    problemOf({ ...bucket, ...id }),
    /^WAYPOST_EXPORT_S3_SECRET_ACCESS_KEY is unset, .*: set both, or neither\.$/,
  );
  assert.match(
    problemOf({ ...bucket, ...secret }),
    /^WAYPOST_EXPORT_S3_ACCESS_KEY_ID is unset, .*: set both, or neither\.$/,
  );
  assert.doesNotMatch(problemOf({ ...bucket, ...secret }), /hush/);
});

test("a map has one base", () => {
  const tiles = { WAYPOST_MAP_TILES: "https://t.example/{z}/{x}/{y}.png" };
  assert.match(
    problemOf({ ...tiles, WAYPOST_MAP_STYLE: "https://t.example/s.json" }),
    /^WAYPOST_MAP_STYLE .*unset one/,
  );
});

test("every problem is listed at once, without any secret", () => {
  const problem = problemOf({
    WAYPOST_PORT: "x",
    WAYPOST_ROLE: "y",
    WAYPOST_KEY_PEPPER: "hush",
    DATABASE_URL: "mysql://u:hush@h/db",
    DATABASE_READ_URL: "mysql://u:hush@h/db",
    WAYPOST_NOMINATIM_URL: "https://u:hush@h/",
  });

  assert.equal(problem.split("\n").length, 6);
  assert.ok(!problem.includes("hush"));
});

test("a setting with a bad value is not called unset", () => {
  const client = { WAYPOST_OIDC_CLIENT_ID: "dashboard", WAYPOST_OIDC_ISSUER: "id.example" };
  const replica = { DATABASE_READ_URL: "postgres://u:p@replica/db", DATABASE_URL: "mysql://h/db" };

  for (const environment of [client, replica]) assert.doesNotMatch(problemOf(environment), /\n| is unset/);
});

test("each PostgreSQL's problem says what unsetting it means", () => {
  assert.match(problemOf({ DATABASE_URL: "mysql://h/db" }), /unset it for the embedded one\.$/);
  assert.match(problemOf({ DATABASE_READ_URL: "mysql://h/db" }), /unset it for reads from the primary\.$/m);
});

test("a variable that looks like a setting and is none is refused, with the nearest setting", () => {
  assert.match(problemOf({ WAYPOST_DATADIR: "/x" }), /^WAYPOST_DATADIR is no setting.*did you mean WAYPOST_DATA_DIR\?/);
  assert.match(problemOf({ WAYPOST_PROT: "1" }), /did you mean WAYPOST_PORT\?/);
  assert.doesNotMatch(problemOf({ WAYPOST_COMPLETELY_ELSE: "1" }), /did you mean/);
  assert.equal(problemOf({ WAYPOST_URL: "x", WAYPOST_API_KEY: "x", WAYPOST_SERVICE_HOST: "10.0.0.1" }), "");
});

test("a setting that went is ignored with a warning", () => {
  const { warnings, ...config } = readConfig({ WAYPOST_READER_BYTES_PER_SECOND: "fast" });

  assert.match(warnings.join("\n"), /^WAYPOST_READER_BYTES_PER_SECOND has no effect any more\. .*Unset it/);
  assert.deepEqual({ ...config, warnings: [] }, readConfig({ WAYPOST_READER_BYTES_PER_SECOND: "" }));
});
