// The service as main.ts starts it, with a source that needs no world outside and answers within a
// fraction of a second. It is a program of its own, so that no setting of the real one can bring
// live keys anything but real listings.
import { setTimeout as sleep } from "node:timers/promises";
import { readConfig } from "../server/src/config.ts";
import { createLog } from "../server/src/platform/log.ts";
import { startService } from "../server/src/service.ts";
import type { Source } from "../server/src/sources/source.ts";
import { aPlace } from "../server/test/place.ts";

/** How long the source takes is said by the query: `coffee 250` takes 250 ms. */
const source: Source = {
  name: "instant",
  async search({ q }, signal) {
    const ms = Number(/(\d+)$/.exec(q)?.[1] ?? 0);
    if (ms > 0) await sleep(ms, undefined, { signal });
    const listings = ["a", "b", "c"].map((each) => aPlace({ placeId: `instant:${q}/${each}`, name: `${q} ${each}` }));
    return { listings, verdict: "ok" };
  },
};

const { log, flush } = createLog(readConfig().logLevel);
const stopping = Promise.withResolvers<void>();
process.once("SIGTERM", () => stopping.resolve());
const service = await startService(readConfig(), log, { sources: { pick: async () => source } });
process.stdout.write(`ready at ${service.address}\n\n`);
await stopping.promise;
await service.stop();
flush();
process.exit(0);
