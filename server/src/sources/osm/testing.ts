import type { IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import type { TestContext } from "node:test";
import { startHttp } from "../../../test/local-servers.ts";
import { openOutbound } from "../../../test/outbound.ts";
import { silentLog } from "../../platform/log.ts";
import { createOsm } from "./osm.ts";

export type Reply = { status?: number; headers?: Record<string, string>; body: string | Buffer; after?: Promise<void> };

const json = (value: unknown): Reply => ({
  body: JSON.stringify(value),
  headers: { "content-type": "application/json" },
});

export const vaduz = {
  osm_type: "relation",
  osm_id: 1155956,
  category: "boundary",
  lat: "47.1393",
  lon: "9.5228",
  boundingbox: ["47.09", "47.19", "9.50", "9.61"],
};

export const overpassAnswer = (elements: unknown[], more: object = {}): Reply =>
  json({ version: 0.6, osm3s: { timestamp_osm_base: "2026-09-22T09:00:00Z" }, elements, ...more });

/** A small town of our own making: its Nominatim, its Overpass, and a clock that moves when somebody waits. */
export async function startWorld(t: TestContext, { contact }: { contact?: string } = {}) {
  const requests: { path: string; query: string; userAgent: string | undefined }[] = [];
  const waits: number[] = [];
  let now = Date.parse("2026-09-22T09:30:00.000Z");
  const world = {
    requests,
    waits,
    nominatim: (q: string): Reply => json(/vaduz|liechtenstein|^li$/i.test(q) ? [vaduz] : []),
    overpass: (query: string): Reply => overpassAnswer(elementsFor(query)),
    status: (): Reply => ({ status: 404, body: "" }),
    advance: (milliseconds: number) => (now += milliseconds),
    queriesOf: (path: string) => requests.filter((one) => one.path === path).map(({ query }) => query),
  };

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", "http://localhost");
    const form = new URLSearchParams(await text(request));
    const query = form.get("data") ?? url.searchParams.get("q") ?? url.searchParams.get("country") ?? "";
    requests.push({ path: url.pathname, query, userAgent: request.headers["user-agent"] });
    const replies: Record<string, () => Reply> = {
      "/search": () => world.nominatim(query),
      "/api/interpreter": () => world.overpass(query),
      "/api/status": () => world.status(),
    };
    const reply = replies[url.pathname]?.() ?? { status: 404, body: "" };
    await reply.after;
    response.writeHead(reply.status ?? 200, reply.headers).end(reply.body);
  }

  const { port } = await startHttp(t, (request, response) => void answer(request, response));
  const source = createOsm({
    outbound: openOutbound(t),
    nominatimUrl: `http://127.0.0.1:${port}/`,
    overpassUrl: `http://127.0.0.1:${port}/api`,
    contact,
    clock: { now: () => new Date(now) },
    log: silentLog,
    wait: async (milliseconds) => {
      waits.push(milliseconds);
      now += milliseconds;
    },
  });
  return Object.assign(world, { source });
}

export type World = Awaited<ReturnType<typeof startWorld>>;

/** Forty-five cafés, and the area where the query asks for it. */
export function elementsFor(query: string): unknown[] {
  const area = query.includes("area(id:") ? [{ type: "area", id: 3_601_155_956 }] : [];
  const cafes = query.includes('"amenity"="cafe"') || query.includes("node(id:") ? 45 : 0;
  const wanted = /\["name"~"([^"]*)",i\]/.exec(query)?.[1]?.toLowerCase() ?? "";
  const elements = Array.from({ length: cafes }, (_, index) => ({
    type: index % 9 === 0 ? "way" : "node",
    id: 100 + index,
    ...(index % 9 === 0 ? { center: pointAt(index) } : pointAt(index)),
    tags: {
      name: index === 40 ? "Café Adler" : `Café ${index}`,
      amenity: "cafe",
      cuisine: "coffee_shop",
      phone: "239 20 20",
    },
  }));
  return [...area, ...elements.filter(({ tags }) => tags.name.toLowerCase().includes(wanted))];
}

function pointAt(index: number) {
  return { lat: 47.139 + index / 10_000, lon: 9.52 };
}
