// The service as main.ts starts it, with a source that has a town of its own: it counts within bounds as the
// catalog does, and waits at queries that begin with "slow" until nobody wants the answer any more.
import { once } from "node:events";
import { readConfig } from "../../server/src/config.ts";
import { createLog } from "../../server/src/platform/log.ts";
import { startService } from "../../server/src/service.ts";
import { welcome } from "../../server/src/welcome.ts";
import { listingsMax, type Source } from "../../server/src/sources/source.ts";
import { aPlace } from "../../server/test/place.ts";

/** Streets that cross, denser toward the middle, with a name that a careless page would run. */
const town = Array.from({ length: 520 }, (_, index) => {
  const angle = index * 2.399963;
  const reach = (index / 520) ** 1.6;
  const location = {
    latitude: 47.14 + 0.06 * reach * Math.sin(angle),
    longitude: 9.52 + 0.09 * reach * Math.cos(angle),
  };
  const name = index === 0 ? "<img src=x onerror=window.pwned=1>" : `House ${index}`;
  return aPlace({ placeId: `town:${index}`, name, location });
});

const source: Source = {
  name: "town",
  isLocal: true,
  covers: "A town that exists for tests.",
  async search({ q, page, within }, signal) {
    if (q.startsWith("slow")) await once(signal, "abort");
    signal.throwIfAborted();
    const [south, west, north, east] = within?.box ?? [-90, -180, 90, 180];
    const inside = town.filter(({ location }) => {
      if (!location) return false;
      const { latitude, longitude } = location;
      const isIn = latitude >= south && latitude < north && longitude >= west && longitude < east;
      return isIn && within?.contains(latitude, longitude) !== false;
    });
    const listings = inside.slice((page - 1) * listingsMax, page * listingsMax);
    return { listings, verdict: listings.length > 0 ? "ok" : "empty", matching: inside.length };
  },
  findArea: async (name) => (name.startsWith("Town") ? { kind: "box", box: [47.08, 9.43, 47.2, 9.61] } : undefined),
};

const config = readConfig();
const { log, flush } = createLog(config.logLevel);
const stopping = Promise.withResolvers<void>();
process.once("SIGTERM", () => stopping.resolve());
const service = await startService(config, log, { sources: { pick: async () => source } });
process.stdout.write(`${welcome({ config, service, readyMs: 0 })}\n`);
await stopping.promise;
await service.stop();
flush();
process.exit(0);
