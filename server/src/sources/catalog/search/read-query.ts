import { countryAt } from "../../../geography/country.ts";
import { parseViewport } from "../../../geography/points.ts";
import { type Coordinates, readCoordinates } from "../../query/coordinates.ts";
import { countryNamed } from "../../query/countries.ts";
import { kindOfEmoji } from "../../query/emoji.ts";
import { withoutHere } from "../../query/here.ts";
import { isArticle, isLink, linking, townWords, withoutLinks } from "../../query/links.ts";
import { prepositionsFor, withoutLocalLink } from "../../query/other-prepositions.ts";
import { anything, asName, type Question, readWhat, readWhats } from "../../query/question.ts";
import { type Split, splitsOf } from "../../query/split.ts";
import { bitsOf } from "../../../text/edit-distance.ts";
import { segmentsOf } from "../../../text/words.ts";
import { languageOfCountry } from "../../query/implied-languages.ts";
import { isSurePostcode, readPostcodes } from "../../../places/postcodes.ts";
import type { Areas, FoundArea, Preference } from "./areas.ts";
import {
  type Among,
  areaWordsMax,
  correctBeside,
  correctForeign,
  correctLocal,
  correctMarked,
  isOfKind,
  languageOf,
  type PlacedSplit,
} from "./corrected-where.ts";
import { kindAroundHere } from "./kind-around-here.ts";
import { isLandmark, type Landmark, landmarkNamed, readLandmark } from "./landmarks.ts";
import { namesWhere } from "./marked-where.ts";
import { isElsewhere, type Where } from "./region.ts";
import { findInside, touchesKind } from "./where-inside.ts";

export type QueryText = { q: string; hl: string; ll?: string; gl?: string };

/** One way to understand a query. What the readings find is put together; one that finds nothing adds nothing. */
export type Reading = {
  question: Question;
  where: Where;
  /** Whether to look farther than `where` when little is found there. */
  mayWiden: boolean;
  /** Whether words that no place has may be passed over when a kind of place is known. */
  mayRelax: boolean;
  /** The words may also be a name; that alone does not make the catalog answer for a far town. */
  isAside?: true;
  /** Some of the words name the area: half of them is no name unless it has those that are required. */
  hasAreaWords?: true;
  /** The area is only similar to what was typed: nothing that is spelled so may answer as well. */
  isCorrected?: boolean;
  /** Not by a typo: it is what its language makes of the name. */
  isInflected?: boolean;
  /** A where was named that neither the imports nor the world's list of towns has. */
  isUnplaced?: true;
  /** Other towns of the name, should this one have nothing of what is wanted. */
  namesakes?: readonly Where[];
  /** The place to look around, wherever in `where` it is. */
  landmark?: Landmark;
  /** The area was named, so another meaning of the words may answer when this one has nothing there. */
  mayMeanOther?: true;
};

/** Reads "what in where" in every way that makes sense. An empty list means that the query has no words at all. */
export function readQuery(query: QueryText, areas: Areas): Reading[] {
  return readPictured(query, areas).map(withOffers);
}

/** "☕ Vaduz", "🍕 near me": a picture is what is wanted where the words say nothing but where. */
function readPictured(query: QueryText, areas: Areas): Reading[] {
  const readings = readAll(query, areas);
  const kind = kindOfEmoji(query.q);
  if (kind === undefined || (readings.length > 0 && !readings.some(({ question }) => question.isAnything))) {
    return readings;
  }
  return readAll({ ...query, q: `${kind} ${query.q}` }, areas);
}

/** Where a place of this name is; the parts behind commas say in which country. */
export function readArea(name: string, gl: string | undefined, areas: Areas): Where | undefined {
  const segments = areas.joinState(segmentsOf(name));
  const [words] = segments;
  if (!words) return undefined;
  const preference = preferenceOf(gl, segments);
  return (areas.find(words.join(" "), preference) ?? areas.findSimilar(words.join(" "), preference))?.where;
}

