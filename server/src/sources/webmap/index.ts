import { join } from "node:path";
import { address, decimal, httpUrl, secret, setting } from "../../platform/settings.ts";
import { openCatalogMatch } from "../catalog/index.ts";
import { defineSource } from "../definition.ts";
import { description } from "./description.ts";

/** Off unless the operator names the map, who answers for the right to collect from it. */
export const webmap = defineSource({
  ...description,
  settings: {
    baseUrl: setting(
      "WAYPOST_WEBMAP_URL",
      undefined,
      address,
      "The web map that the source webmap asks. Unset: the source is off. You answer for having the right to collect from it.",
    ),
    rate: setting(
      "WAYPOST_WEBMAP_RATE",
      "1",
      decimal(0, 1_000),
      "Requests per second to the web map, from each process; 0 for no limit.",
    ),
    proxy: secret(
      setting(
        "WAYPOST_WEBMAP_PROXY",
        undefined,
        httpUrl,
        "An HTTP proxy of your own for requests to the web map, such as http://user:password@proxy.example:3128.",
      ),
    ),
  },
  async create({ reads, outbound, clock, log, counter, dataFolder }, { baseUrl, rate, proxy }) {
    if (baseUrl === undefined) return undefined;
    const { createWebmap } = await import("./webmap.ts");
    const samplesFolder = join(dataFolder, "webmap-samples");
    const matchCatalog = await openCatalogMatch({ db: reads });
    return createWebmap({ outbound, baseUrl, rate, proxy, samplesFolder, clock, log, counter, matchCatalog });
  },
});
