import { nearestOfPlusCode } from "../geography/plus-code.ts";
import { costs, readingsMax, readingsWithin } from "./costs.ts";
import { words as meanings } from "./words/lexicon.ts";
import { liesIn, radiusOf } from "./names.ts";
import type { Cover } from "./solve.ts";
import type { OpenAt } from "./words/times.ts";
import { type Area, type Interpretation, type Span, type Target, targetOf, type Want, type Where } from "./spans.ts";
import type { Token } from "./tokens.ts";

const nothing: Want = { kinds: [], isLoose: false, words: [], brand: null, contact: null };

/** What covers say, each once, the cheapest first. */
export function interpretationsOf(
  covers: readonly Cover[],
  tokens: readonly Token[],
  languages: readonly string[],
): Interpretation[] {
  const byKey = new Map<string, Interpretation>();
  for (const cover of covers) {
    for (const read of interpret(cover, tokens, languages)) {
      const key = JSON.stringify([read.want, read.where, read.attributes, read.open]);
      const known = byKey.get(key);
      if (!known || known.cost > read.cost) byKey.set(key, read);
    }
  }
  const sorted = [...byKey.values()].toSorted((one, other) => one.cost - other.cost);
  const most = (sorted[0]?.cost ?? 0) + readingsWithin;
  return sorted.filter(({ cost }) => cost <= most).slice(0, readingsMax);
}

/** A cover may be read in two ways where a link may belong to what stands before it or behind it. */
function interpret(cover: Cover, tokens: readonly Token[], languages: readonly string[]): Interpretation[] {
  const sides = new Set(cover.spans.flatMap((span) => (span.type === "link" && isNearness(span) ? span.sides : [])));
  const ways = sides.size === 0 ? ["behind" as const] : [...sides];
  return ways.flatMap((side) => new Reader(cover, tokens, { isBehind: side === "before", languages }).read() ?? []);
}

function isNearness(span: Span): boolean {
  return span.type === "link" && (span.role === "near" || span.role === "close");
}

type AreaSpan = Span & { type: "area" };

/** Whether what something is near of stands before the link, and the languages of whoever asks. */
type Way = { isBehind: boolean; languages: readonly string[] };

/** Reads the spans of a cover from left to right. */
class Reader {
  readonly #spans: readonly Span[];
  readonly #tokens: readonly Token[];
  /** Whether what something is near of stands before the link. */
  readonly #isBehind: boolean;
  readonly #languages: readonly string[];
  readonly #taken = new Set<Span>();
  readonly #areas: AreaSpan[] = [];
  readonly #where: Where[] = [];
  readonly #attributes: string[] = [];
  #open: OpenAt | null = null;
  #shortCode: string | null = null;
  #want: Want = nothing;
  #meters: number | undefined;
  #cost: number;

  constructor({ spans, cost }: Cover, tokens: readonly Token[], { isBehind, languages }: Way) {
    this.#languages = languages;
    this.#spans = spans;
    this.#tokens = tokens;
    this.#isBehind = isBehind;
    this.#cost = cost;
  }

