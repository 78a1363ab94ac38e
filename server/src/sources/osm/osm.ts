import type { Clock } from "../../platform/clock.ts";
import type { Log } from "../../platform/log.ts";
import type { Outbound } from "../../platform/net/outbound.ts";
import type { PlaceRecord } from "../../places/record.ts";
import { renderPlace, withUnavailableMedia } from "../../places/render/render.ts";
import { middleOf } from "../../geography/points.ts";
import {
  type Bounds,
  listingsMax,
  type NamedArea,
  pagesMax,
  type SourceDescription,
  SourceFailure,
  type SourcePage,
  type SourcePort,
  type SourceQuery,
} from "../source.ts";
import { normalize } from "../../text/normalize.ts";
import { createCache } from "./cache.ts";
import { description } from "./description.ts";
import { createRequestLimiter, realWait, type Wait } from "../request-limiter.ts";
import { createNominatim, type GeocodedPlace } from "./nominatim.ts";
import { createOverpass, type OverpassAnswer, type Until } from "./overpass.ts";
import { type Region, writeLookup, writeQuery } from "./overpass-query.ts";
import { readCoordinates } from "../../query/coordinates.ts";
import { warmWords } from "../../query/words/lexicon.ts";
import { readTyped, type TypedQuestion } from "../../query/typed.ts";
import { rank } from "./rank.ts";
import { boxOfFound, regionOfFound, regionOfView } from "./region.ts";

export type OsmOptions = {
  outbound: Outbound;
  /** Such as `https://nominatim.openstreetmap.org`. */
  nominatimUrl: string;
  /** Such as `https://overpass-api.de/api`. */
  overpassUrl: string;
  /** Where the services' operators reach ours; they ask for it. */
  contact?: string | undefined;
  clock: Clock;
  log: Log;
  wait?: Wait;
};

/** What was found, and how much more there is that could not be read. */
type Findings = { records: readonly PlaceRecord[]; isCapped: boolean; unreadableCount: number };
type Answer = Findings & { observedAt: Date };

const nothing: Findings = { records: [], isCapped: false, unreadableCount: 0 };

/** What each service asks of its users. */
const politeness = {
  nominatim: { intervalMs: 1000, atOnceMax: 1, waitingMax: 10 },
  overpass: { intervalMs: 0, atOnceMax: 2, waitingMax: 10 },
};

const answersMax = 500;
const answersAgeMs = 15 * 60_000;
/** The services' own deadlines and the time spent waiting for a turn, together. */
const answerMs = 60_000;
/** Kept back of a search's deadline, so that what its time was spent on is known before it passes. */
const marginMs = 500;
const namesMax = 40;

/**
 * OpenStreetMap as it is now: Nominatim says where, Overpass says what. One question of Overpass
 * fetches all that ten pages can show, and is kept for them.
 */
