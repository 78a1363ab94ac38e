export type Measured = { perSecond: number; p50: number; p99: number; hits: number };

/** Asks as often as it can for some seconds, by so many clients at once; resolves to how that went. */
export async function measure(seconds: number, clients: number, ask: () => Promise<number>): Promise<Measured> {
  for (let warmUp = 0; warmUp < 40; warmUp += 1) await ask();
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

/** `--places 100000` as a number, or what it is when not given. */
export function numberAfter(words: readonly string[], flag: string, fallback: number): number {
  const at = words.indexOf(flag);
  return at < 0 ? fallback : Number(words[at + 1]);
}
