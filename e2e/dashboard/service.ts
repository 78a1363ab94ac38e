// The service as main.ts starts it, with a source that has a town of its own: it counts within bounds as the
// catalog does, and waits at queries that begin with "slow" until nobody wants the answer any more. The catalog
// has the same town, for the maps.
import { onlySource } from "../../server/src/sources/selection.ts";
import { once } from "node:events";
import { readConfig } from "../../server/src/service/config/config.ts";
import { systemClock } from "../../server/src/platform/clock.ts";
import { createLog } from "../../server/src/platform/log.ts";
import { startService } from "../../server/src/service/start.ts";
import { importItems } from "../../server/src/data-sets/import.ts";
import { place, town, yielded } from "../../server/src/sources/catalog/testing.ts";
import { shapeOf } from "../../server/src/geography/shape.ts";
import { listingsMax, type Source } from "../../server/src/sources/source.ts";
import { welcome } from "../../server/src/service/welcome.ts";
import { aPlace } from "../../server/test/place.ts";

const kinds = ["Café", "Bakery", "Bookshop", "Pharmacy", "Bicycle shop", "Restaurant", "Hotel", "Florist"] as const;
const names = ["Linden", "Harbor", "Morning", "Castle", "Meadow", "Bridge", "Orchard", "Market", "River", "Garden"];

const housesCount = 1_300;

/** Denser toward the middle, as towns are. One name is markup that a careless page would run. */
const houses = Array.from({ length: housesCount }, (_, index) => {
  const angle = index * 2.399963;
  const reach = (index / housesCount) ** 1.6;
  const kind = kinds[index % kinds.length] ?? "Café";
  return {
    id: `town:${index}`,
    kind,
    name: index === 150 ? "<img src=x onerror=window.pwned=1>" : `${kind} ${names[index % names.length]} ${index + 1}`,
    street: `${names[(index * 7) % names.length]} Street ${(index % 60) + 1}`,
    latitude: 47.14 + 0.06 * reach * Math.sin(angle),
    longitude: 9.52 + 0.09 * reach * Math.cos(angle),
  };
});

const places = houses.map(({ id, kind, name, street, latitude, longitude }, index) => {
  const plain = aPlace();
  return aPlace({
    placeId: id,
    name,
    category: kind,
    categories: [kind],
    address: { ...plain.address, formatted: `${street}, 9490 Vaduz`, street },
    location: { latitude, longitude },
    phone: `+423 555 ${String(index).padStart(4, "0")}`,
  });
});

const source: Source = {
  name: "town",
  isLocal: true,
  covers: "A town that exists for tests.",
  async search({ q, page, within }, signal) {
    if (q.startsWith("slow")) await once(signal, "abort");
    signal.throwIfAborted();
    const [south, west, north, east] = within?.box ?? [-90, -180, 90, 180];
    const inside = places.filter(({ location }) => {
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

/** An area with an outline, for the maps. */
const oberland = shapeOf([Array.from({ length: 73 }, (_, at) => outlineAt((at % 72) * 5 * (Math.PI / 180)))], 200);

function outlineAt(angle: number): [number, number] {
  const reach = 1 + 0.1 * Math.sin(3 * angle) + 0.05 * Math.cos(7 * angle) + 0.02 * Math.sin(17 * angle);
  return [47.128 + 0.05 * reach * Math.sin(angle), 9.525 + 0.075 * reach * Math.cos(angle)];
}

const config = readConfig();
const { log, flush } = createLog(config.logLevel);
const stopping = Promise.withResolvers<void>();
process.once("SIGTERM", () => stopping.resolve());
const service = await startService(config, log, { sources: onlySource(source) });
await importItems(
  { name: "town", origin: "a test" },
  yielded([
    ...houses.map(({ id, name, latitude, longitude }) => place({ sourceId: id, name, latitude, longitude })),
    town("Vaduz", 47.141, 9.521),
    town("Oberland", 47.11, 9.535, { level: 6, shape: oberland, population: 0 }),
    town("Triesen", 47.107, 9.527, { population: 5_200 }),
    town("Schaan", 47.165, 9.508, { population: 6_000 }),
  ]),
  { connection: { url: config.databaseUrl ?? "" }, clock: systemClock, signal: new AbortController().signal },
);
process.stdout.write(`${welcome({ config, service, readyMs: 0 })}\n`);
await stopping.promise;
await service.stop();
flush();
process.exit(0);
