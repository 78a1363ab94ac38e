import { readAges } from "../data-sets/data-sets.ts";
import type { Disk } from "../operator/disks.ts";
import { readBacklogs } from "../operator/backlogs.ts";
import { readOldestTransactionSeconds } from "../operator/held-back.ts";
import type { Backlog } from "../platform/backlog.ts";
import { withDeadline } from "../platform/deadline.ts";
import type { IndexStatus } from "../place-index/file/index.ts";
import type { Meters, Sample } from "../platform/meters.ts";
import type { ClockCheck } from "../platform/postgres/clock-check.ts";
import type { Database } from "../platform/postgres/database.ts";

type GaugesDeps = {
  meters: Meters;
  db: Database;
  clockCheck: ClockCheck;
  readDisks(): Promise<readonly Disk[]>;
  process: { version: string; role: string };
};

/** Scrapes within this time share one reading of the queues. */
const backlogsMs = 10_000;
const deadlineMs = 1_500;

/** Declares the gauges of this process and of the installation's queues. They are read at each scrape. */
export function declareGauges({ meters, db, clockCheck, readDisks, process }: GaugesDeps): void {
  const { gauge } = meters;
  const one = (name: string, help: string, read: () => number) =>
    gauge(name, help, [], () => [{ labels: {}, value: read() }]);

  gauge("waypost_build_info", "1, with the version and the role of the process.", ["version", "role"], () => [
    { labels: process, value: 1 },
  ]);
  one(
    "waypost_clock_ahead_seconds",
    "How far this process's clock is ahead of the database's; beyond 60 in either direction it deletes nothing.",
    () => (clockCheck.last()?.aheadMs ?? 0) / 1_000,
  );

  gauge("waypost_database_connections", "Connections of this process to the database.", ["state"], () => {
    const { connections, idle } = db.pool();
    return [
      { labels: { state: "used" }, value: connections - idle },
      { labels: { state: "idle" }, value: idle },
    ];
  });
  one(
    "waypost_database_connections_max",
    "The most connections this process may have.",
    () => db.pool().connectionsMax,
  );
  one("waypost_database_waiting", "Callers that wait for a connection.", () => db.pool().waiting);
  one("waypost_database_stalled", "1 while the database answers nothing.", () => Number(db.pool().isStalled));
  meters.total("waypost_database_acquired_total", "Connections handed out by the pool.", () => db.pool().acquired);
  meters.total(
    "waypost_database_wait_seconds_total",
    "How long callers have waited for connections, altogether.",
    () => db.pool().waitedSeconds,
  );
  declareTransactions(gauge, db);
  declareDisks(gauge, readDisks);
  declareQueues(gauge, rememberBacklogs(db));
  declareCatalogAges(gauge, db);
}

/** No series for a data set that nobody knows the date of. */
function declareCatalogAges(gauge: Meters["gauge"], db: Database) {
  const { signal } = new AbortController();
  gauge(
    "waypost_catalog_age_seconds",
    "How long ago the publisher of each data set of the catalog last knew what it says.",
    ["data_set"],
    async () => {
      const ages = await withDeadline(() => readAges(db), { signal, deadlineMs, timeout });
      return ages.map(({ name, seconds }): Sample => ({ labels: { data_set: name }, value: seconds }));
    },
  );
}

function declareTransactions(gauge: Meters["gauge"], db: Database) {
  const { signal } = new AbortController();
  const read = () => readOldestTransactionSeconds(db);
  gauge(
    "waypost_database_oldest_transaction_seconds",
    "How long the oldest transaction in the database has been open, of whichever program; it holds back vacuum.",
    [],
    async () => [{ labels: {}, value: await withDeadline(read, { signal, deadlineMs, timeout }) }],
  );
}

function declareDisks(gauge: Meters["gauge"], readDisks: GaugesDeps["readDisks"]) {
  const each = (name: string, help: string, value: (disk: Disk) => number | undefined) =>
    gauge(name, help, ["of"], async () => {
      const disks = await readDisks();
      return disks.flatMap((disk): Sample[] => {
        const known = value(disk);
        return known === undefined ? [] : [{ labels: { of: disk.of }, value: known }];
      });
    });
  each("waypost_disk_free_bytes", "Free space on the disk of the data folder or the exports.", (it) => it.freeBytes);
  each("waypost_disk_size_bytes", "Size of the disk of the data folder or the exports.", (it) => it.totalBytes);
  each("waypost_disk_free_files", "How many more files that disk takes, where it has a limit.", (it) => it.freeFiles);
}

/** No series where no process has followed the catalog. */
export function declarePlaceIndex({ gauge }: Pick<Meters, "gauge">, read: () => IndexStatus | undefined): void {
  const one = (name: string, help: string, value: (status: IndexStatus) => number | null) =>
    gauge(name, help, [], () => {
      const status = read();
      const known = status && value(status);
      return known === undefined || known === null ? [] : [{ labels: {}, value: known }];
    });
  one("waypost_place_index_generation", "The generation that searches on this machine read.", (it) => it.generation);
  one("waypost_place_index_bytes", "Size of the place index of this machine.", (it) => it.bytes);
  one("waypost_place_index_log_bytes", "Size of its write-ahead log.", (it) => it.walBytes);
  one(
    "waypost_place_index_lag_seconds",
    "How long it has lacked the catalog's last generation; 0 while it has it.",
    (it) => it.lagSeconds,
  );
}

function declareQueues(gauge: Meters["gauge"], read: () => Promise<readonly Backlog[]>) {
  const each = (name: string, help: string, value: (backlog: Backlog) => number) =>
    gauge(name, help, ["queue"], async (): Promise<Sample[]> => {
      const backlogs = await read();
      return backlogs.map((backlog) => ({ labels: { queue: backlog.queue }, value: value(backlog) }));
    });
  each("waypost_queue_waiting", "Work that is due and held by nobody, of the whole installation.", (it) => it.waiting);
  each("waypost_queue_running", "Work that some process holds.", (it) => it.running);
  each("waypost_queue_scheduled", "Work that is due later, such as retries.", (it) => it.scheduled);
  each("waypost_queue_oldest_seconds", "How long the oldest work that is due has waited.", (it) => it.oldestSeconds);
}

const timeout = () => new Error("the database was not read in time");

/** Remembers no numbers while the database does not answer: old ones would hide the outage. */
function rememberBacklogs(db: Database): () => Promise<readonly Backlog[]> {
  let known: { backlogs: Promise<readonly Backlog[]>; until: number } | undefined;
  const signal = new AbortController().signal;
  return () => {
    if (known && known.until > performance.now()) return known.backlogs;
    const backlogs = withDeadline(() => readBacklogs(db), { signal, deadlineMs, timeout });
    known = { backlogs, until: performance.now() + backlogsMs };
    backlogs.catch(() => (known = undefined));
    return backlogs;
  };
}
