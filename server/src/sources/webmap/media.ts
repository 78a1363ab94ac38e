import type { Place } from "../../places/place.ts";
import type { WebmapRecord } from "./records.ts";
import { at, count, integer, link, listAt, number, type Path, type Read, stars, text } from "./values.ts";

type Review = Place["reviews"][number];
type Photo = Place["photos"][number];
export type Media = Pick<Place, "reviewsState" | "reviews" | "photosState" | "photos">;

const reviewsMax = 10;
const photosMax = 20;
/** However many a detail answer holds, so many are looked at. */
const entriesMax = 500;

/** Reviews and photos of a place-detail record, cut at what the schema holds. */
export function readMedia(record: WebmapRecord, base: string): Media {
  const reviews = readReviews(record, base);
  const photos = readPhotos(record, base);
  return {
    reviewsState: stateOf(reviews, reviewsMax),
    reviews: reviews.slice(0, reviewsMax),
    photosState: stateOf(photos, photosMax),
    photos: photos.slice(0, photosMax),
  };
}

/** What a detail answer lacks and cannot say that there is none of: it has others of it, or it in an unknown shape. */
export function missingMedia(record: WebmapRecord, { reviews, photos }: Media): ("reviews" | "photos")[] {
  const isRated = stars(at(record, [4, 7])) !== undefined || (count(at(record, [4, 8])) ?? 0) > 0;
  const lacksReviews = reviews.length === 0 && (isRated || holdsSomething(at(record, [175, 9, 0])));
  const lacksPhotos = photos.length === 0 && [[171], [72]].some((path) => holdsSomething(at(record, path)));
  return [...(lacksReviews ? (["reviews"] as const) : []), ...(lacksPhotos ? (["photos"] as const) : [])];
}

/** Lists of nulls and of empty lists hold nothing. */
function holdsSomething(value: unknown): boolean {
  const queue: unknown[] = [value];
  for (let visited = 0; visited < queue.length && visited < entriesMax; visited += 1) {
    const item = queue[visited];
    if (Array.isArray(item)) queue.push(...(item as unknown[]).slice(0, entriesMax));
    else if (item !== null && item !== undefined) return true;
  }
  return false;
}

function stateOf(items: readonly unknown[], itemsMax: number): Place["reviewsState"] {
  if (items.length === 0) return "unavailable";
  return items.length > itemsMax ? "truncated_by_schema" : "returned";
}

export function readReviews(record: WebmapRecord, base: string): Review[] {
  const nested = listAt(record, [175, 9, 0, 0]).flatMap(reviewIn);
  const found = nested.length > 0 ? nested : listAt(record, [175, 9, 0]).flatMap(reviewIn);
  return found.slice(0, entriesMax).map((review, position) => readReview(review, position, base));
}

/** A list holds reviews wrapped or bare: a review is an id beside two lists. */
function reviewIn(entry: unknown): unknown[] {
  return [entry, at(entry, [0])].filter(isReview).slice(0, 1);
}

function isReview(value: unknown): boolean {
  return Array.isArray(value) && typeof value[0] === "string" && Array.isArray(value[1]) && Array.isArray(value[2]);
}

const firstAt = <Value>(value: unknown, read: Read<Value>, ...paths: Path[]): Value | null => {
  for (const path of paths) {
    const found = read(at(value, path));
    if (found !== undefined) return found;
  }
  return null;
};

/** Each part where today's layout has it, then where the older one had it. */
export function readReview(review: unknown, position: number, base: string): Review {
  const uri = link(base);
  return {
    position,
    id: firstAt(review, text(512), [0]),
    rating: firstAt(review, number(0, 5), [2, 0, 0]),
    text: firstAt(review, text(20_000), [2, 15, 0, 0], [2, 1, 0]),
    language: firstAt(review, text(35), [2, 14, 0], [2, 1, 1]),
    publishedAt: firstAt(review, timestamp, [1, 2], [1, 3]),
    publishedText: firstAt(review, text(256), [1, 6]),
    reviewer: {
      displayName: firstAt(review, text(512), [1, 4, 5, 0], [1, 4, 1, 1], [1, 4, 0, 4]),
      profileUrl: firstAt(review, uri, [1, 4, 2, 0], [1, 4, 1, 0]),
      avatarUrl: firstAt(review, uri, [1, 4, 5, 1], [1, 4, 1, 2], [1, 4, 0, 3]),
    },
    ownerResponse: firstAt(review, text(20_000), [3, 14, 0, 0], [3, 1]),
    sourceUrl: firstAt(review, uri, [4, 3, 0]),
  };
}

const microsecondsMin = 946_684_800_000_000; // the year 2000
const microsecondsMax = 4_102_444_800_000_000; // the year 2100

const timestamp: Read<string> = (value) => {
  const microseconds = integer(microsecondsMin, microsecondsMax)(value);
  return microseconds === undefined ? undefined : new Date(microseconds / 1000).toISOString();
};

/** One photo of each group of the gallery, then those of the heading, each once. */
export function readPhotos(record: WebmapRecord, base: string): Photo[] {
  const gallery = listAt(record, [171, 0])
    .slice(0, entriesMax)
    .flatMap((group) => listAt(group, [3]).slice(0, entriesMax));
  const heading = listAt(record, [72, 0]).slice(0, entriesMax);
  const photos = new Map<string, Photo>();
  for (const image of [...gallery, ...heading]) {
    const photo = readPhoto(image, photos.size, base);
    const key = photo && (photo.id ?? photo.url);
    if (photo && key && !photos.has(key) && photos.size < entriesMax) photos.set(key, photo);
  }
  return [...photos.values()];
}

/** The address ends with the size that is wanted of the image. */
const sizeSuffix = /=w\d+-h\d+(-[\w-]+)?$/;

function readPhoto(image: unknown, position: number, base: string): Photo | undefined {
  const shown = link(base)(at(image, [6, 0]));
  if (shown === undefined) return undefined;
  const width = number(1, 100_000)(at(image, [6, 2, 0]));
  const height = number(1, 100_000)(at(image, [6, 2, 1]));
  const isSized = width !== undefined && height !== undefined && sizeSuffix.test(shown);
  return {
    position,
    id: text(512)(at(image, [0])) ?? null,
    mediaType: "photo",
    url: isSized ? shown.replace(sizeSuffix, `=w${width}-h${height}$1`) : shown,
    thumbnailUrl: shown,
    ...(width === undefined ? {} : { width }),
    ...(height === undefined ? {} : { height }),
  };
}
