import type { TestContext } from "node:test";
import { cellOf } from "../../../geography/cells.ts";
import type { Found } from "../../../place-index/port.ts";
import { placesPerCell } from "../../../place-index/schema.ts";
import { givenFile, givenRow } from "../../../place-index/testing.ts";
import { placeIndexConformance } from "./place-index-conformance.ts";
import { createFileIndex } from "./file-index.ts";
import { givenBlockIndex } from "./testing.ts";

async function given(t: TestContext) {
  const { places } = await givenBlockIndex(t, () => true);
  const used = new Map<number, number>();
  const numbered = places
    .map((place) => {
      const cell = cellOf(place);
      const sequence = used.get(cell) ?? 0;
      used.set(cell, sequence + 1);
      return { ...place, number: cell * placesPerCell + sequence };
    })
    .sort((one, other) => one.number - other.number);
  const numbers = new Map(numbered.map(({ number }, at) => [number, at]));
  const { ask } = givenFile(
    t,
    numbered.map(({ number, nameWords, otherWords, ...rest }) =>
      givenRow(number, { ...rest, nameWords: nameWords.join(" "), otherWords: otherWords.join(" ") }),
    ),
  );
  const { look } = createFileIndex(
    async (search, { signal }) => {
      signal.throwIfAborted();
      const found = ask({ ask: "search", search }) as Found;
      return { ...found, hits: found.hits.map((hit) => ({ ...hit, place: numbers.get(hit.place) ?? -1 })) };
    },
    ({ country }) => (country === 0 ? null : country.toString(36).toUpperCase()),
  );
  return {
    index: {
      generation: 1,
      look,
      hasPlacesAt: ({ latitude }: { latitude: number }) => latitude > 0,
      rangesAt: () => [],
      prefetch: async () => undefined,
    },
    places: numbered.map((each, number) => ({ ...each, number })),
  };
}

placeIndexConformance("the index of a file", given);