export function createOsm({
  outbound,
  nominatimUrl,
  overpassUrl,
  contact,
  clock,
  log,
  wait = realWait,
}: OsmOptions): SourcePort & SourceDescription {
  const headers = { "user-agent": userAgent(contact), accept: "application/json" };
  const nominatim = createNominatim({
    outbound,
    baseUrl: withoutSlash(nominatimUrl),
    headers,
    limiter: createRequestLimiter({ ...politeness.nominatim, service: "Nominatim", clock, wait }),
    clock,
  });
  const overpass = createOverpass({
    outbound,
    baseUrl: withoutSlash(overpassUrl).replace(/\/interpreter$/, ""),
    headers,
    limiter: createRequestLimiter({ ...politeness.overpass, service: "Overpass", clock, wait }),
    clock,
  });
  const answers = createCache<Answer>({ clock, entriesMax: answersMax, ageMs: answersAgeMs });
  const underWay = new Map<string, Promise<Answer>>();

  async function search(
    asked: SourceQuery,
    signal: AbortSignal,
    deadlineMs = description.deadlinesMs.search,
  ): Promise<SourcePage> {
    await warmWords();
    signal.throwIfAborted();
    const query = atCoordinates(asked);
    const endsAt = clock.now().getTime() + deadlineMs - marginMs;
    const { records: all, observedAt, isCapped, unreadableCount } = await answerFor(query, { signal, endsAt });
    const { within: bounds } = query;
    const records = bounds ? all.filter(({ latitude, longitude }) => bounds.contains(latitude, longitude)) : all;
    const first = (query.page - 1) * listingsMax;
    const listings = records
      .slice(first, first + listingsMax)
      .map((record) => renderPlace(record, { hl: query.hl, observedAt }))
      .map((listing) => (query.extra ? withUnavailableMedia(listing) : listing));
    const matching = isCapped ? pagesMax * listingsMax + 1 : records.length;
    const verdict = unreadableCount > 0 ? "trimmed" : listings.length > 0 ? "ok" : "empty";
    return { listings, verdict, ...(bounds ? { matching, unreadableCount } : {}) };
  }

  /** Equal queries at the same time share one call; a caller may leave without ending it. */
  async function answerFor(query: SourceQuery, { signal, endsAt }: Until): Promise<Answer> {
    const key = JSON.stringify([
      normalize(query.q),
      query.q.includes(","),
      query.hl,
      query.ll ?? null,
      query.gl ?? null,
      query.within?.box ?? null,
    ]);
    const known = answers.get(key);
    if (known) return known;

    let asking = underWay.get(key);
    if (!asking) {
      asking = ask(query, { signal: AbortSignal.timeout(answerMs), endsAt }).finally(() => underWay.delete(key));
      asking.then((answer) => answers.set(key, answer)).catch(() => {}); // each waiter gets the failure
      underWay.set(key, asking);
    }
    return leaving(asking, signal);
  }

  async function ask(query: SourceQuery, until: Until): Promise<Answer> {
    const startedAt = clock.now();
    try {
      const found = query.within ? await findInside(query, query.within, until) : await find(query, until);
      const { records, unreadableCount } = found;
      log.info(
        { source: "osm", records: records.length, unreadableCount, ms: clock.now().getTime() - startedAt.getTime() },
        "source.answered",
      );
      return { ...found, observedAt: clock.now() };
    } catch (error) {
      const failure = asFailure(error, until.signal);
      const { action, code, message, retryAfterSeconds } = failure;
      log.warn({ source: "osm", action, code, retryAfterSeconds, reason: message }, "source.failed");
      throw failure;
    }
  }

  async function find(query: SourceQuery, until: Until): Promise<Findings> {
    const question = readTyped(query.q, query.hl);
    const { hl, gl } = query;
    if (question.where !== null) {
      const [place] = areasFirst(await nominatim.find(question.where, { hl, gl, limit: 5 }, until.signal));
      return place ? within(regionOfFound(place), question, question.rest, place, until) : nothing;
    }
    const view = viewOf(query);
    if (view) {
      const found = await within(view, question, question.rest, view, until);
      return hasAnswer(found) ? found : beside(question, query, until);
    }
    if (!isKindAlone(question)) {
      const found = await beside(question, query, until);
      return hasAnswer(found) ? found : called(question, query, until);
    }
    if (gl === undefined) {
      const sentence = "The question names a kind of place and no place to look in.";
      throw new SourceFailure("give_up", "source_failed", sentence, { fault: "question" });
    }
    const country = await nominatim.findCountry(gl, hl, until.signal);
    return country ? within(regionOfFound(country), question, "", country, until) : nothing;
  }

  async function findInside({ q, hl }: SourceQuery, { box }: Bounds, until: Until): Promise<Findings> {
    const question = readTyped(q, hl);
    const words = question.rest.split(/\s+/).filter((word) => word !== "");
    const answer = await overpass.ask(writeQuery(question.categories, words, { kind: "box", box }), until);
    return ranked(answer, question, middleOf(box));
  }

  async function findArea(
    name: string,
    { hl, gl }: { hl: string; gl?: string },
    signal: AbortSignal,
  ): Promise<NamedArea | undefined> {
    const found = await nominatim.find(name, { hl, gl, limit: 5 }, signal);
    const area = found.find(({ isArea, box: [, west, , east] }) => isArea && west < east);
    return area && { kind: "box", box: boxOfFound(area) };
  }

  /** A kind with a town beside it, and nothing between them: "Hotel Vaduz". */
  async function beside(question: TypedQuestion, { hl, gl }: SourceQuery, until: Until): Promise<Findings> {
    if (question.categories.length === 0 || question.rest === "") return nothing;
    const found = await nominatim.find(question.rest, { hl, gl, limit: 5 }, until.signal);
    const town = found.find(({ isArea }) => isArea);
    return town ? within(regionOfFound(town), question, "", town, until) : nothing;
  }

  async function within(
    region: Region,
    question: TypedQuestion,
    names: string,
    center: GeocodedPlace | Extract<Region, { kind: "around" }>,
    until: Until,
  ): Promise<Findings> {
    const words = names.split(/\s+/).filter((word) => word !== "");
    let answer = await overpass.ask(writeQuery(question.categories, words, region), until);
    if (region.kind === "area" && !answer.hasArea && "box" in center) {
      // Overpass does not know this boundary as an area, so its empty answer says nothing.
      answer = await overpass.ask(
        writeQuery(question.categories, words, { kind: "box", box: boxOfFound(center) }),
        until,
      );
    }
    return ranked(answer, question, center);
  }

  /** Something is looked for by its name alone: Nominatim finds it, Overpass tells of it. */
  async function called(question: TypedQuestion, { hl, gl }: SourceQuery, until: Until): Promise<Findings> {
    if (normalize(question.what).length === 0) return nothing;
    const found = (await nominatim.find(question.what, { hl, gl, limit: namesMax }, until.signal)).filter(
      ({ id }) => id !== null,
    );
    if (found.length === 0) return nothing;
    return ranked(await overpass.ask(writeLookup(found), until), question, null);
  }

  return { ...description, search, lacksPlace, findArea, warm: () => warmWords() };
}

