import { distanceM, middleOf, type Point } from "../geography/points.ts";
import type { Gazetteer } from "../gazetteer/gazetteer.ts";
import type { KnownArea } from "../gazetteer/known-area.ts";
import type { NamedObject, NameHit } from "../place-index/port.ts";
import { costs } from "./costs.ts";
import { plainAreaName, withSaint } from "../gazetteer/area-names.ts";
import { countryNamed, isFurtherName } from "./words/countries.ts";
import { uninflected } from "./words/inflections.ts";
import type { Area, Span } from "./spans.ts";
import { nameOf, type Token } from "./tokens.ts";

/** Names have no more tokens, or signs. */
const namedTokensMax = 6;
const namedSignsMax = 12;
const endTokensMax = 16;
/** So many phrases are looked up at most; those of few tokens come first. */
const phrasesMax = 160;
const inflectedTokensMax = 3;

/** A phrase that may be a name, and the tokens that it stands for. */
export type Phrase = { text: string; from: number; to: number; form: "written" | "plain" | "joined" | "inflected" };

/** Every run of tokens that may be a name, as typed and without what its language adds to a name. */
export function phrasesOf(tokens: readonly Token[], languages: readonly string[]): Phrase[] {
  const written: Phrase[] = [];
  const inflected: Phrase[] = [];
  for (let count = 1; count <= namedSignsMax; count += 1) {
    for (let from = 0; from + count <= tokens.length; from += 1) {
      const to = from + count;
      const inner = tokens.slice(from + 1, to);
      if (count > namedTokensMax && inner.some(({ glue }) => glue !== "none")) continue;
      if (inner.some(({ glue }) => glue === "comma")) continue;
      const text = nameOf(tokens, from, to);
      written.push({ text, from, to, form: "written" });
      const words = text.split(" ");
      for (const plain of new Set([plainAreaName(text), withSaint(text) ?? text])) {
        if (plain !== text) inflected.push({ text: plain, from, to, form: "plain" });
      }
      if (count === 2) inflected.push({ text: words.join(""), from, to, form: "joined" });
      if (words.length > inflectedTokensMax) continue;
      for (const form of uninflected(words, languages)) inflected.push({ text: form, from, to, form: "inflected" });
    }
  }
  return [...written, ...endsOf(tokens), ...inflected].slice(0, phrasesMax);
}

/** What a question ends with, where it is longer than other names or has a comma: "near Columbus Hotel, Curio Collection". */
function endsOf(tokens: readonly Token[]): Phrase[] {
  const to = tokens.length;
  const starts = tokens.map((_, from) => from).slice(Math.max(0, to - endTokensMax), -1);
  return starts.flatMap((from): Phrase[] => {
    const isKnown = to - from <= namedTokensMax && tokens.slice(from + 1).every(({ glue }) => glue !== "comma");
    return isKnown ? [] : [{ text: nameOf(tokens, from, to), from, to, form: "written" }];
  });
}

/** Where a question is asked: what the map shows, and the country that is given or in the middle of the map. */
export type Here = { center: Point | null; country: string | null };

export type NameSources = {
  gazetteer: Gazetteer;
  /** Whether the catalog has data of a where. */
  covers(where: CoveredWhere): boolean;
};

/** A country, an area that reaches so far around its middle, or what a map shows. */
export type CoveredWhere = { country: string } | { point: Point; reachM: number; of: string | null } | { view: Point };

/** What the catalog and the world's list of towns know of the phrases. */
export function spansOfNames(
  phrases: readonly Phrase[],
  hits: readonly NameHit[],
  sources: NameSources,
  here: Here,
): Span[] {
  const byPhrase = Map.groupBy(hits, ({ phrase }) => phrase);
  const inflected = new Set<string>();
  return phrases.flatMap((phrase) => {
    const own = byPhrase.get(phrase.text) ?? [];
    const isTyped = phrase.form === "written" || phrase.form === "joined";
    const spans = isTyped ? spansOfTerms(phrase, own) : [];
    // The likeliest form of an inflected name comes first.
    const range = `${phrase.from} ${phrase.to}`;
    if (phrase.form === "inflected" && inflected.has(range)) return spans;
    const areas = areaSpans(phrase, own, sources, here);
    if (phrase.form === "inflected" && areas.some((span) => span.type === "area" && span.area.places > 0))
      inflected.add(range);
    return [...spans, ...areas];
  });
}

