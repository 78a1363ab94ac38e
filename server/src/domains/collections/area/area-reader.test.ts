import assert from "node:assert/strict";
import { test } from "node:test";
import { defer } from "../../../../test/defer.ts";
import { toServiceError } from "../../../platform/http/service-errors.ts";
import { newUuid } from "../../../platform/ids.ts";
import type { CostLimit, Principal } from "../../api-keys/index.ts";
import { createAreaReader } from "./area-reader.ts";

const payer = { organizationId: newUuid() } as Principal;

// A thread that gets no processor for two seconds took a sound area for one that must be simplified.
test("an area that a busy machine is late with may be sent again", async (t) => {
  const spent: number[] = [];
  const costs: CostLimit = { require: () => undefined, spend: (_, ms) => spent.push(ms) };
  const areas = createAreaReader(costs, { workMs: 1, waitMs: 60_000 });
  defer(t, areas.close);

  const late = await areas.read(payer, { area: { polygon: manyPoints() } }).catch((error: Error) => error);

  assert.ok(late instanceof Error, "it was read in a millisecond");
  assert.equal(toServiceError(late).code, "temporarily_unavailable");
  assert.deepEqual(spent, [1], "what the thread had is paid for");
});

function manyPoints() {
  const points = Array.from({ length: 9_998 }, (_, index) => {
    const [angle, reach] = [(index / 9_998) * 2 * Math.PI, index % 2 === 0 ? 0.001 : 0.5];
    return [9.5 + reach * Math.cos(angle), 47.1 + reach * Math.sin(angle)];
  });
  return { type: "Polygon" as const, coordinates: [[...points, points[0]]] };
}