/** A cash machine may stand in a bank, which has it as an attribute. */
function withOffers(reading: Reading): Reading {
  const { question } = reading;
  if (!question.categories.includes("amenity/atm")) return reading;
  return { ...reading, question: { ...question, categories: [...question.categories, "@atm"] } };
}

function readAll(query: QueryText, areas: Areas): Reading[] {
  const around = readCoordinates(query.q);
  if (around) return readAround(around, query, areas);
  const segments = areas.joinState(segmentsOf(query.q));
  if (segments.length === 0) return [];
  const here = hereOf(query);
  const postcodes = readAtPostcodes(segments, query, here, areas);
  return [...postcodes, ...readWithout(segments, query, here, areas)];
}

/** Written coordinates are what a map would show around them. */
function readAround({ rest, ll }: Coordinates, { hl }: QueryText, areas: Areas): Reading[] {
  const query = { q: rest, hl, ll };
  return rest === "" ? [widening(anything, hereOf(query))] : readAll(query, areas);
}

/** "Dentist SW1A 1AA", "pizza 9490 Vaduz": what is wanted, around where that postcode is. Nobody knows yet whether it is one. */
function readAtPostcodes(
  segments: readonly (readonly string[])[],
  query: QueryText,
  here: Where,
  areas: Areas,
): Reading[] {
  return readPostcodes(segments).flatMap(({ id, rest }) => {
    const wanted = rest.map(withoutLinks).filter((words) => words.length > 0);
    const question = { ...anything, categories: [id], isKind: true, isAnything: false };
    const readings = wanted.length === 0 ? [widening(anything, here)] : readWithout(wanted, query, here, areas);
    return readings.flatMap((reading) => {
      if (reading.isAside || reading.isUnplaced || reading.landmark) return [];
      const landmark = {
        question,
        where: reading.where,
        isThing: false,
        isSureThing: false,
        isPostcode: true as const,
      };
      return [{ ...reading, landmark }];
    });
  });
}

function readWithout(segments: readonly (readonly string[])[], query: QueryText, here: Where, areas: Areas): Reading[] {
  const all = segments.flat();
  const rest = segments.length === 1 ? (withoutHere(all) ?? kindAroundHere(all, query.hl)) : undefined;
  if (!rest) return readSegments(segments, query, here, areas);
  if (rest.length === 0) return [widening(readWhat(all, query.hl), here), widening(anything, here)];
  // "Cafe Nearby" may be what a place is called.
  return [...readSegments([rest], query, here, areas), strict(asName(all), here)];
}

function readSegments(
  segments: readonly (readonly string[])[],
  query: QueryText,
  here: Where,
  areas: Areas,
): Reading[] {
  const { hl } = query;
  const all = segments.flat();
  const preference = preferenceOf(query.gl, segments, here);
  const whole = readWhat(all, hl);
  if (whole.isKind) {
    // "Hotel Terrasse" may be a hotel with a terrace, and what a hotel is called.
    const named = whole.attributes.length > 0 ? [strict(asName(all), here)] : [];
    return [widening(whole, here), ...named, ...anythingIn(all, areas, preference)];
  }
  const near = segments.length === 1 ? readLandmark(all, hl, here) : undefined;
  const splits = findSplits(segments, { hl, areas, preference }, whole);
  const placed = splits.placed.filter(({ area }) => !near || !isOutranked(area, near.landmark, here));
  const local = localLanguage(query.gl, here);
  if (placed.every(({ area }) => !area.isOwn && !area.isCovered && isLocalKind(all, local))) {
    const postcode = all.findIndex(isSurePostcode);
    const mayRelax = postcode < 0 && !hasMark(segments, hl);
    const unplaced = postcode >= 0 || namesWhere(segments, hl) ? { isUnplaced: true as const } : {};
    const corrected = all.length < 2 ? [] : readCorrected(segments, { hl, areas, preference });
    const plain = readWhats(all, hl, local)
      .map((question) =>
        postcode < 0 ? question : { ...question, requiredMask: 1 << (postcode - (question.skipped ?? 0)) },
      )
      .map((question) => ({
        ...widening(question, here),
        mayRelax: mayRelax && !corrected.some(({ isInflected }) => isInflected),
        ...unplaced,
      }));
    if (all.length < 2) return plain;
    const around = near ? [{ ...widening(near.question, here), landmark: near.landmark }] : [];
    return [...plain, ...around, ...corrected, ...splits.others.map(readWholeName)];
  }
  const context = { hl, here, all, whole, hasView: query.ll !== undefined };
  return [...placed.flatMap((split) => readSplit(split, context)), ...splits.others.map(readWholeName)];
}