function areaSpans(phrase: Phrase, hits: readonly NameHit[], sources: NameSources, here: Here): Span[] {
  const { from, to, form, text } = phrase;
  if (form === "joined") return [];
  const more = form === "inflected" ? costs.area.inflected : form === "plain" ? costs.area.form.plain : 0;
  const spans = (areas: readonly Area[], cost: number, why: string, isCode = false): Span[] =>
    areas.slice(0, namesakesMax).map((area, rank) => {
      const isElsewhere = here.country !== null && area.country !== here.country;
      const { namesake, elsewhere } = costs.area;
      const all = cost + more + (rank > 0 ? namesake : 0) + (isElsewhere ? elsewhere : 0);
      return { type: "area", area, rank, isCode, from, to, cost: all, why };
    });
  const own = hits
    .filter(isNamed)
    .filter(({ type }) => type === "area")
    .map((hit): Area & { cost: number } => ({
      ...hit,
      isOutlined: hit.box !== null && hit.places > 0,
      places: Math.max(hit.places, sources.covers({ point: hit.center, reachM: 0, of: null }) ? 1 : 0),
      contains: null,
      cost: costs.area.form[hit.form] + (hit.edits > 0 ? costs.area.misspelled : 0),
    }));
  if (own.length > 0) {
    const least = Math.min(...own.map(({ cost }) => cost));
    return spans(
      inOrder(
        own.filter(({ cost }) => cost <= least),
        here,
      ),
      least,
      "of the catalog",
    );
  }
  if (hits.some(({ edits }) => edits > 0)) return [];
  const code = countryNamed(text);
  const countries = code === undefined ? [] : [countryOf(code, text, sources)];
  const isFurther = isFurtherName(text);
  const isCountry = countries.some(({ places, country }) => places > 0 || country === here.country);
  if (isCountry && !isFurther) return spans(countries, 0, "a country");
  const state = sources.gazetteer.stateNamed(text);
  const towns = [...(state ? [state] : []), ...sources.gazetteer.townsNamed(text)];
  const areas = inOrder(
    towns.map((town) => ofWorld(town, sources)),
    here,
  );
  const coded = form === "written" ? sources.gazetteer.stateCoded(text) : undefined;
  return [
    ...spans(countries, isFurther ? costs.area.inOtherLanguage : costs.area.withoutPlaces, "a country"),
    ...spans(areas, costOfWorld(areas[0]), "of the world's towns"),
    ...spans(coded ? [ofWorld(coded, sources)] : [], costs.area.coded, "the code of a state", true),
  ];
}

const namesakesMax = 4;

const likelyFrom = 50_000;

function costOfWorld(best: Area | undefined): number {
  const { ofWorld: known, withoutPlaces, unlikely } = costs.area;
  if (best && best.places > 0) return known;
  return best?.kind === "region" || (best?.population ?? 0) >= likelyFrom ? withoutPlaces : unlikely;
}

function spansOfTerms({ text, from, to, form }: Phrase, hits: readonly NameHit[]): Span[] {
  const at = { from, to };
  const more = form === "joined" ? costs.joined : 0;
  const postcodes = hits.filter((hit) => hit.type === "postcode");
  const landmarks = hits.filter(isNamed).filter(({ type }) => type === "landmark");
  const spans = hits.flatMap((hit): Span[] => {
    const { places } = hit;
    if (hit.edits > 0) return [];
    if (hit.type === "street") return [{ ...at, type: "street", text, places, cost: costs.street, why: "a street" }];
    if (hit.type === "brand") return [{ ...at, type: "brand", text, places, cost: costs.brand + more, why: "a brand" }];
    if (hit.type === "name") {
      return [
        {
          ...at,
          type: "name",
          words: text.split(" "),
          places,
          at: hit.at,
          cost: costs.name + more,
          why: "all of a name",
        },
      ];
    }
    if (hit.type === "word") {
      return [{ ...at, type: "word", words: [text], places, cost: costs.word.known + more, why: "a word of names" }];
    }
    return [];
  });
  if (landmarks.length > 0) {
    const areas = landmarks.map((hit) => ({ ...hit, isOutlined: false, contains: null }));
    spans.push({ ...at, type: "landmark", areas, cost: costs.landmark, why: "a landmark" });
  }
  if (postcodes.length === 0) return spans;
  const countries = postcodes.map(({ country }) => country);
  return [...spans, { ...at, type: "postcode", text, countries, cost: costs.postcode.known, why: "a postcode" }];
}

