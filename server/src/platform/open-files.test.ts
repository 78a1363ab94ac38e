import assert from "node:assert/strict";
import { test } from "node:test";
import { clientConnectionsWithin } from "./open-files.ts";

test("clients get no connection that the process needs for itself", () => {
  const config = { connectionsMax: 4_000, databaseConnectionsMax: 20 };

  const allowed = [256, 1_024, 4_096, 8_192].map((limit) => clientConnectionsWithin(config, limit));

  assert.deepEqual(allowed, [128, 748, 3_820, 4_000]);
});
