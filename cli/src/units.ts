/** Whether a number of units is one; the service writes the largest integer where there is no ceiling. */
export function hasCeiling(units: number): boolean {
  return units < Number.MAX_SAFE_INTEGER;
}

export function unitsText(units: number): string {
  return hasCeiling(units) ? String(units) : "no ceiling";
}
