import { sourceConformance } from "../conformance.ts";
import { startMap } from "./testing.ts";

sourceConformance("webmap", async (t) => {
  const { source, replay } = await startMap(t);
  return {
    source,
    found: "cafés in Vaduz",
    nothing: "bakeries in Vaduz",
    outage: {
      q: "bakeries in Vaduz",
      begin: () => {
        replay.fault = "unproved_empty";
      },
    },
  };
});
