import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { createOutbound, OutboundFailure } from "../src/platform/net/outbound.ts";

/** An outbound module that may reach the test's own servers. */
export function openOutbound(t: TestContext, options: Partial<Parameters<typeof createOutbound>[0]> = {}) {
  const outbound = createOutbound({ allow: ["127.0.0.0/8"], ...options });
  t.after(() => outbound.close());
  return outbound;
}

export async function assertFails(attempt: Promise<unknown>, reason: OutboundFailure["reason"]): Promise<void> {
  await assert.rejects(attempt, (error) => {
    assert.ok(error instanceof OutboundFailure, String(error));
    assert.equal(error.reason, reason, String(error.cause));
    return true;
  });
}

export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5));
}
