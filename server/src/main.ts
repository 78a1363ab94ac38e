import { realpathSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { type Config, readConfig } from "./service/config/config.ts";
import { actAsOwner } from "./platform/folder-owner.ts";
import { createLog } from "./platform/log.ts";
import { type Service, startService } from "./service/start.ts";
import { explainStartFailure } from "./operator/start-failure.ts";
import { welcome } from "./service/welcome.ts";

const stopDeadlineMs = 25_000;
const samePressMs = 1_000;

export type Hooks = {
  /** Keeps the live key of a first start where the command finds it; resolves to the file when it did. */
  keepFirstKey?(credentials: { url: string; apiKey: string }): Promise<string | undefined>;
};

const [, program] = process.argv;
// The command imports this file and has hooks of its own.
if (program !== undefined && realpathSync(program) === fileURLToPath(import.meta.url)) await main();

/** Read the configuration, start the role, stop in order. */
export async function main({ keepFirstKey }: Hooks = {}): Promise<void> {
  let config: Config;
  try {
    config = readConfig();
    await actAsOwner(config.dataFolder);
  } catch (error) {
    console.error((error as Error).message);
    process.exitCode = 1;
    return;
  }

  const { log, flush } = createLog(config.logLevel);
  for (const warning of config.warnings) log.warn({ warning }, "service.setting_ignored");
  const stopping = Promise.withResolvers<NodeJS.Signals>();
  const starting = new AbortController();
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, onSignal);
  let firstSignalAt = 0;

  function onSignal(signal: NodeJS.Signals) {
    starting.abort();
    stopping.resolve(signal);
    // A second Ctrl-C does not wait. One key press may come twice, from the terminal and by way of npm.
    if (firstSignalAt > 0 && signal === "SIGINT" && Date.now() - firstSignalAt > samePressMs) process.exit(130);
    firstSignalAt ||= Date.now();
  }

  let service: Service;
  try {
    service = await startService(config, log, {}, starting.signal);
  } catch (error) {
    if (starting.signal.aborted) return;
    const reason = explainStartFailure(error, config);
    log.error({ reason }, "service.start_failed");
    // The sentence is what an operator needs; a stack trace above it would hide it.
    log.debug({ err: error }, "service.start_failed");
    flush();
    console.error(`Waypost could not start: ${reason}`);
    process.exitCode = 1;
    return;
  }
  const readyMs = Math.round(process.uptime() * 1000);
  log.info(
    {
      address: service.address,
      role: config.role,
      ready_ms: readyMs,
      first_start: service.firstKeys !== undefined,
      adopted_postgres: service.adoptedPostgres,
    },
    "service.ready",
  );
  const { address, firstKeys } = service;
  const keyFile = firstKeys && (await keepFirstKey?.({ url: address, apiKey: firstKeys.live }));
  console.log(welcome({ config, service, readyMs, keyFile }));

  const signal = await stopping.promise;
  // A terminal session has no balancer to wait for.
  const drainSeconds = signal === "SIGTERM" ? config.drainSeconds : 0;
  const outcome = await Promise.race([
    service.stop({ drainSeconds }).then(() => "clean"),
    sleep(drainSeconds * 1_000 + stopDeadlineMs, "timed_out", { ref: false }),
  ]);
  log.info({ signal, outcome }, "service.stopped");
  flush();
  process.exit(outcome === "clean" ? 0 : 1);
}
