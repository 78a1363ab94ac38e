import { IndexUnreadable } from "../errors.ts";
import { type Fetching, fetchWhole } from "./ranges.ts";

/** Where AllThePlaces lists its runs; a mirror has their files too. */
export const allThePlacesIndex = "https://data.alltheplaces.xyz";

const indexBytesMax = 1024 * 1024;

/** The newest run: its name, and where its places are, as a zip archive of GeoJSON. */
export async function findLatestRun(index: string, fetching: Fetching): Promise<{ id: string; url: string }> {
  const address = `${index}/runs/latest.json`;
  const body = await fetchWhole(address, indexBytesMax, fetching);
  const { run_id: id, output_url: output } = parse(body.toString());
  if (typeof id !== "string" || typeof output !== "string" || !URL.canParse(output))
    throw IndexUnreadable({ url: address });
  const at = output.indexOf("/runs/");
  return { id, url: index === allThePlacesIndex || at === -1 ? output : index + output.slice(at) };
}

function parse(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
