import { Pool } from "undici";

/** What to send, and how many at once. */
export type Load = {
  address: string;
  path: string;
  headers: Record<string, string>;
  body(sent: number): string;
  connections: number;
};

/** Keeps every connection busy for some seconds; counts answers of status 200 and fails on any other. */
export async function measure({ address, path, headers, body, connections }: Load, seconds: number) {
  const pool = new Pool(address, { connections, pipelining: 1 });
  const end = performance.now() + seconds * 1_000;
  let sent = 0;
  let answered = 0;
  const client = async () => {
    while (performance.now() < end) {
      const answer = await pool.request({ method: "POST", path, headers, body: body((sent += 1)) });
      if (answer.statusCode !== 200) throw new Error(`status ${answer.statusCode}: ${await answer.body.text()}`);
      await answer.body.dump({ limit: 10_000_000 });
      answered += 1;
    }
  };
  const started = performance.now();
  await Promise.all(Array.from({ length: connections }, client));
  const perSecond = answered / ((performance.now() - started) / 1_000);
  await pool.close();
  return { perSecond };
}