  read(): Interpretation | undefined {
    for (const span of this.#spans) if (span.type === "distance") this.#meters = span.meters;
    this.#spans.forEach((span, at) => {
      if (isNearness(span) || this.#isOfDistance(at)) this.#readNearness(at);
    });
    this.#spans.forEach((span, at) => {
      if (!this.#taken.has(span)) this.#readSpan(span, at);
    });
    const area = this.#innermost();
    if (area === null || (this.#shortCode !== null && !area)) return undefined;
    if (area) this.#where.push(this.#shortCode === null ? { in: area } : nearCode(this.#shortCode, area));
    if (!this.#isComplete()) return undefined;
    const { ...want } = this.#want;
    const open = this.#open;
    // "Open on Sunday" is not open now.
    const attributes = open ? this.#attributes.filter((id) => id !== "@open_now") : this.#attributes;
    return { want, where: this.#where, attributes, open, cost: round(this.#cost), spans: this.#spans };
  }

  #isComplete(): boolean {
    const { kinds, words, brand, contact } = this.#want;
    if (kinds.length === 0 && words.length === 0 && brand === null && this.#where.some(isUnknown)) return false;
    const isWanted = kinds.length > 0 || words.length > 0 || brand !== null || contact !== null;
    if (isWanted || this.#attributes.length > 0 || this.#open) return true;
    // "Near a pharmacy" and nothing else wants that.
    return this.#where.length > 0 && !this.#where.some(isVague);
  }

  #readSpan(span: Span, at: number): void {
    if (span.type === "kind") this.#readKind(span, at);
    else if (span.type === "word" && this.#isWhere(at)) this.#where.push({ unknown: span.words });
    else if (span.type === "word" || span.type === "name") {
      this.#want = { ...this.#want, words: [...this.#want.words, ...span.words] };
    } else if (span.type === "brand") this.#want = { ...this.#want, brand: span.text };
    else if (span.type === "contact") this.#want = { ...this.#want, contact: { key: span.key, text: span.text } };
    else if (span.type === "attribute") this.#attributes.push(span.id);
    else if (span.type === "open") this.#readOpen(span.at);
    else if (span.type === "here") this.#where.push("here");
    else if (span.type === "point") this.#near({ is: "point", center: span.center });
    else if (span.type === "shortCode") this.#shortCode = span.text;
    else if (span.type === "postcode") this.#where.push({ at: span.text, countries: span.countries });
    else if (span.type === "street") this.#readStreet(span, at);
    else if (span.type === "house") this.#readHouse(span, at);
    else if (span.type === "landmark") this.#near(targetsOf([span], false)[0]);
    else if (span.type === "area") this.#readArea(span, at);
  }

  /** "In Xyzzyville" is a where that nobody knows, as are the words that follow. */
  #isWhere(at: number): boolean {
    const before = this.#before(at);
    if (before?.type === "link" && before.role !== "of") return true;
    if (before && this.#tokens[this.#spans[at]?.from ?? 0]?.glue === "comma") return true;
    const last = this.#where.at(-1);
    return before?.type === "word" && last !== undefined && last !== "here" && "unknown" in last;
  }

  #readKind({ kinds, isLoose }: Span & { type: "kind" }, at: number): void {
    const { kinds: known } = this.#want;
    const isOr = known.length > 0 && this.#spans[at - 1]?.type === "or";
    if (known.length > 0 && !isOr) this.#cost += costs.kind.second;
    const before = isOr ? known.slice(0, -1) : known;
    const either = isOr ? [...new Set([...(known.at(-1) ?? []), ...kinds])] : kinds;
    this.#want = { ...this.#want, kinds: [...before, either], isLoose: this.#want.isLoose || isLoose };
  }

  #readOpen({ days, hours }: OpenAt): void {
    const { days: otherDays, hours: otherHours } = this.#open ?? { days: [], hours: [] };
    this.#open = { days: [...otherDays, ...days], hours: [...otherHours, ...hours] };
  }

  #readArea(span: Span & { type: "area" }, at: number): void {
    this.#areas.push(span);
    const before = this.#before(at);
    const isAfterComma = this.#tokens[this.#spans[at]?.from ?? 0]?.glue === "comma";
    if ((before?.type === "link" && before.role !== "of") || isAfterComma) this.#cost += costs.area.linked;
    else if (before && before.type !== "area" && this.#behind(at)) this.#cost += costs.area.unlinked;
  }

  #readStreet({ text }: Span & { type: "street" }, at: number): void {
    const house = [this.#spans[at + 1], this.#spans[at - 1]].find((span) => span?.type === "house");
    if (house) this.#taken.add(house);
    this.#where.push({ on: text, house: house?.type === "house" ? house.text : null });
  }

  /** A number without a street is a word. */
  #readHouse(span: Span & { type: "house" }, at: number): void {
    const next = this.#spans[at + 1];
    if (next?.type === "street") return;
    this.#cost += costs.houseAlone;
    this.#want = { ...this.#want, words: [...this.#want.words, span.text] };
  }

  /** "Near the bus station", "Kotor bus station", 駅の近く: what stands behind the link, or before it. */
  #readNearness(at: number): void {
    const group = this.#isBehind ? this.#groupBefore(at) : this.#groupAfter(at);
    const area = group.find((span) => span.type === "area");
    const others = group.filter((span) => isTarget(span));
    if (others.length === 0) {
      // "At 8" is when and not where.
      const beside = this.#isBehind ? this.#before(at) : this.#behind(at);
      if (beside?.type === "open") return;
      if (!area) this.#cost += costs.loose;
      else if (this.#meters !== undefined) {
        // "Within 2 km of Vaduz" goes beyond it.
        this.#taken.add(area);
        this.#near({ is: "point", center: area.area.center });
      }
      return;
    }
    for (const span of others) this.#taken.add(span);
    const isForeign = (span: Span) =>
      span.type === "kind" && !span.languages.some((each) => this.#languages.includes(each));
    if (others.some(isForeign)) this.#cost += costs.kind.foreignTarget;
    const [first] = others;
    const isThing = others.some(({ type }) => type === "kind") || (first !== undefined && this.#isBehindArticle(first));
    this.#near(targetsOf(others, isThing)[0]);
  }

  /** "2 km from", "within 500 m of". */
  #isOfDistance(at: number): boolean {
    return this.#spans[at]?.type === "link" && this.#spans[at - 1]?.type === "distance";
  }

  #isBehindArticle(span: Span): boolean {
    const before = this.#tokens[span.from - 1]?.norm ?? "";
    return (
      meanings()
        .byPhrase.get(before)
        ?.some(({ type }) => type === "article") === true
    );
  }

