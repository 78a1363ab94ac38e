import assert from "node:assert/strict";
import { test } from "node:test";
import { categoryOfOverture } from "./overture-kinds.ts";

test("Overture's categories are read as ours where there is one", () => {
  const read = ["coffee_shop", "pizza_restaurant", "peruvian_restaurant", "hotel", "dui_law", "shoe_store", "no_such"];

  assert.deepEqual(read.map(categoryOfOverture), [
    "amenity/cafe",
    "amenity/restaurant/pizza",
    "amenity/restaurant",
    "tourism/hotel",
    "office/lawyer",
    "shop/shoes",
    undefined,
  ]);
});
