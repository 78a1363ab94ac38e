import type { Clock } from "../../../platform/clock.ts";
import { type Outbound, OutboundFailure } from "../../../platform/net/outbound.ts";
import type { Queryable } from "../../../platform/postgres/database.ts";
import type { Endpoint } from "./endpoint.ts";
import { updateDisabled } from "./store.ts";
import { EndpointUrlRefused } from "../errors.ts";

/** What a webhook may be sent to. */
export type TargetRule = { outbound: Outbound; ports: readonly number[] };

/** Throws unless the URL is HTTPS, on an allowed port, and every address of its host is public. */
export async function requirePublicTarget({ outbound, ports }: TargetRule, url: string): Promise<void> {
  try {
    await outbound.check(url, { protocols: ["https:"], ports });
  } catch (error) {
    const detail = error instanceof OutboundFailure ? refusal(error, ports) : undefined;
    if (detail === undefined) throw error; // nobody could say: our fault, and worth another try
    throw EndpointUrlRefused(undefined, { details: [`/url: ${detail}`], cause: error });
  }
}

/** The same for an endpoint that has its target already: one that is no longer public disables it at once. */
export async function requireTargetStillPublic(
  { db, clock, ...rule }: TargetRule & { db: Queryable; clock: Clock },
  { organizationId, id, url }: Endpoint,
): Promise<void> {
  try {
    await requirePublicTarget(rule, url);
  } catch (error) {
    const { cause } = error as Error;
    if (cause instanceof OutboundFailure && cause.reason === "not_public") {
      await updateDisabled(db, organizationId, id, { reason: "non_public_target", url, now: clock.now() });
    }
    throw error;
  }
}

// A name without an address is told like one with a private address: the difference would let a
// customer ask which names our own network knows.
function refusal({ reason }: OutboundFailure, ports: readonly number[]): string | undefined {
  if (reason === "not_public" || reason === "name_not_found") return "must have a target that is public";
  if (reason !== "bad_url") return undefined;
  return `must be an HTTPS URL without user name and password, on port ${ports.join(" or ")}`;
}
