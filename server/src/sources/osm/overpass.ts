import type { Clock } from "../../platform/clock.ts";
import { storableText } from "../../platform/text.ts";
import type { Outbound, OutboundResponse } from "../../platform/net/outbound.ts";
import type { OsmElement } from "../open-data/tags/index.ts";
import { restWithin } from "../retry-after.ts";
import { SourceFailure } from "../source.ts";
import { changedLayout, checkRemark, failureOfRequest, type JsonValue, readAnswer } from "./answers.ts";
import type { Gate } from "../gate.ts";

export type OverpassAnswer = { elements: OsmElement[]; hasArea: boolean };

type OverpassOptions = {
  outbound: Outbound;
  baseUrl: string;
  headers: Record<string, string>;
  gate: Gate;
  clock: Clock;
};

const deadlineMs = 15_000;
const statusDeadlineMs = 2000;
const bytesMax = 16 * 1024 * 1024;
const statusBytesMax = 64 * 1024;

/** Asks what there is. */
export function createOverpass({ outbound, baseUrl, headers, gate, clock }: OverpassOptions) {
  const protocols = ["https:", "http:"] as const;

  async function ask(query: string, signal: AbortSignal): Promise<OverpassAnswer> {
    return gate.through(signal, async () => {
      const response = await send(query, signal);
      try {
        return readElements(readAnswer("Overpass", response, clock.now()));
      } catch (error) {
        const isSilent = response.status === 429 && response.headers["retry-after"] === undefined;
        throw isSilent && error instanceof SourceFailure ? await withStatedWait(error, signal) : error;
      }
    });
  }

  async function send(query: string, signal: AbortSignal): Promise<OutboundResponse> {
    const request = {
      url: `${baseUrl}/interpreter`,
      method: "POST",
      headers: { ...headers, "content-type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams({ data: query }).toString(),
    };
    return outbound
      .request({ ...request, deadlineMs, bytesMax, signal, protocols, localNames: true, keepAlive: true })
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
  const waits = [...text.matchAll(/in (-?\d{1,6}) seconds/g)].map(([, seconds]) => Number(seconds));
  return waits.length === 0 ? undefined : Math.max(1, Math.min(...waits));
}

/** Only an answer with the time of its data and without a remark was read to its end. */
function readElements(answer: JsonValue): OverpassAnswer {
  if (typeof answer !== "object" || answer === null || Array.isArray(answer)) throw changedLayout("Overpass");
  checkRemark(answer["remark"]);
  const { elements, osm3s } = answer;
  const base =
    typeof osm3s === "object" && osm3s !== null && !Array.isArray(osm3s) ? osm3s["timestamp_osm_base"] : undefined;
  if (!Array.isArray(elements) || typeof base !== "string" || base === "") throw changedLayout("Overpass");
  return {
    elements: elements.flatMap((element) => readElement(element) ?? []),
    hasArea: elements.some(
      (element) =>
        typeof element === "object" && element !== null && !Array.isArray(element) && element["type"] === "area",
    ),
  };
}

/** An element with a point; areas and what was cut off have none. */
function readElement(value: JsonValue): OsmElement | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw changedLayout("Overpass");
  const { type, id, center, tags } = value;
  if ((type !== "node" && type !== "way" && type !== "relation") || typeof id !== "number") return undefined;
  const point = typeof center === "object" && center !== null && !Array.isArray(center) ? center : value;
  const { lat, lon } = point;
  if (typeof lat !== "number" || typeof lon !== "number" || Math.abs(lat) > 90 || Math.abs(lon) > 180) return undefined;
  const texts = Object.entries(typeof tags === "object" && tags !== null ? tags : {}).flatMap(([key, text]) =>
    typeof text === "string" ? [[storableText(key), storableText(text)]] : [],
  );
  return { type, id, tags: Object.fromEntries(texts), latitude: lat, longitude: lon };
}
