import type { Clock } from "../../platform/clock.ts";
import { storableText } from "../../platform/text.ts";
import type { Outbound, OutboundResponse } from "../../platform/net/outbound.ts";
import type { OsmElement } from "../../places/osm-tags/index.ts";
import { restWithin, retryAfterIn } from "../retry-after.ts";
import { SourceFailure } from "../source.ts";
import { changedLayout, checkRemark, failureOfRequest, isObject, type JsonValue, readAnswer } from "./answers.ts";
import type { RequestLimiter } from "../request-limiter.ts";
import { placesMax, withLimits } from "./overpass-query.ts";

export type OverpassAnswer = {
  elements: OsmElement[];
  hasArea: boolean;
  /** Overpass gives no more than it is asked for, so an answer of that length may be a part. */
  isCapped: boolean;
  /** How many elements there are besides that could not be read. */
  unreadableCount: number;
};

type OverpassOptions = {
  outbound: Outbound;
  baseUrl: string;
  headers: Record<string, string>;
  limiter: RequestLimiter;
  clock: Clock;
};

/** By when an answer is needed, on the clock; `signal` ends it for other reasons. */
export type Until = { signal: AbortSignal; endsAt: number };

const deadlineMs = 15_000;
const querySecondsMax = 12;
/** What an answer takes besides the query itself, such as its way here. */
const transferMs = 2_000;
/** With less time than this Overpass is not asked at all. */
const leastMs = 3_000;
const statusDeadlineMs = 2000;
/** Two hundred places have 100 to 400 KB. Whatever comes is read between other requests, so it must not take long. */
const bytesMax = 4 * 1024 * 1024;
/** One is asked for. */
const areasMax = 10;
const statusBytesMax = 64 * 1024;

