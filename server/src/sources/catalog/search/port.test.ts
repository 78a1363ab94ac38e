import { distanceM } from "../../../geography/points.ts";
import { asName, type Question } from "../../query/question.ts";
import { placeIndexConformance } from "../../../place-index/conformance.ts";
import type { Clause, PlaceIndex as Port, Search } from "../../../place-index/port.ts";
import { givenBlockIndex } from "./testing.ts";
import type { PlaceIndex } from "./place-index.ts";
import { clipped, type Region, regionsOf } from "./region.ts";

/** Today's engine behind the port, as far as it can answer: words of names or kinds, and no clause that need not be met. */
function asPort(index: PlaceIndex): Pick<Port, "search"> {
  return {
    async search(search, { signal, until }) {
      const { limit } = search;
      const isMisspelled = search.all.some(({ typos }) => typos > 0);
      const leniency = isMisspelled ? "typos" : "exact";
      const looking = index.look({
        question: questionOf(search.all),
        leniency,
        regions: [regionOf(search)],
        limit,
        signal,
        until,
      });
      await looking.searchNext();
      const hits = looking.list().map(({ number, score }) => ({ place: number, score, latitude: 0, longitude: 0 }));
      return { hits, isComplete: looking.isComplete() };
    },
  };
}

function questionOf(all: readonly Clause[]): Question {
  const terms = all.flatMap(({ any }) => any);
  const categories = terms.flatMap(({ type, text }) => (type === "kind" ? [text] : []));
  if (categories.length > 0) return { words: [], restMask: 0, categories, isKind: true, attributes: [] };
  return asName(terms.map(({ text }) => text));
}

function regionOf({ window: { boxes, circle }, order }: Search): Region {
  const [box] = boxes;
  if (!box) throw new Error("A window has a box.");
  const isEarth = order.by === "quality";
  const [region] = regionsOf(
    isEarth ? { kind: "everywhere" } : { kind: "box", box, center: order.center, radiusM: order.scaleM },
  );
  if (!region) throw new Error("There is a first region.");
  const isInside = (latitude: number, longitude: number) =>
    !circle || distanceM(circle.center.latitude, circle.center.longitude, latitude, longitude) <= circle.radiusM;
  return clipped(region, { box: [...box], contains: isInside });
}

placeIndexConformance("the index of blocks", async (t) => {
  const { index, places } = await givenBlockIndex(t, () => true);
  return {
    index: asPort(index),
    places: places.map(({ number, latitude, longitude, rank, nameWords, otherWords, categories }) => ({
      place: number,
      latitude,
      longitude,
      rank,
      nameWords,
      otherWords,
      kinds: categories,
    })),
  };
});