/** The language that is spoken in the middle of the map, else in the country that is given. */
function localLanguage(gl: string | undefined, here: Where): string | undefined {
  const countryCode = here.kind === "circle" ? countryAt(here.center.latitude, here.center.longitude) : null;
  return languageOfCountry(countryCode ?? countryOf(gl) ?? "");
}

/** "Duka la dawa" is a pharmacy where people speak Swahili, although there are towns of such names elsewhere. */
function isLocalKind(words: readonly string[], local: string | undefined): boolean {
  return local !== undefined && readWhat(words, local).isKind;
}

/** "Near the casino" of what the map shows is not near the town of Casino in Australia. */
function isOutranked(area: FoundArea, { isThing, isSureThing }: Landmark, here: Where): boolean {
  return (isSureThing || (isThing && area.isUnlikely === true)) && isElsewhere(area.where, here);
}

/** "Liechtenstein Center Vaduz" is in Vaduz when it is called so there, although it may be read otherwise. */
function readWholeName({ what, area }: PlacedSplit): Reading {
  return {
    ...strict({ ...asName(what), isWhole: true }, area.where),
    mayWiden: false,
    hasAreaWords: true,
    isAside: true,
  };
}

type Context = { hl: string; here: Where; all: readonly string[]; whole: Question; hasView: boolean };

function readSplit(split: PlacedSplit, { hl, here, all, whole, hasView }: Context): Reading[] {
  const { area, mark, what } = split;
  const { where, isOwn } = area;
  const hasAreaWords = true;
  const isAside = !isOwn && !hasView;
  const named: Reading = { ...widening(whole, here), mayRelax: false, hasAreaWords, ...(isAside ? { isAside } : {}) };
  if (mark === "whole" || what.every(isLink)) {
    // A town of the world that no import has counts only when nothing else says where to look.
    return isOwn || !hasView ? [named, { ...strict(anything, where), mayWiden: isOwn }] : [named];
  }
  const inArea = readInArea(split, hl).map((read) => ({
    ...read,
    where,
    mayWiden: isOwn || area.isCovered === true,
    mayRelax: true,
    ...(area.namesakes ? { namesakes: area.namesakes } : {}),
    ...(isOwn ? { mayMeanOther: true as const } : {}),
  }));
  const isKind = inArea.every(({ question }) => question.isKind);
  const called = { ...strict(isKind ? asName(all) : withRequired(asName(all), split), here), hasAreaWords } as const;
  // "Hotel Vaduz" is a hotel in Vaduz, and may be what a hotel is called.
  if (isOwn && mark === "beside") return [...inArea, called];
  // "Made in Italy" may be a name, "restaurants in Vaduz" is none.
  if (isOwn && isKind) return inArea;
  return [...inArea, { ...called, isAside: true }];
}

