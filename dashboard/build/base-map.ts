import { readFile } from "node:fs/promises";
import { geoEquirectangular } from "d3-geo";
import { geoProject } from "d3-geo-projection";
import { feature, mesh } from "topojson-client";
import type { GeometryCollection, Topology } from "topojson-specification";
import type { Plugin } from "vite";

const fileName = "base-map.json";

/** Emits the base map: the world's land and borders, from Natural Earth, small enough to come along. */
export function baseMap(): Plugin {
  return {
    name: "waypost-base-map",
    async generateBundle() {
      this.emitFile({ type: "asset", fileName, source: JSON.stringify(await makeBaseMap()) });
    },
    configureServer(server) {
      server.middlewares.use(`/console/${fileName}`, (_request, response) => {
        void makeBaseMap().then((map) => response.end(JSON.stringify(map)));
      });
    },
  };
}

async function makeBaseMap() {
  const path = new URL(import.meta.resolve("world-atlas/countries-50m.json"));
  const world = JSON.parse(await readFile(path, "utf8")) as Topology<{
    land: GeometryCollection;
    countries: GeometryCollection<{ name: string }>;
  }>;
  const { land, countries } = world.objects;
  // Cut at the antimeridian: polygons that cross it would be drawn as bands around the world.
  const plain = geoEquirectangular()
    .scale(180 / Math.PI)
    .translate([0, 0])
    .reflectY(true)
    .precision(0);
  return {
    land: rounded(geoProject(feature(world, land), plain)),
    borders: rounded(
      geoProject(
        mesh(world, countries, (one, other) => one !== other),
        plain,
      ),
    ),
  };
}

/** Two decimals are about a kilometer, which is what this map shows. */
function rounded(shape: unknown): unknown {
  return JSON.parse(JSON.stringify(shape), (_key, value: unknown) =>
    typeof value === "number" ? Math.round(value * 100) / 100 : value,
  );
}
