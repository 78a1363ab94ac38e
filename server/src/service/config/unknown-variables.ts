const prefix = "WAYPOST_";

/** Variables of clients and of examples, which the service may find in its environment and leaves alone. */
const others = /^WAYPOST_(URL|API_KEY|(LIVE|TEST)_KEY|WEBHOOK_SECRET|TEST_.*|FUZZ_.*)$/;

/** What Kubernetes puts into every container beside a service named `waypost`. */
const injected = /^WAYPOST_(SERVICE_HOST|SERVICE_PORT.*|PORT_\d+_.*)$/;

/** A line for each variable that looks like a setting and is none: a misspelt one would silently do nothing. */
export function unknownVariables(environment: NodeJS.ProcessEnv, known: readonly string[]): string[] {
  return Object.keys(environment)
    .filter((name) => name.startsWith(prefix) && !known.includes(name) && !others.test(name) && !injected.test(name))
    .map((name) => {
      const nearest = known
        .map((candidate) => ({ candidate, distance: distanceOf(name, candidate) }))
        .sort((one, other) => one.distance - other.distance)[0];
      const hint = nearest && nearest.distance <= 4 ? `did you mean ${nearest.candidate}? ` : "";
      return `${name} is no setting of Waypost: ${hint}Correct it or unset it; docs/reference/configuration.md has them all.`;
    });
}

/** How many letters must be changed, added or left out to get from one name to the other. */
function distanceOf(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [at, letter] of one.split("").entries()) {
    const next = [at + 1];
    for (const [index, candidate] of other.split("").entries()) {
      const changed = (row[index] ?? 0) + (letter === candidate ? 0 : 1);
      next.push(Math.min(changed, (row[index + 1] ?? 0) + 1, (next[index] ?? 0) + 1));
    }
    row = next;
  }
  return row[other.length] ?? 0;
}
