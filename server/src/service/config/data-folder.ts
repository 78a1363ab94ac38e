import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve, sep } from "node:path";

type Here = {
  environment: NodeJS.ProcessEnv;
  platform?: NodeJS.Platform;
  cwd?: string;
  /** Whether npm installed this code as a package; a clone keeps its data in its own folder. */
  isPackage?: boolean;
};

/** Where the data lies without WAYPOST_DATA_DIR: `./data` in a clone or where it exists, else the user's data folder. */
export function defaultDataFolder({
  environment,
  platform = process.platform,
  cwd = process.cwd(),
  isPackage = import.meta.dirname.split(sep).includes("node_modules"),
}: Here): string {
  const here = resolve(cwd, "data");
  return isPackage && !existsSync(here) ? join(userDataFolder(environment, platform), "waypost") : here;
}

/** What the platform's own conventions say. */
function userDataFolder(environment: NodeJS.ProcessEnv, platform: NodeJS.Platform): string {
  const home = environment["HOME"] || homedir();
  if (platform === "darwin") return join(home, "Library", "Application Support");
  if (platform === "win32") return environment["LOCALAPPDATA"] || join(homedir(), "AppData", "Local");
  // The XDG specification: a path that is not absolute is ignored.
  const { XDG_DATA_HOME: chosen = "" } = environment;
  return chosen.startsWith("/") ? chosen : join(home, ".local", "share");
}
