import type { Place } from "../../places/place.ts";
import { SourceFailure, type SourceQuery } from "../source.ts";
import type { Client } from "./client.ts";
import { WebmapFailure } from "./failures.ts";
import { type Media, readMedia } from "./media.ts";
import { detailRecord, type WebmapRecord } from "./records.ts";
import { detailUrl } from "./request.ts";
import { at } from "./values.ts";

/** A place as a detail answer tells of it. */
export type Detail = { record: WebmapRecord; media: Media };

const atOnceMax = 2;

type DetailsOptions = { client: Client; base: string };

/** Fetches the details of a page's places, as many as the time allows. */
export function createDetails({ client, base }: DetailsOptions) {
  /** Resolves to what came; a place that is not in it was not reached, or its answer was no use. */
  async function fetchAll(
    places: readonly Place[],
    query: SourceQuery,
    budgetMs: number,
    signal: AbortSignal,
  ): Promise<{ details: Map<Place, Detail>; failure: SourceFailure | undefined }> {
    const details = new Map<Place, Detail>();
    if (budgetMs <= 0) return { details, failure: undefined };
    const either = AbortSignal.any([signal, AbortSignal.timeout(Math.ceil(budgetMs))]);
    const waiting = [...places];
    let failure: SourceFailure | undefined;

    async function work(): Promise<void> {
      for (let place = waiting.shift(); place && !either.aborted; place = waiting.shift()) {
        try {
          const detail = await fetchOne(place, query, either);
          if (detail) details.set(place, detail);
        } catch (error) {
          signal.throwIfAborted();
          if (error instanceof SourceFailure) failure = error;
          // A map that is rate limiting gets no further requests.
          if (either.aborted || (error instanceof SourceFailure && error.action === "slow_down")) return;
        }
      }
    }

    await Promise.all(Array.from({ length: atOnceMax }, work));
    signal.throwIfAborted();
    return { details, failure };
  }

  async function fetchOne(place: Place, query: SourceQuery, signal: AbortSignal): Promise<Detail | undefined> {
    const { dataId, name, location } = place;
    if (dataId === null) return undefined;
    return client.ask("detail", detailUrl(base, { dataId, name, location }, query), signal, (root) => {
      const record = detailRecord(root);
      if (!record) throw new WebmapFailure("layout_unknown");
      if (!isSamePlace(dataId, at(record, [10]) ?? at(record, [227, 0, 0]))) throw new WebmapFailure("wrong_place");
      return { verdict: "ok", record, media: readMedia(record, base) };
    });
  }

  return { fetchAll };
}

/** The second half of an id names the place; the first, where it lies, may change. */
function isSamePlace(dataId: string, other: unknown): boolean {
  return typeof other === "string" && other.split(":")[1]?.toLowerCase() === dataId.split(":")[1]?.toLowerCase();
}
