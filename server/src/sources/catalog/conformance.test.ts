import { sourceConformance } from "../conformance.ts";
import { givenCatalog, place, town } from "./testing.ts";

sourceConformance("catalog", async (t) => {
  const { catalog, load, db } = await givenCatalog(t);
  await load([
    town("Vaduz", 47.141, 9.521),
    ...Array.from({ length: 47 }, (_, index) =>
      place({ sourceId: `osm:n${index}`, name: `Cafe ${index}`, categories: ["amenity/cafe"] }),
    ),
  ]);
  return {
    source: catalog,
    found: "cafe in Vaduz",
    nothing: "qqxxzzvv",
    outage: { begin: () => void db.end(), q: "cafe" },
  };
});
