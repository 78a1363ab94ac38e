import { intersectionOf } from "../../../geography/points.ts";
import type { Clause, Found, Hit as PortHit, Search, Window } from "../../../place-index/port.ts";
import type { Question } from "../../query/question.ts";
import type { Look, Lookup } from "./looking.ts";
import type { Region } from "./region.ts";
import type { Walk } from "./walk.ts";

/** What a question asks of each place, without where. */
type Asked = Omit<Search, "window" | "order" | "limit">;

/** Where an outline decides, so many times as many are asked for, as many lie in its box and not in it. */
const growth = 4;
/** More than these are never asked for at once. */
const askedMax = 20_000;

/** Today's reader asks the place index through this: its questions become searches, in the scores that it knows. */
export function createLook(search: (search: Search) => Promise<Pick<Found, "hits" | "isComplete">>): Look {
  return ({ question, leniency, regions, limit }) => {
    const searches = searchesOf(question, leniency);
    let hits: PortHit[] = [];
    let step = 0;
    let isComplete = true;

    async function searchNext() {
      const region = regions[step];
      if (!region) return;
      step += 1;
      const found = await Promise.all(searches.map((asked) => searchIn(region, asked)));
      const known = new Map(hits.map((hit) => [hit.place, hit]));
      for (const hit of found.flat()) {
        const score = hit.score - region.penalty;
        if ((known.get(hit.place)?.score ?? -Infinity) < score) known.set(hit.place, { ...hit, score });
      }
      hits = [...known.values()].sort((one, other) => other.score - one.score || one.place - other.place);
    }

    async function searchIn(region: Region, asked: Asked): Promise<PortHit[]> {
      const { center, scaleM, contains, clip } = region;
      const order = center ? ({ by: "nearness", center, scaleM } as const) : ({ by: "quality" } as const);
      const isInside = ({ latitude, longitude }: PortHit) =>
        contains?.(latitude, longitude) !== false && clip?.contains(latitude, longitude) !== false;
      const isFiltered = contains !== null || clip !== null;
      const needed = limit + hits.length;
      for (let count = isFiltered ? needed * 2 : needed; ; count *= growth) {
        const wanted = { ...asked, window: windowOf(region), order, limit: Math.min(count, askedMax) };
        const found = await search(wanted);
        if (!found.isComplete) isComplete = false;
        const inside = isFiltered ? found.hits.filter(isInside) : [...found.hits];
        if (inside.length >= needed || found.hits.length < wanted.limit || count >= askedMax || !found.isComplete)
          return inside;
      }
    }

    return {
      searchNext,
      hasNext: () => step < regions.length,
      count: () => hits.length,
      list: () => hits.slice(0, limit).map(({ place, score }) => ({ number: place, score })),
      isComplete: () => isComplete,
    };
  };
}

/** The same for going through all that a lookup finds in its first region. */
export function walksOf({ question, leniency, regions }: Omit<Lookup, "limit">): Walk[] {
  const [region] = regions;
  if (!region) return [];
  const order = { by: "quality" } as const;
  return searchesOf(question, leniency).map((asked) => ({
    search: { ...asked, window: windowOf(region), order },
    contains: region.contains,
  }));
}

function windowOf({ boxes, radiusM, center, country, clip, areas = [] }: Region): Window {
  const circle = center && Number.isFinite(radiusM) ? { center, radiusM } : null;
  const clipped = clip ? boxes.map((box) => intersectionOf(box, clip.box)).filter((box) => box !== undefined) : boxes;
  return { boxes: clipped, country, circle, areas };
}

const kindWorth = { worth: 10, well: 20 };
/** More than distance and completeness can outweigh: places with the wanted attribute come first. */
export const attributesWorth = 80;
const wordsWorth = 24;

/** A question is searched as a name, as a kind, by some of its words, or for anything, and counts where it is worth most. */
function searchesOf(question: Question, leniency: Lookup["leniency"]): Asked[] {
  const { words, categories, isAnything, requiredMask = 0 } = question;
  const typos = leniency === "typos" || leniency === "partial" ? 2 : 0;
  const wordAt = (at: number, rest: Pick<Clause, "must" | "worth" | "well">): Clause => ({
    any: [{ type: "word", text: words[at] ?? "" }],
    typos,
    prefix: at === words.length - 1,
    ...rest,
  });
  const kind = (must: boolean): Clause[] =>
    categories.length === 0
      ? []
      : [{ any: categories.map((text) => ({ type: "kind", text })), must, typos: 0, prefix: false, ...kindWorth }];
  const attributes = question.attributes.map(({ id, mask }): Clause => ({
    any: [
      { type: "kind", text: id },
      ...words.flatMap((text, at) => (mask === 1 << at ? [{ type: "word" as const, text }] : [])),
    ],
    must: false,
    typos: 0,
    prefix: false,
    worth: attributesWorth / question.attributes.length,
    well: 0,
  }));
  const at = words.map((_, index) => index);
  const searches: Asked[] = [];
  const isCalledKind = question.isKind && question.isGuess !== true;
  if (words.length > 0) {
    const well = wordsWorth / words.length;
    searches.push({
      all: [
        ...at.map((index) => wordAt(index, { must: true, worth: 0, well })),
        ...(isCalledKind ? [] : kind(false)),
        ...attributes,
      ],
      least: 0,
      base: question.isWhole ? null : isCalledKind ? 100 : 300,
      whole: isCalledKind && question.isLoose !== true ? 375 : 440,
      coverage: isCalledKind ? 0 : 10,
    });
  }
  if (categories.length > 0 && !question.isWhole) {
    const isRest = (index: number) => (question.restMask & (1 << index)) !== 0;
    const isRelaxed = leniency === "relaxed";
    searches.push({
      all: [
        ...kind(true),
        ...at.filter(isRest).map((index) => wordAt(index, { must: !isRelaxed, worth: isRelaxed ? 5 : 0, well: 0 })),
        ...attributes,
      ],
      least: 0,
      base: question.restMask === 0 ? (question.isGuess ? 250 : 300) : isRelaxed ? 200 : 250,
      whole: null,
      coverage: 0,
    });
  }
  if (isAnything) searches.push({ all: attributes, least: 0, base: 50, whole: null, coverage: 0 });
  if (leniency === "partial" && words.length > 0 && !question.isWhole && !isAnything) {
    const isRequired = (index: number) => (requiredMask & (1 << index)) !== 0;
    const rest = { worth: 100 / words.length, well: wordsWorth / words.length };
    searches.push({
      all: [...at.map((index) => wordAt(index, { must: isRequired(index), ...rest })), ...kind(false), ...attributes],
      least: Math.max(0, Math.ceil(words.length / 2) - at.filter(isRequired).length),
      base: 0,
      whole: null,
      coverage: 0,
    });
  }
  return searches;
}
