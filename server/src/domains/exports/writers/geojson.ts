import type { Business } from "../../businesses/index.ts";
import { columns } from "./columns.ts";
import { createAttributionCollector, type FileContext, type Sink, type Writer } from "./writer.ts";

/** A FeatureCollection (RFC 7946): a point, or null, for each business, and the columns as its properties. */
export async function createGeojsonWriter(sink: Sink, { exportId, createdAt }: FileContext): Promise<Writer> {
  const attribution = createAttributionCollector();
  let separator = "\n";
  const head = { type: "FeatureCollection", export_id: exportId, created_at: createdAt };
  await sink.write(Buffer.from(`${JSON.stringify(head).slice(0, -1)},"features":[`));

  return {
    async write(batch) {
      attribution.add(batch);
      await sink.write(Buffer.from(separator + batch.businesses().map(featureText).join(",\n")));
      separator = ",\n";
    },
    async end() {
      await sink.write(Buffer.from(`\n],"attribution":${JSON.stringify(attribution.list())}}\n`));
    },
  };
}

function featureText(business: Business): string {
  const { location } = business.place;
  const properties: Record<string, unknown> = {};
  for (const { name, read } of columns) properties[name] = read(business);
  return JSON.stringify({
    type: "Feature",
    id: business.businessId,
    geometry: location && { type: "Point", coordinates: [location.longitude, location.latitude] },
    properties,
  });
}
