import { setTimeout as sleep } from "node:timers/promises";
import { mayHaveSample } from "../operator/installation.ts";
import { readSampleState, type SampleState } from "../data-sets/sample.ts";
import { indexPathOf } from "../place-index/file/index.ts";
import { ServiceError } from "../platform/errors.ts";
import type { Log } from "../platform/log.ts";
import type { Outbound } from "../platform/net/outbound.ts";
import type { Connection, Database } from "../platform/postgres/database.ts";
import type { Clock } from "../platform/clock.ts";
import { version } from "../platform/version.ts";
import type { Config } from "./config/config.ts";

const greetingMs = 100;

type SampleDeps = { config: Config; db: Database; connection: Connection; clock: Clock; outbound: Outbound; log: Log };

/** Whether the catalog is the sample, or will be in a moment, and what stops its import. */
type Started = { isThere: boolean; stop(): Promise<void> };

/** Never rejects: whoever starts for the first time has keys to see, which are shown once. */
export async function startSample(deps: SampleDeps): Promise<Started> {
  const state = await findState(deps).catch(() => undefined);
  return { isThere: state !== undefined, stop: state === "wanted" ? importSample(deps) : async () => undefined };
}

async function findState({ config, db }: SampleDeps): Promise<SampleState | undefined> {
  return config.role !== "worker" && mayHaveSample(config) ? readSampleState(db) : undefined;
}

/** Imports the sample beside everything else; resolves to what stops it. Interrupted, it goes on with the next start. */
function importSample({ config, db, connection, clock, outbound, log }: SampleDeps): () => Promise<void> {
  const stopping = new AbortController();
  const { signal } = stopping;

  async function run(): Promise<void> {
    // The greeting comes first.
    await sleep(greetingMs, undefined, { ref: false, signal });
    // The code of imports, which no other start needs.
    const { createCatalogCommands } = await import("../operator/catalog.ts");
    const folders = { dataFolder: config.dataFolder, indexFolder: indexPathOf(config) };
    const commands = createCatalogCommands({ db, connection, outbound, clock, ...folders, version, mirrors: config });
    const { places, seconds } = await commands.importSample({ signal, progress: () => undefined });
    log.info({ places, seconds }, "catalog.sample_imported");
  }

  const running = run().catch((error: unknown) => {
    // A conflict is the operator's doing: they import or remove something themselves.
    if (signal.aborted || (error instanceof ServiceError && error.kind === "conflict")) return;
    log.warn({ err: error }, "catalog.sample_not_imported");
  });
  return async () => {
    stopping.abort(new Error("The service stops."));
    await running;
  };
}