/** A name whose half must have all words but those of the area, and not just one. */
function withRequired(question: Question, { where, whereFrom }: Split): Question {
  const areaMask = ((1 << where.length) - 1) << whereFrom;
  const requiredMask = question.words.reduce(
    (mask, word, index) => ((areaMask & (1 << index)) !== 0 || isLink(word) ? mask : mask | (1 << index)),
    0,
  );
  return bitsOf(requiredMask) > 1 ? { ...question, requiredMask } : question;
}

/** What is wanted in the area of a split. */
function readInArea(split: PlacedSplit, hl: string): Pick<Reading, "question" | "landmark">[] {
  const { what, fullWhat, whatBefore, isNear, area, mark } = split;
  const full = readWhat(fullWhat, hl);
  if (full.isKind) return [{ question: full }];
  if (whatBefore === undefined) {
    const near = readLandmark(what, hl, area.where);
    if (near && near.landmark.question.categories.length > 0) return [near];
  } else if (mark === "preposition") {
    // "Hotel in Kotor with pool" and "hotel near Kotor bus station" are about hotels.
    const [before, after] = [what.slice(0, whatBefore), what.slice(whatBefore)];
    const wanted = readWhats(before, hl, languageOf(area)).find(({ isKind }) => isKind);
    if (wanted && isNear && isLandmark(after, hl)) {
      return [{ question: wanted, landmark: landmarkNamed(after, hl, area.where) }];
    }
    const question = readWhat(what, hl, whatBefore);
    if (question.categories.length > 0) return [{ question }];
  }
  const local = languageOf(area);
  const isLinked = local !== undefined && mark === "beside" && whatBefore === undefined;
  const wanted = isLinked ? withoutLocalLink(what, local, split.whereFrom === 0) : what;
  return readWhats(wanted, hl, local).map((question) => ({ question }));
}

function widening(question: Question, where: Where): Reading {
  return { question, where, mayWiden: true, mayRelax: true };
}

function strict(question: Question, where: Where): Reading {
  return { question, where, mayWiden: true, mayRelax: false };
}

function readCorrected(segments: readonly (readonly string[])[], among: Among): Reading[] {
  const inflected = correctForeign(segments, among) ?? correctLocal(segments, among);
  const split = inflected ?? correctBeside(segments, among);
  const questions = split ? readWhats(split.what, among.hl, languageOf(split.area)) : [];
  const question = questions.find(({ isKind }) => isKind) ?? (inflected && questions.find(isOfKind));
  if (!split || !question) return [];
  const isInflected = inflected !== undefined;
  return [{ question, where: split.area.where, mayWiden: true, mayRelax: isInflected, isCorrected: true, isInflected }];
}

/** Where a question is about that names no place: what the map shows, else the country, else everywhere. */
function hereOf({ ll, gl }: QueryText): Where {
  const viewport = ll === undefined ? undefined : parseViewport(ll);
  if (viewport) return { kind: "circle", ...viewport, isView: true };
  const countryCode = countryOf(gl);
  return countryCode === undefined ? { kind: "everywhere" } : { kind: "country", countryCode };
}

/** Areas near the middle of the map are meant rather than others, and those of a country that is named, or else given. */
function preferenceOf(
  gl: string | undefined,
  segments: readonly (readonly string[])[],
  here: Where = { kind: "everywhere" },
): Preference {
  const context = segments.slice(1).map((words) => countryNamed(words.join(" ")));
  const near = here.kind === "circle" ? here.center : null;
  return { near, countryCode: context.find((code) => code !== undefined) ?? countryOf(gl) ?? null };
}

function countryOf(gl: string | undefined): string | undefined {
  const code = gl?.toUpperCase();
  return code === "UK" ? "GB" : code;
}

/** A kind of place may also be what a town of the import is called: "Essen". */
function anythingIn(words: readonly string[], areas: Areas, preference: Preference): Reading[] {
  const area = areas.find(words.join(" "), preference);
  return area?.isOwn ? [strict(anything, area.where)] : [];
}

/** The ways to split a query that are read in full, and others that may yet part a name from its town. */
type Splits = { placed: PlacedSplit[]; others: PlacedSplit[] };

