import type { StatusView } from "@waypost/server/status";
import type { Command } from "./command.ts";
import { exitCodes } from "./exit-codes.ts";
import { facts, table } from "./table.ts";

export const statusCommands: readonly Command[] = [
  {
    name: "status",
    about:
      "Show what runs and where, the queues, deliveries, sources, catalog and disk; exit code 1 when no process answers",
    words: "",
    options: { json: "Print JSON" },
    async run() {
      const [{ readConfig }, { readStatus }] = await Promise.all([
        import("@waypost/server/config"),
        import("@waypost/server/status"),
      ]);
      const status = await readStatus(readConfig());
      const isAnswering = status.service.state !== "no_answer";
      return { data: status, text: describe(status), exitCode: isAnswering ? exitCodes.done : exitCodes.failed };
    },
  },
];

function describe(status: StatusView): string {
  const {
    service,
    database,
    processes,
    queues,
    endpoints,
    sources,
    catalog,
    ledger,
    place_index: index,
    disk,
  } = status;
  const parts = [
    facts([
      ["Version", status.version],
      ["Service", `${service.address} ${stateOf(service)}`],
      ["Database", database.problem ?? databaseOf(database)],
      ["Live keys", `${answeringOf(sources)} (WAYPOST_SOURCE=${sources.choice})`],
      [
        "Disk",
        disk.free_bytes === null
          ? "not known"
          : `${size(disk.free_bytes)} of ${size(disk.total_bytes ?? 0)} free at ${disk.folder}`,
      ],
      ...(index ? [["Place index", placeIndexOf(index)] as const] : []),
    ]),
  ];
  if (processes) {
    const rows = processes.map((each) => [
      each.role,
      each.version,
      each.port === null ? each.host : `${each.host}:${each.port}`,
      String(each.pid),
      each.state?.replace("_", " ") ?? "",
      String(each.connections),
      each.since,
    ]);
    parts.push(
      rows.length > 0
        ? table(["ROLE", "VERSION", "HOST", "PID", "STATE", "CONNECTIONS", "SINCE"], rows)
        : "No process is connected to the database.",
    );
  }
  if (queues) {
    const rows = queues.map((each) => [
      each.queue,
      String(each.waiting),
      String(each.running),
      String(each.scheduled),
      each.waiting === 0 ? "" : `${Math.round(each.oldest_seconds)} s`,
    ]);
    parts.push(table(["QUEUE", "WAITING", "RUNNING", "LATER", "OLDEST"], rows));
  }
  if (endpoints && catalog && ledger) {
    const { active, paused, disabled } = endpoints;
    const places = catalog.data_sets.map(({ name, title, places: count }) => `${title ?? name} (${count})`).join(", ");
    const old = catalog.data_sets
      .filter((each) => each.import_again)
      .map(({ name }) => name)
      .join(", ");
    parts.push(
      facts([
        ["Endpoints", `${active} active, ${paused} paused, ${disabled} disabled`],
        ["Catalog", `generation ${catalog.generation}: ${places || "empty"}`],
        ...(old
          ? [
              [
                "Import again",
                `${old}: of an earlier version, without streets, landmarks and what has no name`,
              ] as const,
            ]
          : []),
        ["Ledger", ledgerOf(ledger.difference_units)],
      ]),
    );
  }
  return parts.join("\n\n");
}

/** Which source answers is known only where the database can be read. */
function answeringOf({ answering }: StatusView["sources"]): string {
  if (answering === null) return "not known while the database cannot be read";
  return answering === "none" ? "no source answers them" : answering;
}

function placeIndexOf(index: NonNullable<StatusView["place_index"]>): string {
  const { generation, size_bytes, lag_seconds, waits_for, problem } = index;
  if (problem !== null || waits_for !== null) return problem ?? waits_for ?? "";
  if (generation === null) return "empty, as the catalog is";
  const lag = lag_seconds > 0 ? `, behind the catalog for ${Math.round(lag_seconds)} s` : "";
  return `generation ${generation}, ${size(size_bytes)}${lag}`;
}

function ledgerOf(differenceUnits: number | null): string {
  if (differenceUnits === null) return "too long to compare here; see waypost_ledger_difference_units of a worker";
  return differenceUnits === 0 ? "adds up to the counters" : `differs by ${differenceUnits} units`;
}

function stateOf({ state, problems }: StatusView["service"]): string {
  if (state === "ready") return "is ready";
  return state === "no_answer" ? "does not answer" : `is not ready: ${problems.join("; ")}`;
}

function databaseOf({ where, details }: StatusView["database"]): string {
  if (!details) return where;
  const notes = [
    details.takes_writes ? "" : ", takes no writes",
    details.is_migrated ? "" : ", lacks migrations",
    details.is_held ? ", was restored and holds its work until `npx waypost resume`" : "",
  ];
  return `${where}: PostgreSQL ${details.version}, ${size(details.size_bytes)}${notes.join("")}`;
}

function size(bytes: number): string {
  const mebibytes = bytes / 1024 / 1024;
  return mebibytes < 1024 ? `${mebibytes.toFixed(0)} MiB` : `${(mebibytes / 1024).toFixed(1)} GiB`;
}
