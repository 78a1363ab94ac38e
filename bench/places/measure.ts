import { median } from "../figures.ts";

export type Measured = { perSecond: number; p50: number; p99: number; hits: number };

/** Asks as often as it can for some seconds, by so many clients at once; resolves to how that went. */
async function measure(seconds: number, clients: number, ask: () => Promise<number>): Promise<Measured> {
  const times: number[] = [];
  let hits = 0;
  const start = performance.now();
  const end = start + seconds * 1_000;
  const client = async () => {
    for (let began = performance.now(); began < end; began = performance.now()) {
      const found = await ask();
      hits += found;
      times.push(performance.now() - began);
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  const elapsed = (performance.now() - start) / 1_000;
  times.sort((a, b) => a - b);
  return {
    perSecond: times.length / elapsed,
    p50: times[Math.floor(times.length * 0.5)] ?? 0,
    p99: times[Math.floor(times.length * 0.99)] ?? 0,
    hits: hits / times.length,
  };
}

const rounds = 6;

export type Turns = {
  /** Medians of the rounds, for each program. */
  figures: Measured[];
  /** How much one program answers for each answer of another: the median of the rounds' ratios. */
  ratio(ours: number, theirs: number): number;
};

/**
 * Lets several programs take turns, every other time in the opposite order, so that whatever else
 * the machine does weighs on all.
 */
export async function measureInTurns(
  seconds: number,
  programs: readonly { clients: number; ask: () => Promise<number> }[],
): Promise<Turns> {
  const turns: Measured[][] = programs.map(() => []);
  const order = programs.map((program, index) => ({ ...program, index }));
  for (let round = 0; round < rounds; round += 1) {
    for (const { clients, ask, index } of order) turns[index]?.push(await measure(seconds / rounds, clients, ask));
    order.reverse();
  }
  return {
    figures: turns.map((each) => ({
      perSecond: median(each.map(({ perSecond }) => perSecond)),
      p50: median(each.map(({ p50 }) => p50)),
      p99: median(each.map(({ p99 }) => p99)),
      hits: median(each.map(({ hits }) => hits)),
    })),
    ratio: (ours, theirs) =>
      median((turns[ours] ?? []).map(({ perSecond }, round) => perSecond / (turns[theirs]?.[round]?.perSecond ?? 0))),
  };
}

/** `--places 100000` as a number, or what it is when not given. */
export function numberAfter(words: readonly string[], flag: string, fallback: number): number {
  const at = words.indexOf(flag);
  return at < 0 ? fallback : Number(words[at + 1]);
}
