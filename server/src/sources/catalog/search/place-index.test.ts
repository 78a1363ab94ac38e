import { givenBlockIndex } from "./testing.ts";
import { placeIndexConformance } from "./place-index-conformance.ts";

let hadRoom = false;
placeIndexConformance("the index of blocks", (t) => givenBlockIndex(t, () => true));
placeIndexConformance("the index of blocks with its dictionary", (t) => givenBlockIndex(t, () => false));
placeIndexConformance("the index of blocks with its dictionary now and then", (t) =>
  givenBlockIndex(t, () => (hadRoom = !hadRoom)),
);
