import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { describeOpenFiles, openFilesFix, openFilesMin } from "../platform/open-files.ts";
import type { IndexStatus } from "../place-index/file/index.ts";
import type { Database } from "../platform/postgres/database.ts";
import { compareSchema, hasMigrations, type Migration, type SchemaDifference } from "../platform/postgres/migrate.ts";
import { sql } from "../platform/postgres/sql.ts";
import { type Disk, judgeDisk } from "./disks.ts";
import type { ServiceView } from "./reach.ts";

/** One check of the doctor: what it found and, when that is no good, what to do. */
export type Finding = {
  check:
    | "configuration"
    | "data folder"
    | "permissions"
    | "disk"
    | "place index"
    | "open files"
    | "database"
    | "sessions"
    | "clock"
    | "port"
    | "service";
  state: "ok" | "warning" | "problem";
  says: string;
  fix: string | null;
};

type Check = Finding["check"];

export const ok = (check: Check, says: string): Finding => ({ check, state: "ok", says, fix: null });
export const problem = (check: Check, says: string, fix: string): Finding => ({ check, state: "problem", says, fix });
const warning = (check: Check, says: string, fix: string): Finding => ({ check, state: "warning", says, fix });

const secretFiles = ["key-pepper", "master-key", "postgres-password"];

export async function checkFolder(folder: string): Promise<Finding[]> {
  const found = await stat(folder).catch(() => undefined);
  if (!found) return [warning("data folder", `${folder} is not there yet`, "the first start makes it")];
  if (!found.isDirectory()) {
    return [problem("data folder", `${folder} is no folder`, "set WAYPOST_DATA_DIR to a folder")];
  }
  const refusal = await access(folder, constants.R_OK | constants.W_OK | constants.X_OK).then(
    () => undefined,
    (error: NodeJS.ErrnoException) => error.code,
  );
  if (refusal === "EROFS") {
    const fix = "mount it for writing, after a look at why it is not: systems do so with a disk that fails";
    return [problem("data folder", `the disk of ${folder} takes no writes`, fix)];
  }
  if (refusal !== undefined) {
    const fix = `give it to the user that runs Waypost (chown -R USER ${folder}), or set WAYPOST_DATA_DIR to a folder of that user's`;
    return [problem("data folder", `${folder} cannot be written by this user`, fix)];
  }
  return [ok("data folder", `${folder} can be written`), ...(await checkSecrets(folder))];
}

/** No other user of the machine may read the secrets. */
async function checkSecrets(folder: string): Promise<Finding[]> {
  const open: string[] = [];
  for (const name of secretFiles) {
    const file = await stat(join(folder, name)).catch(() => undefined);
    if (file && (file.mode & 0o077) !== 0) open.push(join(folder, name));
  }
  if (open.length === 0) return [ok("permissions", "only their owner can read the secrets in the data folder")];
  return [problem("permissions", `other users can read ${open.join(", ")}`, `chmod 600 ${open.join(" ")}`)];
}

export function checkDisks(disks: readonly Disk[] | undefined): Finding[] {
  const fix = "free space, or move the data folder to a larger disk; WAYPOST_RETENTION_DAYS decides how long jobs stay";
  if (disks) return disks.map((disk) => ({ check: "disk", ...judged(disk, fix) }));
  return [warning("disk", "its free space is not known", "start the service once, so that the folder exists")];
}

function judged(disk: Disk, fix: string): Pick<Finding, "state" | "says" | "fix"> {
  const { state, says } = judgeDisk(disk);
  return { state, says, fix: state === "ok" ? null : fix };
}

/** How long the index may lack a generation before somebody should look. A build of ten million places takes some minutes. */
const lagSecondsMax = 600;

export function checkPlaceIndex({ folder, generation, bytes, ...index }: IndexStatus): Finding {
  const { lagSeconds, waitsFor, problem: stops, walBytes, isLogLarge } = index;
  if (stops !== null) return problem("place index", ...splitSentence(stops));
  const fix = `see the service's log; delete ${folder} while the service is stopped, and it is made again`;
  if (lagSeconds > lagSecondsMax) {
    const says = `it has not had the catalog's last generation for ${Math.round(lagSeconds / 60)} minutes`;
    return problem("place index", says, fix);
  }
  if (waitsFor !== null) return warning("place index", waitsFor, "wait until it is done");
  if (generation === null) return ok("place index", "the catalog is empty");
  const says = `generation ${generation}, ${mebibytes(bytes)}`;
  if (!isLogLarge) return ok("place index", says);
  return warning(
    "place index",
    `${says}, with a log of ${mebibytes(walBytes)}`,
    "restart the service: a search never ends",
  );
}

function mebibytes(bytes: number): string {
  return `${Math.floor(bytes / 1024 / 1024)} MiB`;
}

type PortCheck = {
  host: string;
  port: number;
  /** Reads the readiness of a service of ours at the address. */
  ask(): Promise<ServiceView>;
  explain(error: unknown): string;
};

