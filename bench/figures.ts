const rounds = 7;

export type Figure = { ours: number; theirs: number | undefined; ratio: number | undefined };
type Turn = (seconds: number) => Promise<number | undefined>;

/**
 * Lets two programs take turns, each of them first every other time, so that whatever else the
 * machine does weighs on both. Resolves to medians; that of the ratios is taken over the rounds.
 */
export async function inTurns(seconds: number, ours: Turn, theirs: Turn): Promise<Figure> {
  const figures: { ours: number; theirs: number }[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const turns = round % 2 === 0 ? [ours, theirs] : [theirs, ours];
    const [first = Number.NaN, second = Number.NaN] = [
      await turns[0]?.(seconds / rounds),
      await turns[1]?.(seconds / rounds),
    ];
    figures.push(round % 2 === 0 ? { ours: first, theirs: second } : { ours: second, theirs: first });
  }
  const known = figures.filter((figure) => !Number.isNaN(figure.theirs));
  return {
    ours: medianIfAny(figures.map((figure) => figure.ours)) ?? Number.NaN,
    theirs: medianIfAny(known.map((figure) => figure.theirs)),
    ratio: medianIfAny(known.map((figure) => figure.ours / figure.theirs)),
  };
}

function medianIfAny(values: readonly number[]): number | undefined {
  return values.length === 0 ? undefined : median(values);
}

export function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
