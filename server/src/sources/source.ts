import type { Box, Point, Polygons } from "../geography/points.ts";
import type { Place } from "../places/place.ts";

/** What a caller looks for, with the defaults filled in. */
export type SourceQuery = {
  q: string;
  page: number;
  hl: string;
  ll?: string;
  gl?: string;
  extra: boolean;
  within?: Bounds;
};

/**
 * The limits of a search that must be complete rather than helpful. A source that honors them lists
 * only what lies inside, as the words of the query say it and nothing similar, in an order that stays
 * the same from page to page; it never widens. Such a query also has an `ll` that shows the box, for
 * sources that can only be pointed somewhere: their caller clips.
 */
export type Bounds = {
  box: Box;
  /** Whether a point of the box counts. */
  contains(latitude: number, longitude: number): boolean;
  /** The id of an area that the source itself has named: what lies in it counts, whatever `contains` says. */
  area?: string;
  /** With an area: the mark that the page before gave, null for the first. The pages then go on by it to the very end. */
  after?: string | null;
};

/**
 * One page of what a source found. `empty` is a claim: the source proved that it has nothing (more)
 * to give here. `trimmed` says that there may be more for this page than the source gave this time,
 * such as when it did not look everywhere.
 */
export type SourcePage = {
  listings: readonly Place[];
  verdict: "ok" | "empty" | "trimmed";
  /**
   * How many listings there are within the bounds of the query, on all pages together, where the source
   * knows; more than ten pages hold when it only knows that there are more.
   */
  matching?: number;
  /** Where the next page begins, null behind the last: the answer to bounds with `after`, where the source knows the area. */
  next?: string | null;
  /** How the question was read and what was not understood of it, on one line. */
  reading?: string;
  /** How many rows the source's own page had, where repeated and unreadable ones are no listings. */
  rowCount?: number;
  /** How many of them are businesses that could not be read. */
  unreadableCount?: number;
};

/** What a place name stands for. With an id the source knows of each place whether it lies in it. */
export type NamedArea =
  | { kind: "box"; box: Box; id?: string }
  | { kind: "circle"; center: Point; radiusM: number }
  | { kind: "polygons"; polygons: Polygons };

/**
 * What answers searches. A search resolves to a page, or rejects with a SourceFailure, or, when the
 * caller's signal was aborted, with that signal's own reason. It rejects with nothing else.
 */
export type SourcePort = {
  /** The caller passes its deadline, so that a source can plan what it fetches besides the page. */
  search(query: SourceQuery, signal: AbortSignal, deadlineMs?: number): Promise<SourcePage>;
  /** False while the source has nothing to answer from, such as an empty catalog; absent means always ready. */
  isReady?(): Promise<boolean>;
  /** False when the question is about an area that the source has no data of; absent means that it has it everywhere. */
  hasDataFor?(query: SourceQuery, signal: AbortSignal): Promise<boolean>;
  /** What somebody can do who asks about an area that the source has no data of, as a sentence; undefined for nothing. */
  advice?(): string | undefined;
  /**
   * True when the question names no place and gives none, and the source needs one; no service is asked. Absent
   * means that any question can be answered.
   */
  lacksPlace?(query: SourceQuery): boolean;
  /** Where a named place is and how far it reaches; undefined when the source knows none of that name. */
  findArea?(name: string, options: { hl: string; gl?: string }, signal: AbortSignal): Promise<NamedArea | undefined>;
  /**
   * Loads at start what the first search would otherwise wait for; rejects when that failed, and may be called again.
   * What it then goes on with in the background ends when the signal is aborted.
   */
  warm?(signal: AbortSignal): Promise<void>;
};

/** Everything that the rest of the service needs to know about a source, said by the source itself. */
export type SourceDescription = {
  /** The value of WAYPOST_SOURCE that chooses it, and the source of the businesses it finds. */
  name: string;
  /** The source answers from this installation's own data: a failed search costs nobody anything. */
  isLocal: boolean;
  /** `auto` takes the first registered source that has this and is ready. */
  isAutomatic: boolean;
  /** How long one page may take, for a caller who waits for it and for a job. */
  deadlinesMs: Readonly<Record<SourcePurpose, number>>;
  /** How many jobs one process runs on it at once. */
  jobsMax: number;
  /** When the source is disabled after failures; null where a failure says nothing about the next search. */
  breaker: BreakerLimits | null;
  /** Fields of the record that it never fills; their state is `not_supported`. */
  neverFills: readonly string[];
  /** What it covers, as a sentence for operators. */
  covers: string;
  /** How live keys are answered, as the service says it at its start. */
  greeting: string;
};

export type SourcePurpose = "search" | "job";
export type BreakerLimits = { failuresMax: number; openMs: number };

/** A source as the domains use it: chosen, with its deadline, behind its breaker. Tests bring plain ones. */
export type Source = SourcePort &
  Pick<SourceDescription, "name"> &
  Partial<SourceDescription> & {
    /** Throws what a search now would reject with, without calling the source. */
    refuse?(): void;
  };

export const listingsMax = 20;
export const pagesMax = 10;

/** What the runner is to do: come back later at no cost, use up an attempt, or leave it. */
export type SourceAction = "slow_down" | "try_again" | "give_up";
export type SourceFailureCode = "source_failed" | "source_unavailable" | "source_timeout";

/** Whose doing a failure is. One of the question, or of our own load, says nothing about how the source answers others. */
export type SourceFault = "source" | "question" | "load";

type FailureOptions = { retryAfterSeconds?: number; fault?: SourceFault; advice?: string; cause?: unknown };

/** Why a source has no page to give. The message is for the operator's log; only the advice is for the caller. */
export class SourceFailure extends Error {
  readonly action: SourceAction;
  readonly code: SourceFailureCode;
  readonly retryAfterSeconds: number | undefined;
  readonly fault: SourceFault;
  readonly advice: string | undefined;

  constructor(action: SourceAction, code: SourceFailureCode, message: string, options: FailureOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "SourceFailure";
    this.action = action;
    this.code = code;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.fault = options.fault ?? "source";
    this.advice = options.advice;
  }
}