export async function checkPort({ host, port, ask, explain }: PortCheck): Promise<Finding> {
  if (port === 0) return ok("port", "any free one");
  const failure = await tryListening(host, port);
  if (!failure) return ok("port", `${port} on ${host} is free: no service runs there now`);
  const { state, problems } = failure.code === "EADDRINUSE" ? await ask() : { state: "no_answer", problems: [] };
  if (state === "ready") return ok("port", `the service answers on ${host}:${port}`);
  if (state === "not_ready") {
    const says = `the service on ${host}:${port} is not ready: ${problems.join("; ")}`;
    return problem("port", says, "see the other checks and the service's log; it is ready again when that is mended");
  }
  return problem("port", ...splitSentence(explain(failure)));
}

/** The process at the address of the settings, else one that the database knows. */
export function checkService(configured: ServiceView, known: number, answering: ServiceView | undefined): Finding {
  const service = configured.state === "no_answer" ? answering : configured;
  if (service) return ok("service", `it answers at ${service.address}`);
  if (known === 0) return problem("service", "no process of it runs", "npm start");
  const fix = "see their logs, and restart them; `npx waypost status` lists them";
  return problem("service", `none of the ${known} processes that the database knows answers`, fix);
}

/** Splits the two sentences of a failed start into what is wrong and what to do. */
export function splitSentence(text: string): [says: string, fix: string] {
  const [says = "", ...fix] = text.split(". ");
  return [says, fix.join(". ").replace(/\.$/, "")];
}

function tryListening(host: string, port: number): Promise<NodeJS.ErrnoException | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", resolve);
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(undefined)));
  });
}

export function checkClock({ aheadMs, isTrusted }: { aheadMs: number; isTrusted: boolean }): Finding {
  const seconds = Math.round(Math.abs(aheadMs) / 1_000);
  if (isTrusted) return ok("clock", "it agrees with the database's");
  const says = `it is ${seconds} seconds ${aheadMs > 0 ? "ahead of" : "behind"} the database's, so a worker here deletes nothing`;
  return problem("clock", says, "set both machines' clocks by NTP (timedatectl set-ntp true)");
}

type DatabaseFacts = { version: string; takesWrites: boolean; mayCreate: boolean } & SchemaDifference;

/** Works before the first start too, when there are no tables. */
export async function readDatabaseFacts(db: Database, migrations: readonly Migration[]): Promise<DatabaseFacts> {
  const { rows } = await db.query<Omit<DatabaseFacts, keyof SchemaDifference>>(sql`
    select current_setting('server_version') as version,
      current_setting('transaction_read_only') = 'off' as "takesWrites",
      coalesce(has_schema_privilege(current_schema(), 'create'), false) as "mayCreate"
  `);
  const [row] = rows;
  if (!row) throw new Error("a select without a table returned no row");
  const hasTables = await hasMigrations(db);
  return { ...row, ...(hasTables ? await compareSchema(db, migrations) : { isBehind: true, refusal: undefined }) };
}

export function checkDatabase(where: string, facts: DatabaseFacts): Finding {
  const { version, takesWrites, mayCreate, isBehind, refusal } = facts;
  if (Number.parseInt(version, 10) < 15) {
    return problem("database", `${where} is PostgreSQL ${version}`, "use PostgreSQL 15 or newer");
  }
  if (!takesWrites) {
    const fix = "point DATABASE_URL at the primary, or list all hosts in it; see docs/guides/operating.md";
    return problem("database", `${where} takes no writes`, fix);
  }
  if (!mayCreate) {
    const fix = "make it the owner (alter database NAME owner to USER), or grant it create on the schema public";
    return problem("database", `the user of DATABASE_URL may not create tables in ${where}`, fix);
  }
  if (refusal !== undefined) return problem("database", ...splitSentence(refusal));
  const says = `${where}, PostgreSQL ${version}, answers`;
  return isBehind
    ? warning("database", `${says} and lacks migrations`, "the next start applies them")
    : ok("database", says);
}

type OpenFilesCheck = { limit: number | undefined; connectionsMax: number; databaseConnectionsMax: number };

export function checkOpenFiles({ limit, connectionsMax, databaseConnectionsMax }: OpenFilesCheck): Finding {
  if (limit === undefined) return ok("open files", "nothing limits them");
  if (limit < openFilesMin) {
    return problem("open files", `${describeOpenFiles(limit)}, and needs ${openFilesMin} at least`, openFilesFix);
  }
  const wanted = connectionsMax + databaseConnectionsMax + openFilesMin;
  if (limit >= wanted) return ok("open files", `${limit} may be open at once`);
  const says = `${describeOpenFiles(limit)}; WAYPOST_CONNECTIONS_MAX=${connectionsMax} may need ${wanted}`;
  return warning("open files", says, `${openFilesFix}, or lower WAYPOST_CONNECTIONS_MAX`);
}
