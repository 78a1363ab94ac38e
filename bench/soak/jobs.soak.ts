// Jobs under fire: API processes, workers and PostgreSQL itself are killed at random while clients
// create and cancel jobs. What was acknowledged is written down here, outside of the service, and
// compared in the end: `npm run soak -- jobs [minutes]`.
import { setTimeout as sleep } from "node:timers/promises";
import { startFleet } from "../../e2e/fleet.ts";
import { postmasterOf } from "../../e2e/service.ts";
import { allEnded, keepCreating, newLedger, settle } from "../../e2e/jobs-ledger.ts";
import { silentLog } from "../../server/src/platform/log.ts";
import { startEmbedded } from "../../server/src/platform/postgres/embedded/index.ts";
import { makeTempFolder, removeFolder } from "../../server/test/temp-folder.ts";

const clients = 8;
const crashEveryMs = 2_000;
/** Of so many crashes, one is PostgreSQL's own. */
const databaseShare = 10;

export async function run(words: string[]): Promise<void> {
  const minutes = Number(words[0] ?? 10);
  const folder = await makeTempFolder();
  const postgres = await startEmbedded({ dataFolder: folder, log: silentLog });
  const fleet = await startFleet(postgres.connection, ["api", "api", "worker", "worker", "worker"]);
  try {
    const ledger = newLedger();
    const end = Date.now() + minutes * 60_000;
    const isOver = () => Date.now() > end;
    const work = Promise.all(Array.from({ length: clients }, () => keepCreating(fleet, ledger, isOver, 0)));
    const crashes = { api: 0, worker: 0, postgres: 0 };
    const restarts: Promise<void>[] = [];
    for (let count = 1; !isOver(); count += 1) {
      await sleep(crashEveryMs);
      if (count % databaseShare === 0) {
        process.kill(await postmasterOf(folder), "SIGQUIT");
        crashes.postgres += 1;
        continue;
      }
      const role = count % 2 === 0 ? "api" : "worker";
      restarts.push(fleet.any(role).crash());
      crashes[role] += 1;
    }
    await Promise.all([work, ...restarts]);
    const quiet = performance.now();
    await allEnded(fleet.db, 120);
    const seconds = ((performance.now() - quiet) / 1_000).toFixed(1);
    await settle(fleet.db, ledger);
    console.log(
      `${ledger.created.size} jobs acknowledged, ${ledger.canceled.size} of them canceled, in ${minutes} min`,
    );
    console.log(
      `killed: ${crashes.api} API processes, ${crashes.worker} workers, ${crashes.postgres} times PostgreSQL`,
    );
    console.log(`the last job had ended ${seconds} s after the last fault`);
    console.log("nothing was lost, nothing ran to two results, one unit per job, no gap in any sequence");
  } finally {
    await fleet.stop();
    await postgres.stop();
    await removeFolder(folder);
  }
}
