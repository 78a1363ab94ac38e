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

const rounds = 5;

/** Lets two programs take turns, so that whatever else the machine does weighs on both; medians of the rounds. */
export async function inTurns(
  seconds: number,
  ours: (seconds: number) => Promise<number>,
  theirs: (seconds: number) => Promise<number | undefined>,
): Promise<{ ours: number; theirs: number | undefined; ratio: number | undefined }> {
  const figures: { ours: number; theirs: number | undefined }[] = [];
  for (let round = 0; round < rounds; round += 1) {
    figures.push({ ours: await ours(seconds / rounds), theirs: await theirs(seconds / rounds) });
  }
  const known = figures.flatMap((each) => (each.theirs === undefined ? [] : [{ ...each, theirs: each.theirs }]));
  return {
    ours: percentile(
      figures.map((each) => each.ours),
      0.5,
    ),
    theirs:
      known.length === 0
        ? undefined
        : percentile(
            known.map((each) => each.theirs),
            0.5,
          ),
    ratio:
      known.length === 0
        ? undefined
        : percentile(
            known.map((each) => each.ours / each.theirs),
            0.5,
          ),
  };
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
