/** Files and connections beside those of clients: the program, its pool, threads, outbound calls, exports. */
export const openFilesMin = 256;

export const openFilesFix =
  "Raise the limit: ulimit -n 8192 in the shell that starts it, LimitNOFILE=8192 in a systemd unit, --ulimit nofile=8192 for a container";

/** How many files and connections this process may have open at once; undefined where nothing limits them. */
export function readOpenFilesMax(): number | undefined {
  // Node would look up the name of every peer otherwise, which takes seconds where no name server answers.
  Object.assign(process.report, { excludeNetwork: true });
  const report = process.report.getReport() as { userLimits?: { open_files?: { soft: number | "unlimited" } } };
  const limit = report.userLimits?.open_files?.soft;
  return typeof limit === "number" ? limit : undefined;
}

/** PostgreSQL would stop half-way through its first start, with words about its own descriptors. */
export function requireOpenFiles(limit = readOpenFilesMax()): void {
  if (limit === undefined || limit >= openFilesMin) return;
  throw new Error(`${describeOpenFiles(limit)}, and the service needs ${openFilesMin} at least. ${openFilesFix}.`);
}

export function describeOpenFiles(limit: number): string {
  return `This process may have ${limit} files and connections open at once`;
}

type Wanted = { connectionsMax: number; databaseConnectionsMax: number };

/**
 * How many connections of clients leave the process what it needs for itself: clients that take the last descriptor
 * would keep it from its own database. Half of a limit that is too low for both.
 */
export function clientConnectionsWithin(
  { connectionsMax, databaseConnectionsMax }: Wanted,
  limit = readOpenFilesMax(),
): number {
  if (limit === undefined) return connectionsMax;
  const left = Math.max(limit - databaseConnectionsMax - openFilesMin, Math.floor(limit / 2));
  return Math.min(connectionsMax, left);
}
