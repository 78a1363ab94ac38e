import assert from "node:assert/strict";
import { test } from "node:test";
import { waypost } from "./waypost.ts";

test("doctor prints a line and a fix for each setting that is wrong, and ends with 1", async () => {
  const environment = { WAYPOST_PORT: "many" };

  const [people, program] = await Promise.all([
    waypost(["doctor"], environment),
    waypost(["doctor", "--json"], environment),
  ]);

  assert.equal(people.code, 1);
  assert.match(
    people.out,
    /^PROBLEM {2}configuration: WAYPOST_PORT is "many": .*\n +→ docs\/reference\/configuration\.md/,
  );
  assert.equal(program.code, 1);
  const { healthy, findings } = JSON.parse(program.out) as { healthy: boolean; findings: { check: string }[] };
  assert.equal(healthy, false);
  assert.deepEqual(
    findings.map(({ check }) => check),
    ["configuration"],
  );
});
