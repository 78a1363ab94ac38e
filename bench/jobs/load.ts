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
