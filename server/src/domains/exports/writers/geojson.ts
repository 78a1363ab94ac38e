import type { Business } from "../../businesses/index.ts";
import { type Column, columnsOf, rowOf } from "./columns.ts";
import { createAttributionCollector, type FileContext, type Sink, type Writer } from "./writer.ts";

/** A FeatureCollection (RFC 7946): a point, or null, for each business, and the columns as its properties. */
export async function createGeojsonWriter(sink: Sink, context: FileContext): Promise<Writer> {
  const { exportId, createdAt } = context;
  const columns = columnsOf(context.columns);
  const attribution = createAttributionCollector();
  let separator = "\n";
  const head = { type: "FeatureCollection", export_id: exportId, created_at: createdAt };
  await sink.write(Buffer.from(`${JSON.stringify(head).slice(0, -1)},"features":[`));

  return {
    async write(batch) {
      attribution.add(batch);
      await sink.write(
        Buffer.from(
          separator +
            batch
              .businesses()
              .map((business) => featureText(columns, business))
              .join(",\n"),
        ),
      );
      separator = ",\n";
    },
    async end() {
      await sink.write(Buffer.from(`\n],"attribution":${JSON.stringify(attribution.list())}}\n`));
    },
  };
}

function featureText(columns: readonly Column[], business: Business): string {
  const { location } = business.place;
  return JSON.stringify({
    type: "Feature",
    id: business.businessId,
    geometry: location && { type: "Point", coordinates: [location.longitude, location.latitude] },
    properties: rowOf(columns, business),
  });
}
