import type { TestContext } from "node:test";

type Step = () => unknown;

const stepsOf = new WeakMap<TestContext, Step[]>();

/**
 * Runs a step when the test ends, the last deferred first: a server stops before its folder and its database go.
 * The hooks of node:test run in the order they were added.
 */
export function defer(t: TestContext, step: Step): void {
  const steps = stepsOf.get(t) ?? [];
  if (steps.length === 0) {
    stepsOf.set(t, steps);
    t.after(() => undo(steps));
  }
  steps.push(step);
}

/** A step that fails keeps no other from running. */
async function undo(steps: Step[]) {
  const failures: unknown[] = [];
  for (const step of steps.reverse()) {
    try {
      await step();
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures.length === 1 ? failures[0] : new AggregateError(failures);
}
