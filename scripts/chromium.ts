import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { promisify } from "node:util";

const execute = promisify(execFile);
const packages = ["chromium", "fonts-noto-core", "fonts-noto-cjk", "fonts-noto-color-emoji"];
const words = ["install", "-y", "--no-install-recommends", ...packages];
const installDeadlineMs = 240_000;

export type Chromium = { path: string } | { missing: string };

let found: Promise<Chromium> | undefined;

/** Where Chromium is; as root on Debian it is installed when it is missing. */
export function findChromium(): Promise<Chromium> {
  found ??= find();
  return found;
}

async function find(): Promise<Chromium> {
  const candidates = [process.env["CHROMIUM"], "/usr/bin/chromium"];
  const path = candidates.find((each) => each !== undefined && existsSync(each));
  if (path !== undefined) return { path };
  const advice = `there is no Chromium; set CHROMIUM to one, or as root: apt-get ${words.join(" ")}`;
  if (process.getuid?.() !== 0 || !existsSync("/usr/bin/apt-get")) return { missing: advice };
  try {
    const options = { timeout: installDeadlineMs, env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" } };
    await execute("apt-get", words, options);
    return existsSync("/usr/bin/chromium") ? { path: "/usr/bin/chromium" } : { missing: advice };
  } catch {
    return { missing: advice };
  }
}