function isNamed(hit: NameHit): hit is Extract<NameHit, NamedObject> {
  return "form" in hit;
}

function countryOf(code: string, name: string, { covers }: NameSources): Area {
  const nowhere = { latitude: 0, longitude: 0 };
  const unknown = { box: null, population: null, level: null, isOutlined: false, contains: null };
  const places = covers({ country: code }) ? 1 : 0;
  return { id: null, name, kind: "country", country: code, center: nowhere, places, ...unknown };
}

function ofWorld(area: KnownArea, { gazetteer, covers }: NameSources): Area {
  const { latitude, longitude, kind, name, box, population, level, countryCode, shapeKey } = area;
  const state = shapeKey?.split(" ")[1];
  const isInState = state === undefined ? null : gazetteer.isInState(state);
  const center = { latitude, longitude };
  const contains = isInState && (({ latitude: north, longitude: east }: Point) => isInState(north, east));
  const found = {
    id: null,
    isOutlined: false,
    name,
    kind,
    country: countryCode,
    center,
    box,
    population,
    level,
    places: 0,
    contains,
  };
  const reachM = kind === "region" ? 0 : radiusOf(found);
  return covers({ point: center, reachM, of: countryCode }) ? { ...found, places: 1 } : found;
}

const kindsBySize = ["country", "city", "town", "region", "village", "suburb"];

/** Areas of one name, the likeliest first: with places, of the country, near the map, large. */
function inOrder(areas: readonly Area[], here: Here): Area[] {
  const sorted = areas.toSorted((one, other) => unlikeliness(one, here) - unlikeliness(other, here));
  const [best] = sorted;
  const outline = best && outlineOf(best, sorted);
  return outline ? [outline, ...sorted.filter((area) => area !== outline)] : sorted;
}

function unlikeliness(area: Area, { center, country }: Here): number {
  const isElsewhere = country !== null && area.country !== country;
  const awayKm = center
    ? Math.min(20_000, distanceM(center.latitude, center.longitude, area.center.latitude, area.center.longitude) / 1e3)
    : 0;
  const isState = area.id === null && area.kind === "region";
  const [kind, population] = isState ? ["city", 500_000] : [area.kind, area.population ?? 0];
  const size = kindsBySize.indexOf(kind) * 10 - Math.log10(1 + population);
  return (area.places === 0 ? 1e7 : 0) + (isElsewhere ? 1e6 : 0) + awayKm + size;
}

/** Data sets have a town as a point, and once more as the boundary around it: the smallest, where it is not far larger. */
function outlineOf(best: Area, others: readonly Area[]): Area | undefined {
  if (best.box || best.kind === "country") return undefined;
  const reachM = radiusOf(best) * 5;
  return others
    .filter(({ box, kind }) => box !== null && kind !== "country" && holds(box, best.center))
    .filter((area) => area.kind !== "region" || radiusOf(area) <= reachM)
    .toSorted((one, other) => radiusOf(one) - radiusOf(other))[0];
}

function holds([south, west, north, east]: readonly [number, number, number, number], { latitude, longitude }: Point) {
  const isBetween = west <= east ? longitude >= west && longitude <= east : longitude >= west || longitude <= east;
  return latitude >= south && latitude <= north && isBetween;
}

const radii: Readonly<Record<string, number>> = {
  country: 300_000,
  region: 60_000,
  city: 10_000,
  town: 5_000,
  village: 2_500,
  suburb: 2_000,
};

/** How far an area reaches from its middle. */
export function radiusOf({ kind, box, population }: Pick<Area, "kind" | "box" | "population">): number {
  if (box) {
    const { latitude, longitude } = middleOf(box);
    return Math.max(500, distanceM(latitude, longitude, box[0], box[1]));
  }
  const byKind = radii[kind] ?? 2_000;
  if (population === null || kind === "country" || kind === "region") return byKind;
  return Math.min(30_000, Math.max(2_000, Math.sqrt(population) * 15));
}

/** Whether a point, or what is known of an area, lies in another. */
export function liesIn(inner: Area, outer: Area): boolean {
  if (outer.kind === "country") return inner.country === outer.country;
  if (outer.contains) return outer.contains(inner.center);
  if (outer.box) return holds(outer.box, inner.center);
  const away = distanceM(outer.center.latitude, outer.center.longitude, inner.center.latitude, inner.center.longitude);
  return away <= radiusOf(outer);
}
