/** A number with its noun, for the line of text beside a result. */
export function countOf(number: number, noun: string, plural = "s"): string {
  return `${number} ${noun}${number === 1 ? "" : plural}`;
}
