import { linesOf } from "./ndjson.ts";
import { createAttributionCollector, type FileContext, type Sink, type Writer } from "./writer.ts";

/** One object with the stored records, byte for byte, under `records`; with columns, rows of these. */
export async function createJsonWriter(
  sink: Sink,
  { exportId, createdAt, schemaVersion, columns }: FileContext,
): Promise<Writer> {
  const attribution = createAttributionCollector();
  let separator = "\n";
  const head = { schema_version: schemaVersion, export_id: exportId, created_at: createdAt };
  await sink.write(Buffer.from(`${JSON.stringify(head).slice(0, -1)},"records":[`));

  return {
    async write(batch) {
      attribution.add(batch);
      await sink.write(Buffer.from(separator + linesOf(batch, columns).join(",\n")));
      separator = ",\n";
    },
    async end() {
      await sink.write(Buffer.from(`\n],"attribution":${JSON.stringify(attribution.list())}}\n`));
    },
  };
}
