import { type FileMetaData, parquetMetadata, type RowGroup } from "hyparquet";
import type { Box } from "../../../geography/points.ts";
import type { Extent } from "../../../geography/extent.ts";
import { DownloadFailed } from "../../errors.ts";
import { fetchRange, type Fetching, partOf, tagOf } from "../ranges.ts";

/** A Parquet file on a server, by its directory. Whatever is read of it later is of the version that `tag` names. */
export type RemoteTable = { url: string; tag: string | undefined; metadata: FileMetaData; groups: readonly Group[] };

/** Where a row group lies in its file, in bytes, and the box around its rows, where the file says it. */
export type Group = { index: number; start: number; end: number; rows: number; box: Box | undefined };

const tailBytes = 8;
/** Of a directory; one of Overture's has some 2 MB. */
const directoryBytesMax = 64 * 1024 * 1024;

/** Reads the directory of a Parquet file in two requests: how long it is, and itself. */
export async function openRemoteTable(url: string, fetching: Fetching): Promise<RemoteTable> {
  const tail = await fetchRange(url, { last: tailBytes }, fetching);
  const { total } = partOf(tail);
  if (tail.status !== 206 || total === undefined || tail.body.length !== tailBytes)
    throw DownloadFailed({ url, reason: "its server does not give parts of a file" });
  const bytes = tail.body.readUInt32LE() + tailBytes;
  const isParquet = tail.body.toString("latin1", 4) === "PAR1" && bytes <= total && bytes <= directoryBytesMax;
  if (!isParquet) throw DownloadFailed({ url, reason: "it is no Parquet file that can be read" });
  const tag = tagOf(tail);
  const directory = await fetchPart({ url, tag }, total - bytes, bytes, fetching);
  try {
    const metadata = parquetMetadata(new Uint8Array(directory).buffer, { geoparquet: false });
    return { url, tag, metadata, groups: metadata.row_groups.map((group, index) => groupOf(group, index, total)) };
  } catch (cause) {
    throw DownloadFailed({ url, reason: "the directory at its end cannot be read" }, { cause });
  }
}

/** Fetches bytes of the version that is being read, and of no other. */
export async function fetchPart(
  { url, tag }: Pick<RemoteTable, "url" | "tag">,
  from: number,
  bytes: number,
  fetching: Fetching,
): Promise<Buffer> {
  const { status, body, headers, ...rest } = await fetchRange(url, { from, bytes, tag }, fetching);
  const isOther = tag !== undefined && tagOf({ status, body, headers, ...rest }) !== tag;
  if (status === 200 || isOther) throw DownloadFailed({ url, reason: "it changed while it was read; try again" });
  const isAsked = partOf({ status, body, headers, ...rest }).start === from && body.length === bytes;
  if (!isAsked) throw DownloadFailed({ url, reason: "its server answers with parts that Waypost did not ask for" });
  return body;
}

/** The row groups that may have rows there: those whose box touches, and those without one. */
export function groupsTouching({ groups }: RemoteTable, { boxes }: Extent): Group[] {
  return groups.filter(({ box }) => box === undefined || boxes.some((wanted) => isTouching(box, wanted)));
}

export function isTouching(one: Box, other: Box): boolean {
  return one[0] <= other[2] && other[0] <= one[2] && one[1] <= other[3] && other[1] <= one[3];
}

function groupOf(group: RowGroup, index: number, fileBytes: number): Group {
  const spans = group.columns.map(({ meta_data: column, file_path: elsewhere }) => {
    if (!column || elsewhere) throw new Error("A column is in another file.");
    const { data_page_offset: data, dictionary_page_offset: dictionary } = column;
    const start = dictionary ? Math.min(Number(data), Number(dictionary)) : Number(data);
    return { start, end: start + Number(column.total_compressed_size) };
  });
  const start = Math.min(...spans.map((span) => span.start));
  const end = Math.max(...spans.map((span) => span.end));
  if (!(start >= 0 && end > start && end <= fileBytes)) throw new Error("A row group lies outside of the file.");
  return { index, start, end, rows: Number(group.num_rows), box: boxOf(group) };
}

/** From the statistics of the column `bbox`, which GeoParquet has for this. */
function boxOf(group: RowGroup): Box | undefined {
  const limit = (field: string, side: "min" | "max") => {
    const column = group.columns.find(({ meta_data: each }) => each?.path_in_schema.join(".") === `bbox.${field}`);
    const { statistics } = column?.meta_data ?? {};
    return Number(statistics?.[`${side}_value`] ?? statistics?.[side] ?? Number.NaN);
  };
  const box: Box = [limit("ymin", "min"), limit("xmin", "min"), limit("ymax", "max"), limit("xmax", "max")];
  return box.some(Number.isNaN) ? undefined : box;
}
