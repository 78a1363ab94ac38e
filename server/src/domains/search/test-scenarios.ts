/** How the job or collection of a test key ends, where its query names one of these. */
export type TestScenario = (typeof testScenarios)[number];

export const testScenarios = ["empty", "partial", "failed", "slow", "canceled"] as const;

/** How long a `test:slow` job runs. */
export const slowSeconds = 10;

const scenarioPattern = new RegExp(`^test:(${testScenarios.join("|")})(?![a-z])`);

/** The scenario of a query that begins with `test:`, so that an integrator can try every path. */
export function testScenarioOf(q: string): TestScenario | undefined {
  const [, scenario] = scenarioPattern.exec(q.trim().toLowerCase()) ?? [];
  return scenario as TestScenario | undefined; // the pattern lists the scenarios
}
