import { readFileSync } from "node:fs";

/** For tests and for those who write the list; searches read what it was made into. */
const facts = readFileSync(new URL("other-names.txt", import.meta.url), "utf8");

export type OtherNames = { name: string; country: string; others: readonly string[] };

/**
 * What cities are called besides the one name that the package has for them: at home, in the languages queries are read
 * in, and for short. Each line begins with the package's name and the country.
 */
export const otherNames: readonly OtherNames[] = facts
  .trim()
  .split("\n")
  .map((line) => {
    const [, name = "", country = "", others = ""] = /^(.+) ([A-Z]{2}): (.+)$/.exec(line) ?? [];
    return { name, country, others: others.split(", ") };
  });