/** Asks what there is. */
export function createOverpass({ outbound, baseUrl, headers, limiter, clock }: OverpassOptions) {
  const protocols = ["https:", "http:"] as const;

  /** Within the time that is left, so that a query which needs more is told apart from an Overpass that hangs. */
  async function ask(query: string, { signal, endsAt }: Until): Promise<OverpassAnswer> {
    const leftMs = () => endsAt - clock.now().getTime();
    if (leftMs() < leastMs) throw noTimeLeft();
    async function askOnce() {
      const response = await send(query, signal, leftMs());
      try {
        return readElements(readAnswer("Overpass", response, clock.now()));
      } catch (error) {
        const isSilent = response.status === 429 && retryAfterIn(response.headers, clock.now()) === undefined;
        throw isSilent && error instanceof SourceFailure ? await withStatedWait(error, signal) : error;
      }
    }

    return limiter.run(signal, askOnce, leftMs() - leastMs);
  }

  async function send(query: string, signal: AbortSignal, leftMs: number): Promise<OutboundResponse> {
    const seconds = Math.max(1, Math.min(querySecondsMax, Math.floor((leftMs - transferMs) / 1000)));
    const request = {
      url: `${baseUrl}/interpreter`,
      method: "POST",
      headers: { ...headers, "content-type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams({ data: withLimits(query, seconds) }).toString(),
      deadlineMs: Math.max(1, Math.min(deadlineMs, leftMs)),
    };
    return outbound
      .request({ ...request, bytesMax, signal, protocols, localNames: true, keepAlive: true })
      .catch((error: unknown) => {
        throw failureOfRequest("Overpass", error);
      });
  }

  /** Overpass tells on another page when its next slot is free; where it does not, the usual wait stays. */
  async function withStatedWait(failure: SourceFailure, signal: AbortSignal): Promise<SourceFailure> {
    const url = `${baseUrl}/status`;
    const response = await outbound
      .request({
        url,
        headers,
        deadlineMs: statusDeadlineMs,
        bytesMax: statusBytesMax,
        signal,
        protocols,
        localNames: true,
      })
      .catch(() => undefined);
    const seconds = response?.status === 200 ? readStatus(response.body.toString("utf8")) : undefined;
    if (seconds === undefined) return failure;
    return new SourceFailure(failure.action, failure.code, failure.message, {
      retryAfterSeconds: restWithin(seconds),
      cause: failure,
    });
  }

  return { ask };
}

/** Seconds until a slot is free, from a page with lines like `Slot available after: …, in 13 seconds.` */
function readStatus(text: string): number | undefined {
  if (/\b[1-9]\d* slots? available now/i.test(text)) return 1;
  const stated = [...text.matchAll(/\bin (-?\d{1,6}(?:\.\d+)?) seconds?\b/gi)].map(([, seconds]) => Number(seconds));
  const waits = stated.length > 0 ? stated : waitsUntil(text);
  return waits.length === 0 ? undefined : Math.max(1, Math.min(...waits));
}

/** The same from the times alone, by the page's own clock. */
function waitsUntil(text: string): number[] {
  const timesOf = (label: RegExp) => [...text.matchAll(label)].map(([, time = ""]) => Date.parse(time));
  const [now = Number.NaN] = timesOf(/^current time: *(\d{4}-[\d:TZ-]{5,20})/gim);
  const waits = timesOf(/available after: *(\d{4}-[\d:TZ-]{5,20})/gi).map((time) => (time - now) / 1000);
  return waits.filter((seconds) => Number.isFinite(seconds));
}

/** Only an answer with the time of its data and without a remark was read to its end. */
function readElements(answer: JsonValue): OverpassAnswer {
  if (!isObject(answer)) throw changedLayout("Overpass");
  checkRemark(answer["remark"]);
  const { elements: told, osm3s } = answer;
  const base = isObject(osm3s) ? osm3s["timestamp_osm_base"] : undefined;
  if (!Array.isArray(told) || typeof base !== "string" || base === "") throw changedLayout("Overpass");
  // The area comes first, then as many places as were asked for; an answer with more is not read further.
  const first = told.slice(0, placesMax + areasMax);
  const found = first
    .filter((value) => !isArea(value))
    .slice(0, placesMax)
    .map(readElement);
  const elements = found.filter((element) => typeof element === "object");
  // Elements of which none can be listed are no proof that there is nothing.
  if (found.length > 0 && elements.length === 0) {
    throw found.includes("unreadable") ? changedLayout("Overpass") : nothingToList();
  }
  return {
    elements,
    hasArea: first.some(isArea),
    isCapped: found.length >= placesMax,
    unreadableCount: found.filter((element) => element === "unreadable").length,
  };
}

/**
 * An element with tags and a point. One that has none is `bare`: Overpass knows no point of a relation
 * that is made of other relations.
 */
function readElement(value: JsonValue): OsmElement | "bare" | "unreadable" {
  if (!isObject(value)) return "unreadable";
  const { type, id, center, tags } = value;
  if (type !== "node" && type !== "way" && type !== "relation") return "unreadable";
  // Numbers below zero are for elements that are on nobody's map yet.
  if (!Number.isSafeInteger(id) || typeof id !== "number" || id < 1) return "unreadable";
  const { lat, lon } = isObject(center) ? center : value;
  const isNowhere = [center, lat, lon].every((part) => part === undefined || part === null);
  if (tags === undefined || (type === "relation" && isNowhere)) return "bare";
  if (typeof lat !== "number" || typeof lon !== "number") return "unreadable";
  if (Math.abs(lat) > 90 || Math.abs(lon) > 180 || !isObject(tags)) return "unreadable";
  // Its name is what was asked for: a place does not lose it.
  if (tags["name"] !== undefined && textOf(tags["name"]) === undefined) return "unreadable";
  const texts: [string, string][] = [];
  for (const [key, written] of Object.entries(tags)) {
    const text = key.length > tagLengthMax ? undefined : textOf(written);
    if (text !== undefined) texts.push([storableText(key), storableText(text)]);
    if (texts.length === tagsMax) break;
  }
  return { type, id, tags: Object.fromEntries(texts), latitude: lat, longitude: lon };
}

/** OpenStreetMap's own limit is 255 characters, and the places with most tags have names in some 300 languages. */
const tagLengthMax = 1_000;
const tagsMax = 1_000;

/** Tags are texts; some servers write those of digits as numbers. A longer one is none of OpenStreetMap's. */
function textOf(value: JsonValue | undefined): string | undefined {
  const text = typeof value === "number" && Number.isSafeInteger(value) ? String(value) : value;
  return typeof text === "string" && text.length <= tagLengthMax ? text : undefined;
}

/** All that was found has no point or no tags, which says nothing about other questions. */
function nothingToList(): SourceFailure {
  return new SourceFailure("give_up", "source_failed", "Overpass found nothing that can be listed.", {
    fault: "question",
  });
}

/** Whatever the time went to was answered: a service that hangs is told by its own deadline. */
function noTimeLeft(): SourceFailure {
  return new SourceFailure("try_again", "source_timeout", "No time is left to ask Overpass.", { fault: "load" });
}

/** The area that was asked about comes with the answer. */
function isArea(value: JsonValue): boolean {
  return isObject(value) && value["type"] === "area";
}
