/** What is wrong with a file, in one sentence for the person who chose it. */
export class ImportProblem extends Error {
  /** Where in the file, in bytes from its beginning, when that is known. */
  readonly offset: number | undefined;

  constructor(message: string, options: { offset?: number; cause?: unknown } = {}) {
    super(printable(message), options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "ImportProblem";
    this.offset = options.offset;
  }
}

/** A file's own words are shown on a terminal, which obeys control characters. */
function printable(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, "\uFFFD");
}

/**
 * How far a reader has come; it writes, the caller reads. A reader that goes through a file more
 * than once counts every time, in `bytesRead` as in `bytesTotal`.
 */
export type ReadProgress = {
  bytesRead: number;
  bytesTotal: number;
  objectsRead: number;
  /** Rows that cannot be used, and the first of them. */
  skipped: { count: number; samples: SkippedRow[] };
  /** The columns of a table that no field is read from, by their headings. */
  unusedColumns?: string[];
  /** The latest date that the publisher gives the file or something in it. */
  observedAt?: string;
};

/** Where a row stands that cannot be used, such as `line 7`, and why. */
export type SkippedRow = { at: string; reason: string };

export type ReadOptions = {
  signal: AbortSignal;
  progress?: ReadProgress;
  /** The name of the file's data set. The ids of a table or a feature are unique within it. */
  dataSet?: string;
};

export function newProgress(): ReadProgress {
  return { bytesRead: 0, bytesTotal: 0, objectsRead: 0, skipped: { count: 0, samples: [] } };
}

/** A point on Earth; anything else in a coordinate's place is no place. */
export function isPoint(latitude: number, longitude: number): boolean {
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180;
}

const samplesMax = 10;

/** Counts a row that cannot be used, and keeps the first ten for the person who imports. */
export function skipRow({ skipped }: ReadProgress, at: string, reason: string): void {
  skipped.count += 1;
  if (skipped.samples.length < samplesMax) skipped.samples.push({ at, reason });
}

/** Of dates as timestamps the later one. */
export function laterOf(one: string | undefined, other: string | undefined): string | undefined {
  return one === undefined || (other !== undefined && other > one) ? other : one;
}

/** Adds the rows that one part of a file could not use; parts come in the order of the file. */
export function addSkipped({ skipped }: ReadProgress, { count, samples }: ReadProgress["skipped"]): void {
  skipped.count += count;
  skipped.samples.push(...samples.slice(0, samplesMax - skipped.samples.length));
}

/** A problem as it passes between threads. */
export type Problem = { message: string; offset?: number };

/** What an error says of the file; undefined when it is no fault of the file's. */
export function problemOf(error: unknown): Problem | undefined {
  if (error instanceof RangeError) return { message: tooMuch };
  if (!(error instanceof ImportProblem)) return undefined;
  return { message: error.message, ...(error.offset === undefined ? {} : { offset: error.offset }) };
}

/** What a stack that overflows or a length that cannot be says of the file. */
const tooMuch = "The file is damaged: something in it is larger or nested deeper than can be read.";
