import { readFileSync } from "node:fs";

/** A town by the name that GeoNames has for it. */
export type LargeTown = {
  name: string;
  country: string;
  /** The code of a state of the United States; empty in other countries. */
  state: string;
  latitude: number;
  longitude: number;
};

/** Written by towns/write.ts. */
export const largestTownsFile = new URL("towns/largest.tsv", import.meta.url);

let known: readonly LargeTown[] | undefined;

/** The largest towns of each country, and of each of the United States (GeoNames, CC BY 4.0). */
export function largestTowns(): readonly LargeTown[] {
  return (known ??= readFileSync(largestTownsFile, "utf8").trim().split("\n").map(townOfLine));
}

export function lineOfTown({ name, country, state, latitude, longitude }: LargeTown): string {
  return [country, state, name, latitude, longitude].join("\t");
}

function townOfLine(line: string): LargeTown {
  const [country = "", state = "", name = "", latitude, longitude] = line.split("\t");
  return { name, country, state, latitude: Number(latitude), longitude: Number(longitude) };
}
