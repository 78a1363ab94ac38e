import { readFileSync } from "node:fs";
import { labelOf, languageFor, lexicon, termsOf } from "../index.ts";
import { commonestKinds } from "./commonest.ts";

/** What a language has words for. */
export type Coverage = {
  tag: string;
  /** Of the commonest kinds, those without a word. */
  missing: readonly string[];
  near: boolean;
  in: boolean;
  open: boolean;
};

/** The share of the commonest kinds that a language needs before it counts as covered. */
export const enough = 0.9;

export function coverageOf(tag: string): Coverage {
  const own = lexicon.get(tag) ?? {};
  const { links = {}, here, inflections, attributes = {} } = { ...lexicon.get(own.extends ?? ""), ...own };
  const said = new Set([...termsOf(tag).values()].flat());
  return {
    tag,
    missing: commonestKinds.filter((kind) => !said.has(kind)),
    near: (links.near ?? links.close ?? here) !== undefined,
    in: links.in !== undefined || inflections !== undefined,
    open: attributes.open_now !== undefined,
  };
}

/** The share of the kinds and of the words for near, in and open that a language has. */
export function shareOf({ missing, near, in: inside, open }: Coverage): number {
  const links = [near, inside, open].filter(Boolean).length;
  return (commonestKinds.length - missing.length + links) / (commonestKinds.length + 3);
}

export function isEnough(coverage: Coverage): boolean {
  return shareOf(coverage) >= enough;
}

/** All languages that have a file, and the official ones that have none, as the page for them shows them. */
export function languagesPage(): string {
  const coverages = [...lexicon.keys()].map(coverageOf).sort((a, b) => shareOf(b) - shareOf(a));
  const [whole, partial] = [coverages.filter(isEnough), coverages.filter((each) => !isEnough(each))];
  const without = official.filter(({ tag }) => !isServed(tag));
  return `${head(whole.length, coverages.length)}
## ${whole.length} languages at ${enough} or more

${tableHead}
${whole.map(row).join("\n")}

## ${partial.length} languages below ${enough}

${tableHead}
${partial.map(row).join("\n")}

## Official languages without a file

${without.map(({ tag, name, countries }) => `- ${name} (\`${tag}\`): ${countries.join(", ")}`).join("\n")}
`;
}

const tableHead = "| language | share | near | in | open | kinds without a word |\n|---|---|---|---|---|---|";

function head(whole: number, all: number): string {
  return `# Languages

Written by \`npm run languages:page\`; a test compares it.

A question may be in any of ${all} languages. The share counts words for the ${commonestKinds.length} commonest kinds of place (by the
publisher's counts of Overture's categories) and for *near*, *in* and *now open*: ${whole} languages have at least ${enough} of them.
Words are the labels of the id tagging schema, where it has the language, and those of the files in
\`server/src/languages\`, which are everyday words without a further source. Whoever speaks a language that is listed
below is welcome to correct them. What a language has no word for is found by its English name. Official languages are
those of CLDR.
`;
}

function row(coverage: Coverage): string {
  const share = (Math.floor(shareOf(coverage) * 100) / 100).toFixed(2);
  const marks = [coverage.near, coverage.in, coverage.open].map((has) => (has ? "yes" : "no"));
  const missing = coverage.missing.map((kind) => labelOf(kind, "en")).join(", ");
  return `| ${nameOf(coverage.tag)} (\`${coverage.tag}\`) | ${[share, ...marks, missing].join(" | ")} |`;
}

function isServed(tag: string): boolean {
  return languageFor(tag) !== "en" || tag === "en";
}

/** The first line of a language's file is its name. */
function nameOf(tag: string): string {
  const [first = ""] = readFileSync(new URL(`../${tag}.yaml`, import.meta.url), "utf8").split("\n");
  return first.replace(/^# /, "");
}

/** Official languages with their names and the codes of their countries. */
const official = readFileSync(new URL("official.tsv", import.meta.url), "utf8")
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"))
  .map((line) => {
    const [tag = "", name = "", countries = ""] = line.split("\t");
    return { tag, name, countries: countries.split(" ") };
  });