/** With coordinates as the middle of what a map shows; Nominatim would take half of them for a place. */
function atCoordinates(query: SourceQuery): SourceQuery {
  const read = readCoordinates(query.q);
  return read && read.rest !== "" ? { ...query, q: read.rest, ll: read.ll } : query;
}

function lacksPlace(asked: SourceQuery): boolean {
  const query = atCoordinates(asked);
  if (query.within || query.gl !== undefined || viewOf(query)) return false;
  const question = readTyped(query.q, query.hl);
  return question.where === null && isKindAlone(question);
}

/** What the view of the query shows, where it has one. */
function viewOf({ ll }: SourceQuery) {
  return ll === undefined ? undefined : regionOfView(ll);
}

/** A kind of place, and not a word more that could be a name or a town. */
function isKindAlone({ categories, rest }: TypedQuestion): boolean {
  return categories.length > 0 && rest === "";
}

/** What could not be read may be what was asked for, so nothing else is looked up in its stead. */
function hasAnswer({ records, unreadableCount }: Findings): boolean {
  return records.length > 0 || unreadableCount > 0;
}

async function ranked(
  { elements, isCapped, unreadableCount }: OverpassAnswer,
  { what, categories }: TypedQuestion,
  center: { latitude: number; longitude: number } | null,
): Promise<Findings> {
  const records = await rank(elements, { words: normalize(what), categories, center });
  return { records, isCapped, unreadableCount };
}

function areasFirst(found: readonly GeocodedPlace[]): GeocodedPlace[] {
  return found.toSorted((left, right) => Number(right.isArea) - Number(left.isArea));
}

async function leaving<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  const done = new AbortController();
  const left = new Promise<never>((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true, signal: done.signal });
  });
  try {
    return await Promise.race([work, left]);
  } finally {
    done.abort();
  }
}

function asFailure(error: unknown, signal: AbortSignal): SourceFailure {
  if (error instanceof SourceFailure) return error;
  if (signal.aborted)
    return new SourceFailure("try_again", "source_timeout", "OpenStreetMap did not answer in time.", { cause: error });
  return new SourceFailure("give_up", "source_failed", "OpenStreetMap's answer could not be used.", { cause: error });
}

function userAgent(contact: string | undefined): string {
  const reach = (contact ?? "").replaceAll(/[^\x20-\x7e]/g, "").trim();
  return reach === "" ? "Waypost/0.1" : `Waypost/0.1 (${reach})`;
}

function withoutSlash(url: string): string {
  return url.replace(/\/+$/, "");
}
