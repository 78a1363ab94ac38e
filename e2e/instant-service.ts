// The service as main.ts starts it, with a source that needs no world outside and answers within a
// fraction of a second. It is a program of its own, so that no setting of the real one can bring
// live keys anything but real listings.
import { onlySource } from "../server/src/sources/selection.ts";
import { setTimeout as sleep } from "node:timers/promises";
import { readConfig } from "../server/src/service/config/config.ts";
import { createLog } from "../server/src/platform/log.ts";
import { startService } from "../server/src/service/start.ts";
import { type Bounds, listingsMax, type Source, type SourcePage } from "../server/src/sources/source.ts";
import { metropolis } from "../server/test/metropolis.ts";
import { aPlace } from "../server/test/place.ts";

const city = metropolis(1_500).map(({ name, ...location }) => aPlace({ placeId: `city:${name}`, name, location }));

/** What of the city lies within the bounds, as a source that honors them answers. */
function cityPage({ box: [south, west, north, east], contains }: Bounds, page: number): SourcePage {
  const matching = city.filter(({ location }) => {
    if (!location) return false;
    const { latitude, longitude } = location;
    const isInBox = latitude >= south && latitude <= north && longitude >= west && longitude <= east;
    return isInBox && contains(latitude, longitude);
  });
  const listings = matching.slice((page - 1) * listingsMax, page * listingsMax);
  return { listings, verdict: listings.length > 0 ? "ok" : "empty", matching: matching.length };
}

/** How long the source takes is said by the query: `coffee 250` takes 250 ms. */
const source: Source = {
  name: "instant",
  async search({ q, page, within }, signal) {
    const ms = Number(/(\d+)$/.exec(q)?.[1] ?? 0);
    if (ms > 0) await sleep(ms, undefined, { signal });
    if (within) return cityPage(within, page);
    const listings = ["a", "b", "c"].map((each) => aPlace({ placeId: `instant:${q}/${each}`, name: `${q} ${each}` }));
    return { listings, verdict: "ok" };
  },
};

const { log, flush } = createLog(readConfig().logLevel);
const stopping = Promise.withResolvers<void>();
process.once("SIGTERM", () => stopping.resolve());
const service = await startService(readConfig(), log, { sources: onlySource(source) });
process.stdout.write(`ready at ${service.address}\n\n`);
await stopping.promise;
await service.stop();
flush();
process.exit(0);
