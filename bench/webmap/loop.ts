// One of the two programs of the benchmark webmap: asks for pages as fast as it can when told to.
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { Pool } from "undici";
import { systemClock } from "../../server/src/platform/clock.ts";
import { noMeters } from "../../server/src/platform/meters.ts";
import { silentLog } from "../../server/src/platform/log.ts";
import { createOutbound } from "../../server/src/platform/net/outbound.ts";
import { createWebmap } from "../../server/src/sources/webmap/webmap.ts";

export type Measured = { perSecond: number; peakMb: number };

const atOnce = 8;
const [name, url = ""] = process.argv.slice(2);
const fetchPage = name === "webmap" ? webmapPage() : barePage();

process.on("message", (message: { seconds: number }) => {
  void measure(message.seconds).then((measured) => process.send?.(measured));
});

async function measure(seconds: number): Promise<Measured> {
  const started = performance.now();
  const end = started + seconds * 1_000;
  let pages = 0;
  let peakMb = 0;
  const watch = setInterval(() => (peakMb = Math.max(peakMb, process.memoryUsage.rss() / 1e6)), 50);
  const client = async () => {
    while (performance.now() < end) {
      const found = await fetchPage(1 + (pages % 2));
      if (found !== 20) throw new Error(`${found} businesses instead of 20`);
      pages += 1;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, client));
  clearInterval(watch);
  return { perSecond: pages / ((performance.now() - started) / 1_000), peakMb };
}

function webmapPage(): (page: number) => Promise<number> {
  const source = createWebmap({
    outbound: createOutbound({ allow: ["127.0.0.0/8"] }),
    baseUrl: url,
    rate: 0,
    samplesFolder: join(tmpdir(), "waypost-bench-webmap"),
    clock: systemClock,
    log: silentLog,
    counter: noMeters.counter,
  });
  const { signal } = new AbortController();
  return async (page) => {
    const { listings } = await source.search({ q: "coffee", page, hl: "en", extra: false }, signal);
    return listings.length;
  };
}

/** The least that anybody must do to have the page as values. */
function barePage(): (page: number) => Promise<number> {
  const pool = new Pool(url, { connections: 128, pipelining: 1 });
  return async (page) => {
    const path = `/search?authuser=0&tbm=map&hl=en&q=coffee&pb=!7i20!8i${20 * (page - 1)}!10b1`;
    const { body } = await pool.request({ method: "GET", path, headers: { "accept-encoding": "gzip" } });
    const text = gunzipSync(await body.arrayBuffer()).toString("utf8");
    const root = JSON.parse(text.slice(text.indexOf("\n") + 1)) as [[string, unknown[]]];
    return root[0][1].length - 1;
  };
}
