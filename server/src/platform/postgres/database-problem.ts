import pg from "pg";

/** Why the database of DATABASE_URL cannot be used, and what the operator does about it. */
export class DatabaseProblem extends Error {
  readonly says: string;
  readonly fix: string;

  constructor(says: string, fix: string, options?: ErrorOptions) {
    super(`${says}. ${fix}.`, options);
    this.says = says;
    this.fix = fix;
  }
}

/** What PgBouncer says of the time limits that every connection of ours brings. */
const startupRefusal = /unsupported startup parameter/;

/** Fails the same way however long a start waits, although it looks like an outage. */
export function isMisconfigured(error: Error): boolean {
  return startupRefusal.test(error.message) || (error as NodeJS.ErrnoException).syscall === "open";
}

/** `waited` says for how long the server was tried. */
export function explainConnectionFailure(error: Error, waited = ""): DatabaseProblem {
  if (error instanceof DatabaseProblem) return error;
  const [says, fix] =
    error instanceof pg.DatabaseError ? explainRefusal(error) : (explainTls(error) ?? explainSilence(error, waited));
  return new DatabaseProblem(says, fix, { cause: error });
}

type Explanation = readonly [says: string, fix: string];

function explainTls(error: NodeJS.ErrnoException): Explanation | undefined {
  const { message, code = "", syscall, path } = error;
  if (message.includes("does not support SSL")) {
    return [
      `The PostgreSQL of DATABASE_URL has no TLS (${message})`,
      "Turn it on there (ssl = on), or take sslmode out of DATABASE_URL",
    ];
  }
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID") {
    return [
      `The certificate of the PostgreSQL of DATABASE_URL is for another host (${message})`,
      "Put the name that stands in the certificate into DATABASE_URL, or give the server a certificate for this one",
    ];
  }
  if (/CERT|UNABLE_TO_/.test(code)) {
    return [
      `The certificate of the PostgreSQL of DATABASE_URL is not trusted (${message.split(";")[0]})`,
      "Name the authority that signed it with sslrootcert=/path/to/ca.pem in DATABASE_URL; sslmode=no-verify encrypts without looking at the certificate",
    ];
  }
  if (syscall !== "open") return undefined;
  return [
    `DATABASE_URL names a file that cannot be read (${code} on ${path})`,
    "Correct sslrootcert, sslcert or sslkey in it, or let this user read the file",
  ];
}

function explainSilence({ message, ...error }: Error, waited: string): Explanation {
  if (message.includes("client password must be")) {
    return ["DATABASE_URL has no password, and its server wants one", "Add it: postgres://USER:PASSWORD@HOST/DATABASE"];
  }
  return [
    `The PostgreSQL of DATABASE_URL could not be reached${waited} (${message || error.name})`,
    "Start it, or correct the host and port in DATABASE_URL",
  ];
}

function explainRefusal({ message, code = "" }: pg.DatabaseError): Explanation {
  const refused = `DATABASE_URL is refused by its server (${message})`;
  if (startupRefusal.test(message)) {
    return [
      `The pooler of DATABASE_URL refuses our time limits (${message})`,
      "Set ignore_startup_parameters = statement_timeout,lock_timeout,idle_in_transaction_session_timeout in pgbouncer.ini, and pool_mode = session",
    ];
  }
  if (code === "3D000") {
    return [`DATABASE_URL names a database that is not there (${message})`, "Create it first, or correct the name"];
  }
  if (message.includes("pg_hba.conf") && message.includes("no encryption")) {
    return [
      refused,
      "Add sslmode=verify-full to DATABASE_URL if the server takes TLS connections only, or admit this user, database and address in its pg_hba.conf",
    ];
  }
  if (message.includes("pg_hba.conf")) {
    return [refused, "Admit this user, database and address in the server's pg_hba.conf"];
  }
  if (code.startsWith("28")) return [refused, "Correct its user or password"];
  return [`The PostgreSQL of DATABASE_URL refuses connections (${message})`, "See that server's own log"];
}
