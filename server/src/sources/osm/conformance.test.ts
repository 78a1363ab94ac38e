import { sourceConformance } from "../conformance.ts";
import { startWorld } from "./testing.ts";

sourceConformance("osm", async (t) => {
  const world = await startWorld(t);
  return {
    source: world.source,
    found: "cafés in Vaduz",
    nothing: "bakeries in Vaduz",
    outage: {
      q: "bakeries in Vaduz",
      begin: () => {
        world.overpass = () => ({ body: "<html><body>Sorry</body></html>" });
      },
    },
  };
});
