import type { Place } from "./place.ts";

/** What a caller looks for, with the defaults filled in. */
export type SourceQuery = {
  q: string;
  page: number;
  hl: string;
  ll?: string;
  gl?: string;
  extra: boolean;
};

/**
 * One page of what a source found. `empty` is a claim: the source proved that it has nothing (more)
 * to give here. `trimmed` says that the source has more on this page than it gave this time.
 */
export type SourcePage = {
  listings: readonly Place[];
  verdict: "ok" | "empty" | "trimmed";
};

/**
 * A source resolves to a page, or rejects with a SourceFailure, or, when the caller's signal was
 * aborted, with that signal's own reason. It rejects with nothing else.
 */
export type Source = {
  readonly name: string;
  /** It answers from what this installation has, so that asking it in vain costs nobody anything. */
  readonly isLocal?: true;
  search(query: SourceQuery, signal: AbortSignal): Promise<SourcePage>;
  /** Throws what a search now would reject with before anyone is asked. */
  refuse?(): void;
  /** Gets ready what the first search would have to wait for. */
  warm?(): void;
};

export const listingsMax = 20;

/** What the runner is to do: come back later at no cost, use up an attempt, or leave it. */
export type SourceAction = "slow_down" | "try_again" | "give_up";
export type SourceFailureCode = "source_failed" | "source_unavailable" | "source_timeout";

type FailureOptions = { retryAfterSeconds?: number; cause?: unknown };

/** Why a source has no page to give. The message is for the operator's log, not for the caller. */
export class SourceFailure extends Error {
  readonly action: SourceAction;
  readonly code: SourceFailureCode;
  readonly retryAfterSeconds: number | undefined;

  constructor(action: SourceAction, code: SourceFailureCode, message: string, options: FailureOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "SourceFailure";
    this.action = action;
    this.code = code;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}