/** How many other ways are looked at. */
const othersMax = 2;

/** The ways to split a query whose where is known, best first: at most one of the import's own and one of the world's. */
function findSplits(segments: readonly (readonly string[])[], among: Among, whole: Question): Splits {
  const { hl, areas, preference } = among;
  let own: PlacedSplit | undefined;
  let ofWorld: PlacedSplit | undefined;
  const others: PlacedSplit[] = [];
  for (const split of splitsOf(segments, prepositionsFor(hl))) {
    const { where, mark, whereFrom } = split;
    const area = where.length <= areaWordsMax ? findArea(where, areas, preference) : undefined;
    if (!area) continue;
    // "Cafe in Paris, France" is about Paris.
    if (ofWorld?.mark === "preposition" && area.where.kind === "country") continue;
    const placed = { ...split, area };
    if (own) {
      if (others.length === othersMax) break;
      if (area.isOwn) others.push(placed);
      continue;
    }
    if (area.isOwn) {
      own = placed;
      if (mark !== "beside") break;
      continue;
    }
    // The words of a kind of place are not taken apart to make a town: "post office" is not in Post, Texas.
    if (mark !== "beside" || !touchesKind(whole, whereFrom, where.length)) ofWorld ??= placed;
    // But a name may stand before Long Beach.
    else if (area.isCovered && others.length < othersMax) others.push(placed);
  }
  if (own) return { placed: ofWorld && own.mark === "beside" ? [own, ofWorld] : [own], others };
  const isLonely = segments.length === 1 && (segments[0]?.length ?? 0) < 2;
  const corrected = isLonely ? undefined : correctMarked(segments, among, ofWorld);
  const far = ofWorld?.mark === "beside" && !ofWorld.area.isCovered ? ofWorld : undefined;
  const longer = far && !corrected ? correctLonger(segments, among, far.where.length + 1) : undefined;
  const chosen = corrected ?? longer ?? findInside(segments, among, whole, ofWorld) ?? ofWorld;
  return { placed: chosen ? [chosen] : [], others };
}

/** "Kavinės Kauno centre" is in Kaunas rather than in a far town called Centre. */
function correctLonger(
  segments: readonly (readonly string[])[],
  among: Among,
  wordsMin: number,
): PlacedSplit | undefined {
  return correctBeside(segments, among, wordsMin) ?? correctLocal(segments, among, wordsMin);
}

function hasMark(segments: readonly (readonly string[])[], hl: string): boolean {
  const isPreposition = prepositionsFor(hl);
  const [first] = splitsOf(segments, (word) => isPreposition(word) && !isArticle(word, hl));
  return first?.mark === "comma" || (first?.mark === "preposition" && first.what.length > 0);
}

function findArea(words: readonly string[], areas: Areas, preference: Preference): FoundArea | undefined {
  for (let start = 0; start < words.length; start += 1) {
    const area = areas.find(words.slice(start).join(" "), preference);
    if (area) return area;
    if (!linking.has(words[start] ?? "")) return findWithin(words.slice(start), areas, preference);
  }
  return undefined;
}

/** "Kotor Montenegro", "Luxembourg City", "Kotor old town": a town of the import with its country, or that it is a town. */
function findWithin(words: readonly string[], areas: Areas, preference: Preference): FoundArea | undefined {
  if (words.length < 2) return undefined;
  let end = words.length;
  while (end > 1 && townWords.has(words[end - 1] ?? "")) end -= 1;
  for (let at = end - 1; at >= 1; at -= 1) {
    const countryCode = countryNamed(words.slice(at, end).join(" "));
    if (countryCode === undefined) continue;
    return areas.findOwn(words.slice(0, at).join(" "), { ...preference, countryCode });
  }
  return end < words.length ? areas.findOwn(words.slice(0, end).join(" "), preference) : undefined;
}
