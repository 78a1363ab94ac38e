/**
 * Why a request got no answer. `not_public`: the public-address rule. `bad_url`: nothing that may be
 * requested. `name_not_found`: the name has no address. `resolver_failed`: the lookup failed. `lookup_timed_out`: it took
 * until the deadline, and the target was never asked. The rest is the connection's own story.
 */
export type FailureReason = keyof typeof sentences;

export class OutboundFailure extends Error {
  readonly reason: FailureReason;

  // The sentence follows from the reason alone. It may be shown to a customer, who must not learn
  // from it which addresses and ports answer behind a target that is not public.
  constructor(reason: FailureReason, detail?: string, cause?: unknown) {
    super(detail ?? sentences[reason], cause === undefined ? undefined : { cause });
    this.name = "OutboundFailure";
    this.reason = reason;
  }

  /** Whether our resolver failed, so that the target was never asked. */
  get isOurs(): boolean {
    return this.reason === "resolver_failed" || this.reason === "lookup_timed_out";
  }
}

const sentences = {
  not_public: "The target is not public.",
  bad_url: "The URL cannot be requested.",
  name_not_found: "The target's name has no address.",
  resolver_failed: "The target's name could not be looked up.",
  lookup_timed_out: "The target's name could not be looked up in time.",
  connect_failed: "The target could not be connected to.",
  tls_failed: "No secure connection to the target could be made.",
  timed_out: "The target did not answer in time.",
  reset: "The target closed the connection before its answer was complete.",
  too_many_redirects: "The target redirected too often.",
  aborted: "The request was given up.",
  bad_response: "The target's answer is not valid HTTP.",
} as const;
