import type { Box } from "../../../geography/points.ts";
import type { Extent } from "../../../geography/extent.ts";
import { IndexUnreadable, ReleaseGone } from "../../errors.ts";
import { type Fetching, fetchWhole, isGone } from "../ranges.ts";
import { isTouching, openRemoteTable, type RemoteTable } from "./remote-table.ts";

/** Where Overture lists its releases (STAC), and where their files are; a mirror has both. */
export const overtureIndex = "https://stac.overturemaps.org";
const overtureFiles = "https://overturemaps-us-west-2.s3.us-west-2.amazonaws.com";

const indexBytesMax = 4 * 1024 * 1024;
const filesAtOnce = 4;

export type Release = { id: string; index: string };

/** The release of this id, or the latest. */
export async function findRelease(index: string, id: string | undefined, fetching: Fetching): Promise<Release> {
  const url = `${index}/catalog.json`;
  const catalog = await fetchJson(url, fetching);
  const releases = linksOf(catalog, "child").flatMap((href) => /(?:^|\/)([^/]+)\/catalog\.json$/.exec(href)?.[1] ?? []);
  const found = id ?? catalog["latest"];
  if (typeof found !== "string" || !/^[\w.-]+$/.test(found)) throw IndexUnreadable({ url });
  if (id !== undefined && !releases.includes(id)) throw ReleaseGone({ release: id, releases });
  return { id: found, index };
}

/** The files of a type, such as `places/place`, by the box of each. */
export async function openType({ id, index }: Release, type: `${string}/${string}`, fetching: Fetching) {
  const url = `${index}/${id}/${type}/collection.json`;
  const hrefs = linksOf(await fetchJson(url, fetching), "item").map((href) => new URL(href, url).href);
  const items = await inTurns(hrefs, (href) => fetchJson(rebased(href, `/${id}/`, index), fetching));
  const files = items.map((item) => {
    const href = hrefOf(item);
    if (href === undefined) throw IndexUnreadable({ url });
    const base = index === overtureIndex ? overtureFiles : index;
    return { url: rebased(href, `/release/${id}/`, base), box: boxOf(item["bbox"]) };
  });
  const opened = new Map<string, Promise<RemoteTable>>();
  const open = (file: string) => {
    const table = opened.get(file) ?? openRemoteTable(file, fetching);
    opened.set(file, table);
    return table;
  };
  return {
    /** The files that may have something there, each opened once. */
    async touching({ boxes }: Extent): Promise<RemoteTable[]> {
      const wanted = files.filter(({ box }) => box === undefined || boxes.some((each) => isTouching(box, each)));
      return inTurns(wanted, (file) => open(file.url));
    },
  };
}

/** A file that is not there is one of a release that went. */
export function asGone(error: unknown, release: string): unknown {
  return isGone(error) ? ReleaseGone({ release, releases: [] }, { cause: error }) : error;
}

type Json = Readonly<Record<string, unknown>>;

export async function fetchJson(url: string, fetching: Fetching): Promise<Json> {
  const body = await fetchWhole(url, indexBytesMax, fetching);
  try {
    return objectOf(JSON.parse(body.toString()));
  } catch (cause) {
    throw IndexUnreadable({ url }, { cause });
  }
}

function objectOf(value: unknown): Json {
  return typeof value === "object" && value !== null ? (value as Json) : {};
}

function linksOf(catalog: Json, relation: string): string[] {
  const links = Array.isArray(catalog["links"]) ? catalog["links"].map(objectOf) : [];
  return links.flatMap(({ rel, href }) => (rel === relation && typeof href === "string" ? [href] : []));
}

/** The file of an item; one of its further addresses may be of a protocol that nobody speaks here. */
function hrefOf(item: Json): string | undefined {
  const hrefs = Object.values(objectOf(item["assets"])).map((asset) => objectOf(asset)["href"]);
  return hrefs.find((href): href is string => typeof href === "string" && href.includes("/release/"));
}

/** The same path at another server: the lists of a mirror still name the publisher's own. */
function rebased(href: string, from: string, base: string): string {
  const at = href.indexOf(from);
  return at === -1 ? href : base + href.slice(at);
}

function boxOf(bbox: unknown): Box | undefined {
  const [west, south, east, north] = Array.isArray(bbox) ? bbox.map(Number) : [];
  const box = [south, west, north, east].map((edge) => edge ?? Number.NaN);
  return box.some(Number.isNaN) ? undefined : (box as unknown as Box);
}

/** Some at once, and the results in the order of what they are of. */
async function inTurns<Item, Result>(items: readonly Item[], work: (item: Item) => Promise<Result>) {
  const results: Result[] = [];
  for (let at = 0; at < items.length; at += filesAtOnce) {
    results.push(...(await Promise.all(items.slice(at, at + filesAtOnce).map(work))));
  }
  return results;
}