  #near(target: Target | undefined): void {
    if (target) this.#where.push(this.#meters === undefined ? { near: target } : { within: this.#meters, of: target });
  }

  #groupAfter(at: number): Span[] {
    const group: Span[] = [];
    for (const span of this.#spans.slice(at + 1)) {
      if (isEnd(span) || (group.length > 0 && this.#tokens[span.from]?.glue === "comma")) break;
      group.push(span);
    }
    return group;
  }

  #groupBefore(at: number): Span[] {
    const group: Span[] = [];
    for (const span of this.#spans.slice(0, at).toReversed()) {
      if (isEnd(span)) break;
      group.unshift(span);
      if (this.#tokens[span.from]?.glue === "comma") break;
    }
    return group;
  }

  /** What stands before a span, but for articles and such. */
  #before(at: number): Span | undefined {
    return this.#spans.slice(0, at).findLast((span) => !isFiller(span));
  }

  #behind(at: number): Span | undefined {
    return this.#spans.slice(at + 1).find((span) => !isFiller(span));
  }

  /** Of areas that lie in each other the innermost: "Portland, Oregon, USA"; null where they do not. */
  #innermost(): Area | undefined | null {
    let [chosen, ...others] = this.#areas;
    if (chosen?.isCode === true) return null;
    for (const span of others) {
      if (!chosen) return null;
      this.#cost += costs.area.nested;
      const [inner, outer]: [AreaSpan, AreaSpan] =
        radiusOf(span.area) < radiusOf(chosen.area) ? [span, chosen] : [chosen, span];
      if (!liesIn(inner.area, outer.area)) return null;
      if (inner.rank > 0) this.#cost -= costs.area.namesake;
      chosen = inner;
    }
    return chosen?.area;
  }
}

function isUnknown(where: Where): boolean {
  return where !== "here" && "unknown" in where;
}

function isVague(where: Where): boolean {
  const target = where === "here" ? undefined : targetOf(where);
  return target !== undefined && target.is !== "point";
}

function isTarget({ type }: Span): boolean {
  return type === "kind" || type === "word" || type === "name" || type === "brand" || type === "landmark";
}

function isFiller({ type, ...span }: Span): boolean {
  if (type === "link") return (span as Extract<Span, { type: "link" }>).role === "of";
  return type === "filler" || type === "article" || type === "town";
}

function isEnd(span: Span): boolean {
  if (span.type === "link") return span.role !== "of";
  return ["here", "attribute", "open", "contact", "distance"].includes(span.type);
}

/** What a place is to be near of: an object, the nearest of a kind, or a place that is called so. */
function targetsOf(spans: readonly Span[], isThing: boolean): Target[] {
  const [object] = spans.filter((span) => span.type === "landmark").flatMap(({ areas }) => areas);
  if (object) return [{ is: "point", center: object.center }];
  const names = spans.filter((span) => span.type === "name");
  const [spot] = names.flatMap(({ at }) => at);
  if (spot && names.length === spans.length)
    return [{ is: "name", words: names.flatMap((name) => name.words), isThing }];
  const kinds = spans.flatMap((span) => (span.type === "kind" ? span.kinds : []));
  const called = spans.flatMap((span) =>
    span.type === "word" || span.type === "name" ? span.words : span.type === "brand" ? span.text.split(" ") : [],
  );
  return [kinds.length > 0 ? { is: "kind", kinds, words: called } : { is: "name", words: called, isThing }];
}

/** Where a short code is meant beside a town. */
function nearCode(code: string, { center }: Area): Where {
  const point = nearestOfPlusCode(code, center) ?? center;
  return { near: { is: "point", center: point } };
}

function round(cost: number): number {
  return Math.round(cost * 100) / 100;
}
