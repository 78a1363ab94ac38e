import type { PlaceRecord } from "../../../places/record.ts";
import { listOf, type Row, rowOf, textOf } from "./row.ts";

/** How sure the publisher is of a place, when one of its sources last knew it, and under which licenses they give it. */
export function provenanceOf(row: Row): Pick<PlaceRecord, "confidence" | "licenses" | "observedAt"> {
  const confidence = row["confidence"];
  const sources = listOf(row["sources"]).map(rowOf);
  // A source of one property, such as a phone, says nothing of when the place itself was seen.
  const ofWhole = sources.filter((source) => (textOf(source["property"]) ?? "") === "");
  const times = (ofWhole.length > 0 ? ofWhole : sources).flatMap((source) =>
    timestampIn(textOf(source["update_time"])),
  );
  const observedAt = times.toSorted().at(-1);
  const licenses = [...new Set(sources.flatMap((source) => licenseOf(source) ?? []))].toSorted();
  return {
    ...(observedAt === undefined ? {} : { observedAt }),
    ...(typeof confidence === "number" && confidence >= 0 && confidence <= 1 ? { confidence } : {}),
    ...(licenses.length > 0 ? { licenses } : {}),
  };
}

/** What releases before July 2025 say only in their documentation. */
const licensesByDataSet: Readonly<Record<string, string>> = {
  meta: "CDLA-Permissive-2.0",
  microsoft: "CDLA-Permissive-2.0",
  foursquare: "Apache-2.0",
  alltheplaces: "CC0-1.0",
};

function licenseOf(source: Row): string | undefined {
  return textOf(source["license"]) ?? licensesByDataSet[textOf(source["dataset"])?.toLowerCase() ?? ""];
}

function timestampIn(text: string | undefined): string[] {
  const time = Date.parse(text ?? "");
  return Number.isNaN(time) ? [] : [new Date(time).toISOString()];
}
