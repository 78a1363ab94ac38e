import type { Clock } from "../../../platform/clock.ts";
import { TemporarilyUnavailable } from "../../../platform/errors.ts";
import { idFromUuid } from "../../../platform/ids.ts";
import { type Outbound, OutboundFailure } from "../../../platform/net/outbound.ts";
import type { Queryable } from "../../../platform/postgres/database.ts";
import type { Endpoint } from "./endpoint.ts";
import { EndpointTargetRefused, EndpointUrlRefused } from "./errors.ts";
import { updateDisabled } from "./store.ts";

/** What a webhook may be sent to. */
export type TargetRule = { outbound: Outbound; ports: readonly number[] };

/** Throws unless the URL is HTTPS, on an allowed port, and every address of its host is public. */
export async function requirePublicTarget(rule: TargetRule, url: string): Promise<void> {
  const refusal = await findRefusal(rule, url);
  if (refusal) throw EndpointUrlRefused(undefined, { details: [refusal.detail], cause: refusal.cause });
}

/** The same for the stored URL of an endpoint; a target that is no longer public disables it at once. */
export async function requireTargetStillPublic(
  { db, clock, ...rule }: TargetRule & { db: Queryable; clock: Clock },
  { organizationId, id, url }: Endpoint,
): Promise<void> {
  const refusal = await findRefusal(rule, url);
  if (!refusal) return;
  if (refusal.cause.reason === "not_public") {
    await updateDisabled(db, organizationId, id, { reason: "non_public_target", url, now: clock.now() });
  }
  const options = { details: [refusal.detail], cause: refusal.cause };
  throw EndpointTargetRefused({ endpointId: idFromUuid("whe", id) }, options);
}

type Refusal = { detail: string; cause: OutboundFailure };

const resolverRetrySeconds = 5;

async function findRefusal({ outbound, ports }: TargetRule, url: string): Promise<Refusal | undefined> {
  try {
    await outbound.check(url, { protocols: ["https:"], ports });
    return undefined;
  } catch (error) {
    if (!(error instanceof OutboundFailure)) throw error;
    const rule = brokenRule(error, ports);
    if (rule !== undefined) return { detail: `/url: ${rule}`, cause: error };
    const what = "The webhook URL's host could not be looked up";
    throw TemporarilyUnavailable({ what }, { retryAfterSeconds: resolverRetrySeconds, cause: error });
  }
}

// A name without an address gets the same sentence as one with a private address: the difference
// would tell a customer which names our own network knows.
function brokenRule({ reason }: OutboundFailure, ports: readonly number[]): string | undefined {
  if (reason === "not_public" || reason === "name_not_found") return "must have a target that is public";
  if (reason !== "bad_url") return undefined;
  return `must be an HTTPS URL without user name and password, on port ${ports.join(" or ")}, whose host does not end with a dot`;
}
