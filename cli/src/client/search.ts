import type { ResponseFacts, SearchRequest, SearchResult } from "@waypost/sdk";
import type { Command, Values } from "../command.ts";
import { UsageProblem } from "../failures.ts";
import { printable } from "../terminal.ts";
import { hasCeiling } from "../units.ts";
import { csvColumnsOf, formats, listings } from "./listings.ts";
import { withClient } from "./open.ts";
import { text, wholeNumber } from "./words.ts";

export const queryOptions = {
  page: "Which page, 1 to 10 (1)",
  ll: "Where to look: @LATITUDE,LONGITUDE,ZOOMz",
  hl: "The language of the answer, such as de",
  gl: "The country, such as li",
  extra: { flag: "Also ask for reviews, photos and contact data" },
};

export const searchCommands: readonly Command[] = [
  {
    name: "search",
    about: "Find up to 20 businesses at once; one request unit",
    words: "QUERY…",
    options: { ...queryOptions, ...formats },
    async run(values, words) {
      const request = queryOf(values, words);
      const columns = await csvColumnsOf(values);
      return withClient(async ({ waypost, signal, lastAnswer }) => {
        const found = await waypost.search(request, { signal });
        return listings(found.businesses, found, columns, noteOf(found, lastAnswer()));
      });
    },
  },
];

export function queryOf(values: Values, words: readonly string[]): SearchRequest {
  if (words.length === 0) throw new UsageProblem('Say what to look for, such as "coffee in Vaduz".');
  const page = wholeNumber(values, "page", 1, 10);
  const [ll, hl, gl] = [text(values, "ll"), text(values, "hl"), text(values, "gl")];
  return {
    q: words.join(" "),
    ...(page === undefined ? {} : { page }),
    ...(ll === undefined ? {} : { ll }),
    ...(hl === undefined ? {} : { hl }),
    ...(gl === undefined ? {} : { gl }),
    ...(values["extra"] === true ? { extra: true } : {}),
  };
}

/** An empty page says how its question was read. */
function noteOf({ total, simulated }: SearchResult, answer: ResponseFacts | undefined): string {
  if (simulated) return "Simulated, because the key is a test key.";
  const { unitsRemaining, queryReading } = answer ?? {};
  const reading = total === 0 && queryReading !== undefined ? readAs(queryReading) : "";
  const isLimited = unitsRemaining !== undefined && hasCeiling(unitsRemaining);
  return [reading, isLimited ? `${unitsRemaining} request units left this month.` : ""].filter(Boolean).join("\n");
}

export function readAs(reading: string): string {
  return `The question was read as: ${printable(reading)}`;
}
