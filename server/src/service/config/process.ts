import { resolve } from "node:path";
import type { LogLevel } from "../../platform/log.ts";
import { oneOf, setting } from "../../platform/settings.ts";
import { sourceNames } from "../../sources/registry.ts";

export const processSettings = {
  dataFolder: setting(
    "WAYPOST_DATA_DIR",
    undefined,
    (value) => resolve(value),
    "Where the embedded PostgreSQL, the generated secrets and export files live. Unset: `./data` in a clone or where it exists, else the user's data folder: `waypost` in `$XDG_DATA_HOME` or `~/.local/share`, on macOS in `~/Library/Application Support`, on Windows in `%LOCALAPPDATA%`.",
  ),
  indexFolder: setting(
    "WAYPOST_INDEX_DIR",
    undefined,
    (value) => resolve(value),
    "Where the place index of this machine lies: a file that catalog searches read, made from the database and safe to delete. All processes of a machine share it. It must be on a disk of the machine, not on NFS or SMB. Unset: the folder index of the data folder.",
  ),
  role: setting("WAYPOST_ROLE", "all", oneOf("all", "api", "worker"), "What this process does: all, api or worker."),
  source: setting(
    "WAYPOST_SOURCE",
    "auto",
    oneOf("auto", ...sourceNames),
    `Which source answers live keys: ${["auto", ...sourceNames.slice(0, -1)].join(", ")} or ${sourceNames.at(-1)}.`,
  ),
  logLevel: setting<LogLevel>(
    "WAYPOST_LOG_LEVEL",
    "info",
    oneOf("debug", "info", "warn", "error", "silent"),
    "The least important lines that are logged: debug, info, warn, error or silent.",
  ),
};
