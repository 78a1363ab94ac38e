import { setTimeout as sleep } from "node:timers/promises";
import { type Config, readConfig } from "./config.ts";
import { actAsOwner } from "./platform/folder-owner.ts";
import { createLog } from "./platform/log.ts";
import { type Service, startService } from "./service.ts";
import { welcome } from "./welcome.ts";

const stopDeadlineMs = 25_000;

await main();

/** Read the configuration, start the role, stop in order. */
async function main(): Promise<void> {
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
  const stopping = Promise.withResolvers<NodeJS.Signals>();
  process.once("SIGTERM", stopping.resolve).once("SIGINT", stopping.resolve);
  let service: Service;
  try {
    service = await startService(config, log);
  } catch (error) {
    log.error({ err: error }, "service.start_failed");
    flush();
    console.error(`Waypost could not start: ${(error as Error).message}`);
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
  console.log(welcome({ config, service, readyMs }));

  const signal = await stopping.promise;
  process.once("SIGINT", () => process.exit(130)); // a second Ctrl-C does not wait
  const outcome = await Promise.race([
    service.stop().then(() => "clean"),
    sleep(stopDeadlineMs, "timed_out", { ref: false }),
  ]);
  log.info({ signal, outcome }, "service.stopped");
  flush();
  process.exit(outcome === "clean" ? 0 : 1);
}
