import type { TestContext } from "node:test";
import { placeIndexConformance, type IndexedPlace } from "./conformance.ts";
import { cellOf } from "../geography/cells.ts";
import type { Found, PlaceIndex } from "./port.ts";
import { placesPerCell } from "./schema.ts";
import { givenFile, givenRow } from "./testing.ts";

const words = ["adler", "krone", "linde", "rossli", "hirschen", "sternen", "quellenhof", "brunnen", "adlerhorst"];
const kinds = ["amenity/restaurant", "amenity/cafe", "tourism/hotel", "shop/bakery"];

/** Places over a country, and a crowd on one spot. */
function indexedPlaces(): IndexedPlace[] {
  const used = new Map<number, number>();
  return Array.from({ length: 3_000 }, (_, index): IndexedPlace => {
    const at = (step: number) => words[(index * step + (index >> 3)) % words.length] ?? "";
    const isCrowd = index % 3 === 0;
    const latitude = isCrowd ? 46.55 : 46 + (index % 20) / 10;
    const longitude = isCrowd ? 8.52 : 8 + (index % 37) / 5;
    const cell = cellOf({ latitude, longitude });
    const sequence = used.get(cell) ?? 0;
    used.set(cell, sequence + 1);
    const own = [at(1), index % 3 === 1 ? at(5) : "", index % 5 === 0 ? String(index) : ""];
    return {
      place: cell * placesPerCell + sequence,
      latitude,
      longitude,
      rank: 1 + ((index * 31) % 200),
      nameWords: [...new Set(own.filter((word) => word !== ""))],
      otherWords: index % 7 === 0 ? [at(3)] : [],
      kinds: [kinds[(index * 7) % kinds.length] ?? ""],
    };
  });
}

async function given(t: TestContext): Promise<{ index: Pick<PlaceIndex, "search">; places: readonly IndexedPlace[] }> {
  const places = indexedPlaces().sort((one, other) => one.place - other.place);
  const { ask } = givenFile(
    t,
    places.map(({ place, latitude, longitude, rank, nameWords, otherWords, kinds: categories }) =>
      givenRow(place, {
        latitude,
        longitude,
        rank,
        nameWords: nameWords.join(" "),
        otherWords: otherWords.join(" "),
        categories,
      }),
    ),
  );
  return {
    index: {
      async search(search, { signal }) {
        signal.throwIfAborted();
        return ask({ ask: "search", search }) as Found;
      },
    },
    places,
  };
}

placeIndexConformance("the file", given);
