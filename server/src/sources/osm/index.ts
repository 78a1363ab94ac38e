import { address, headerText, setting } from "../../platform/settings.ts";
import { defineSource } from "../definition.ts";
import { description } from "./description.ts";

export const osm = defineSource({
  ...description,
  settings: {
    nominatimUrl: setting(
      "WAYPOST_NOMINATIM_URL",
      "https://nominatim.openstreetmap.org",
      address,
      "The Nominatim that tells the source osm where a place is.",
    ),
    overpassUrl: setting(
      "WAYPOST_OVERPASS_URL",
      "https://overpass-api.de/api",
      address,
      "The Overpass that tells the source osm what is there.",
    ),
    contact: setting(
      "WAYPOST_CONTACT",
      undefined,
      headerText,
      "How the people behind those services reach you, such as an e-mail address, in ASCII; it is sent to them in the User-Agent.",
    ),
  },
  async create({ outbound, clock, log }, settings) {
    const { createOsm } = await import("./osm.ts");
    return createOsm({ outbound, clock, log, ...settings });
  },
});
