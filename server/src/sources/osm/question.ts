import { languageFor, normalize, termsOf } from "../vocabulary/index.ts";

/** A query taken apart: what is looked for, and where. */
export type Question = {
  categories: readonly string[];
  /** Words that mean no category: part of a name, or of where. As they were typed. */
  rest: string;
  /** The place that the query names outright, after a preposition or a comma. */
  where: string | null;
  /** The query without the place it names. */
  what: string;
};

const prepositions: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries({
    en: "in near at around",
    de: "in im bei nahe am um",
    fr: "a en dans au aux pres vers",
    es: "en cerca",
    it: "a in vicino presso",
    pt: "em no na nos nas perto",
    nl: "in bij te nabij rond",
  }).map(([language, words]) => [language, new Set(words.split(" "))]),
);
/** What follows a preposition without meaning anything of its own: `near to`, `cerca de`. */
const fillers = new Set("of to the de du des la le les el los di da do a der den dem".split(" "));

export function readQuestion(q: string, hl: string): Question {
  const { what, where } = split(q.toWellFormed(), hl);
  const { categories, rest } = readWhat(what, hl);
  return { categories, rest, where, what };
}

function split(q: string, hl: string): { what: string; where: string | null } {
  const [beforeComma = "", ...afterComma] = q.split(",");
  const place = afterComma.join(",").trim();
  if (normalize(beforeComma).length > 0 && normalize(place).length > 0) {
    const inner = split(beforeComma, hl);
    // In "cafés in Vaduz, Liechtenstein" the comma parts the place, not the question.
    return inner.where === null ? { what: beforeComma, where: place } : { ...inner, where: `${inner.where}, ${place}` };
  }
  const words = q.split(/\s+/).filter((word) => word !== "");
  const language = languageFor(hl);
  const isPreposition = (word: string) => {
    const [plain = ""] = normalize(word);
    return prepositions.get(language)?.has(plain) === true || prepositions.get("en")?.has(plain) === true;
  };
  const at = words.findLastIndex((word, index) => index > 0 && index < words.length - 1 && isPreposition(word));
  if (at === -1) return { what: q, where: null };
  let from = at + 1;
  while (from < words.length - 1 && fillers.has(normalize(words[from] ?? "").join(" "))) from += 1;
  return { what: words.slice(0, at).join(" "), where: words.slice(from).join(" ") };
}

const termWordsMax = 5;

/** The longest run of words that means a category, in the language asked for and then in English. */
function readWhat(what: string, hl: string): Pick<Question, "categories" | "rest"> {
  const typed = what.split(/\s+/).filter((word) => normalize(word).length > 0);
  for (let length = Math.min(typed.length, termWordsMax); length > 0; length -= 1) {
    for (let start = 0; start + length <= typed.length; start += 1) {
      const term = normalize(typed.slice(start, start + length).join(" ")).join(" ");
      const categories = termsOf(hl).get(term) ?? termsOf("en").get(term);
      if (categories) return { categories, rest: [...typed.slice(0, start), ...typed.slice(start + length)].join(" ") };
    }
  }
  return { categories: [], rest: typed.join(" ") };
}
