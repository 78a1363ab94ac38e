import { Pool } from "undici";

export type Request = { method: "GET" | "POST"; path: string; headers: Record<string, string>; body?: string };

/** Keeps so many connections busy for some seconds; resolves to answers per second. Fails on any other status. */
export async function hammer(
  address: string,
  { connections, seconds, status }: { connections: number; seconds: number; status: number },
  request: (sent: number) => Request,
): Promise<number> {
  const pool = new Pool(address, { connections, pipelining: 1 });
  const started = performance.now();
  const end = started + seconds * 1_000;
  let sent = 0;
  let answered = 0;
  const client = async () => {
    while (performance.now() < end) {
      const answer = await pool.request(request((sent += 1)));
      const text = await answer.body.text();
      if (answer.statusCode !== status) throw new Error(`status ${answer.statusCode}: ${text}`);
      answered += 1;
    }
  };
  await Promise.all(Array.from({ length: connections }, client));
  const perSecond = answered / ((performance.now() - started) / 1_000);
  await pool.close();
  return perSecond;
}

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
    ours: medianOf(figures.map((figure) => figure.ours)) ?? Number.NaN,
    theirs: medianOf(known.map((figure) => figure.theirs)),
    ratio: medianOf(known.map((figure) => figure.ours / figure.theirs)),
  };
}

function medianOf(values: readonly number[]): number | undefined {
  return values.length === 0 ? undefined : percentile(values, 0.5);
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
