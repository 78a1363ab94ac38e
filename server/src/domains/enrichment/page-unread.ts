/** Why a page was not read. */
export class PageUnread extends Error {
  readonly state: "blocked_by_robots" | "failed" | "timed_out";

  constructor(state: PageUnread["state"], cause?: unknown) {
    super(`page not read: ${state}`, cause === undefined ? undefined : { cause });
    this.name = "PageUnread";
    this.state = state;
  }
}
