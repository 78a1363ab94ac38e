import { isDiskFull } from "../platform/postgres/database.ts";
import type { OperatorSettings } from "./settings.ts";

type StartSettings = Pick<OperatorSettings, "host" | "port" | "dataFolder" | "databaseUrl">;

/** Why the service could not start, as a sentence that names the setting and the fix. */
export function explainStartFailure(error: unknown, { host, port, dataFolder, databaseUrl }: StartSettings): string {
  const { code, syscall, path, message } = error as NodeJS.ErrnoException;
  if (syscall === "listen") {
    if (code === "EADDRINUSE") {
      return `Port ${port} on ${host} is taken by another program. Stop that one, or set WAYPOST_PORT to a free port.`;
    }
    if (code === "EACCES")
      return `Port ${port} needs more rights than this user has. Set WAYPOST_PORT to 1024 or more.`;
    if (code === "EADDRNOTAVAIL") {
      return `This machine has no address ${host}. Set WAYPOST_HOST to one of its own, or to 0.0.0.0 for every interface.`;
    }
  }
  if (syscall === "getaddrinfo" && code === "ENOTFOUND") {
    return `WAYPOST_HOST is ${host}, a name that does not resolve. Set it to an address of this machine.`;
  }
  if (code === "25006") {
    return `The PostgreSQL takes no writes (${message}). Point DATABASE_URL at the primary, and let its database and user have default_transaction_read_only = off.`;
  }
  if (code === "42501") {
    return `The user of DATABASE_URL lacks a right (${message}). Make it the owner of its database, or grant it what is missing.`;
  }
  if (databaseUrl && isDiskFull(error)) {
    return `The disk of the PostgreSQL of DATABASE_URL is full (${message}). Free some space there, then start again.`;
  }
  if (code === "ENOSPC" || isDiskFull(error))
    return `There is no space left on the disk of ${dataFolder}. Free some, then start again.`;
  if (path === dataFolder && (code === "EEXIST" || code === "ENOTDIR"))
    return `The data folder ${dataFolder} is a file, or lies in one. Set WAYPOST_DATA_DIR to a folder.`;
  if (path !== undefined && syscall === "mkdir" && code === "ENOENT" && dataFolder.startsWith(path)) {
    return `The data folder ${dataFolder} cannot be made: the file system that it would lie on takes no folders. Set WAYPOST_DATA_DIR to another one.`;
  }
  if (path?.startsWith(dataFolder) && code === "EROFS") {
    return `The disk of the data folder ${dataFolder} takes no writes (${code} on ${path}). Mount it for writing, after a look at why it is not: systems do so with a disk that fails.`;
  }
  if (path?.startsWith(dataFolder)) {
    return `The data folder ${dataFolder} cannot be used by this user (${code} on ${path}). Give it to the user that runs Waypost, or set WAYPOST_DATA_DIR to a folder of that user's.`;
  }
  return message || String(error);
}
