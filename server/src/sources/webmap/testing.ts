import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { type Replay, startReplay } from "../../../../e2e/webmap/replay.ts";
import { openOutbound } from "../../../test/outbound.ts";
import type { CounterFactory } from "../../platform/meters.ts";
import type { Log } from "../../platform/log.ts";
import { createWebmap, type WebmapOptions } from "./webmap.ts";

/** The source on a replay server of its own, with a clock that moves when somebody waits. */
export async function startMap(t: TestContext, options: Partial<WebmapOptions> = {}) {
  const replay: Replay = await startReplay();
  t.after(() => replay.close());
  const samplesFolder = await mkdtemp(join(tmpdir(), "waypost-webmap-"));
  t.after(() => rm(samplesFolder, { recursive: true, force: true }));
  const waits: number[] = [];
  const lines: { message: string; fields: Record<string, unknown> }[] = [];
  const counts = new Map<string, number>();
  let now = Date.parse("2026-09-22T09:30:00.000Z");

  const counter: CounterFactory =
    (name) =>
    (labels, by = 1) => {
      const key = [name.replace(/^waypost_webmap_/, ""), ...Object.values(labels)].join(" ");
      counts.set(key, (counts.get(key) ?? 0) + by);
    };
  const tell = (fields: object, message: string) => void lines.push({ message, fields: { ...fields } });
  const log: Log = { debug: tell, info: tell, warn: tell, error: tell };
  const source = createWebmap({
    outbound: openOutbound(t),
    baseUrl: replay.url,
    rate: 0,
    samplesFolder,
    clock: { now: () => new Date(now) },
    log,
    counter,
    wait: async (milliseconds) => {
      waits.push(milliseconds);
      now += milliseconds;
    },
    ...options,
  });
  return { replay, source, samplesFolder, waits, lines, counts, advance: (ms: number) => void (now += ms) };
}

export type TestMap = Awaited<ReturnType<typeof startMap>>;
