/** What SQLite says of a file that cannot be read, or whose content is not what SQLite wrote. */
const damaged = new Set([10, 11, 26]); // SQLITE_IOERR, SQLITE_CORRUPT, SQLITE_NOTADB
/** What it says while it cannot write: the file is as it was. IOERR_WRITE, _FSYNC, _DIR_FSYNC, _TRUNCATE, _SHMSIZE. */
const unwritable = new Set([778, 1_034, 1_290, 1_546, 4_874]);
const full = 13; // SQLITE_FULL
/** SQLITE_BUSY, SQLITE_LOCKED, SQLITE_NOMEM, SQLITE_CANTOPEN: the same may succeed a moment later. */
const passing = new Set([5, 6, 7, 14]);

/** Whether the file must be built again. */
export function isDamage(error: unknown): boolean {
  const code = codeOf(error);
  if (code === undefined || unwritable.has(code)) return false;
  return damaged.has(code & 0xff) || /no such (table|column)/.test((error as Error).message);
}

export function isPassing(error: unknown): boolean {
  const code = codeOf(error);
  return code !== undefined && (passing.has(code & 0xff) || unwritable.has(code));
}

/** Whether the disk has no room for what was written. */
export function isDiskFull(error: unknown): boolean {
  return codeOf(error) === full || (error instanceof Error && "code" in error && error.code === "ENOSPC");
}

function codeOf(error: unknown): number | undefined {
  if (!(error instanceof Error) || !("errcode" in error)) return undefined;
  return typeof error.errcode === "number" ? error.errcode : undefined;
}
