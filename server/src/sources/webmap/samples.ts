import { chmod, mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Clock } from "../../platform/clock.ts";
import type { Log } from "../../platform/log.ts";

const samplesMax = 5;
const apartMs = 60_000;

/** Keeps raw answers whose layout nobody knows, for the operator to look at: few, and for no other eyes. */
export function createSamples({ folder, clock, log }: { folder: string; clock: Clock; log: Log }) {
  let nextAt = 0;

  async function keep(body: string): Promise<void> {
    const now = clock.now();
    if (now.getTime() < nextAt) return;
    nextAt = now.getTime() + apartMs;
    const file = join(folder, `layout-${now.toISOString().replaceAll(/[:.]/g, "-")}.txt`);
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await chmod(folder, 0o700);
      await writeFile(file, body, { mode: 0o600 });
      log.warn({ source: "webmap", file }, "source.sample_kept");
      const kept = (await readdir(folder)).filter((name) => name.startsWith("layout-")).sort();
      for (const name of kept.slice(0, -samplesMax)) await rm(join(folder, name), { force: true });
    } catch (error) {
      log.warn({ source: "webmap", error: (error as Error).message }, "source.sample_failed");
    }
  }

  return { keep };
}

export type Samples = ReturnType<typeof createSamples>;
