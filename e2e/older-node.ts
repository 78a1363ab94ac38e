import { execFileSync } from "node:child_process";
import { join } from "node:path";

/** A Node of this machine that cannot run TypeScript. */
export const olderNode = (process.env["PATH"] ?? "")
  .split(":")
  .map((folder) => join(folder, "node"))
  .find((path) => {
    try {
      const major = Number(execFileSync(path, ["-p", "process.versions.node.split('.')[0]"], { encoding: "utf8" }));
      return major >= 18 && major < 22;
    } catch {
      return false;
    }
  });
