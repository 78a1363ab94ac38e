// A server that speaks the web map's protocol about businesses that do not exist:
// node e2e/webmap/replay.ts [port]
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { dataIdOf, type Invented, writeRecord } from "./record.ts";
import { findByNumber, findPlaces, townCenter } from "./town.ts";

/** What the map can do to its callers. */
export type Fault =
  | "block"
  | "too_many"
  | "consent"
  | "consent_page"
  | "shell"
  | "trimmed"
  | "one_day"
  | "wrong_city"
  | "slow"
  | "truncated"
  | "layout"
  | "nested"
  | "unproved_empty"
  | "server_error"
  | "unavailable"
  | "moved"
  | "rejected"
  | "too_large";

export type Form = "listed" | "other" | "wrapped" | "escaped";

export type Replay = {
  url: string;
  /** Every request, as its path and query. */
  asked: { path: string; query: URLSearchParams; userAgent: string | undefined; at: number }[];
  fault: Fault | undefined;
  /** What befalls place-detail requests alone. */
  detailFault: Fault | undefined;
  form: Form;
  close(): Promise<void>;
};

const pageSize = 20;
/** More than any answer of the map has. */
const largeBytes = 2_000_000;

export async function startReplay({ port = 0 } = {}): Promise<Replay> {
  const server = createServer((request, response) => answer(replay, request, response));
  const replay: Replay = {
    url: "",
    asked: [],
    fault: undefined,
    detailFault: undefined,
    form: "listed",
    close: () => closeServer(server),
  };
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  replay.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return replay;
}

async function closeServer(server: Server): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeAllConnections();
  await closed;
}

function answer(replay: Replay, request: IncomingMessage, response: ServerResponse): void {
  const url = new URL(request.url ?? "/", "http://localhost");
  const userAgent = request.headers["user-agent"];
  replay.asked.push({ path: url.pathname, query: url.searchParams, userAgent, at: Date.now() });
  const isDetail = url.pathname === "/maps/preview/place";
  if (!isDetail && url.pathname !== "/search") return void response.writeHead(404).end();
  const fault = isDetail ? (replay.detailFault ?? replay.fault) : replay.fault;
  if (fault && misbehave(fault, response)) return;
  if (fault === "nested") return send(response, request, "[".repeat(200_000) + "]".repeat(200_000), false);
  if (fault === "too_large") return send(response, request, `)]}'\n["${"x".repeat(largeBytes)}"]`, false);
  const root = isDetail ? detailAnswer(url.searchParams, fault) : searchAnswer(url.searchParams, fault, replay.form);
  if (root === undefined) return void response.writeHead(404).end();
  send(response, request, written(root, replay.form), fault === "truncated");
}

function written(root: unknown, form: Form): string {
  const json = `)]}'\n${JSON.stringify(root)}`;
  if (form === "wrapped") return `${JSON.stringify({ c: 0, d: json })}/*""*/`;
  // Escaped once more than JSON needs, as some answers are.
  return form === "escaped" ? json.replaceAll("=", "\\\\u003d").replaceAll("&", "\\\\u0026") : json;
}

function send(response: ServerResponse, request: IncomingMessage, text: string, isCut: boolean): void {
  const isGzip = (request.headers["accept-encoding"] ?? "").includes("gzip");
  const whole = isCut ? text.slice(0, text.length / 2) : text;
  const body = isGzip ? packed(whole) : Buffer.from(whole);
  response.writeHead(200, {
    "content-type": "application/json; charset=UTF-8",
    "content-length": body.length,
    ...(isGzip ? { "content-encoding": "gzip" } : {}),
  });
  response.end(body);
}

// The same answers are asked for again and again in benchmarks, where the server is not what is measured.
const packedTexts = new Map<string, Buffer>();

function packed(text: string): Buffer {
  let bytes = packedTexts.get(text);
  if (!bytes) packedTexts.set(text, (bytes = gzipSync(text)));
  if (packedTexts.size > 200) packedTexts.clear();
  return bytes;
}

type Page = { status: number; text: string; headers?: Record<string, string> };

/** Pages that come in place of the map's own answer. */
const pages: Partial<Record<Fault, Page>> = {
  block: { status: 200, text: "<body>Our systems have detected unusual traffic. <div id=captcha></div></body>" },
  too_many: { status: 429, text: "<body>Later.</body>", headers: { "retry-after": "7" } },
  consent: { status: 302, text: "", headers: { location: "https://consent.map.invalid/ml?continue=x" } },
  consent_page: { status: 200, text: '<form action="https://consent.map.invalid/save">Before you continue</form>' },
  shell: { status: 200, text: "<head><title>Map</title></head><body><script>boot()</script></body>" },
  server_error: { status: 500, text: "<body>Error</body>" },
  moved: { status: 301, text: "", headers: { location: "https://elsewhere.map.invalid/search" } },
  rejected: { status: 400, text: "<body>Bad request</body>" },
  unavailable: { status: 503, text: "<body>Busy</body>", headers: { "retry-after": "9" } },
};

/** False for what only changes the map's own answer. */
function misbehave(fault: Fault, response: ServerResponse): boolean {
  if (fault === "slow") return true; // no answer ever: the caller's deadline ends it
  const page = pages[fault];
  if (!page) return false;
  response.writeHead(page.status, { "content-type": "text/html", ...page.headers });
  response.end(`<!doctype html><html>${page.text}</html>`);
  return true;
}

function searchAnswer(query: URLSearchParams, fault: Fault | undefined, form: Form): unknown {
  const pb = query.get("pb") ?? "";
  const [, offset = "0"] = /!8i(\d+)/.exec(pb) ?? [];
  const [, longitude, latitude] = /!2d(-?[\d.]+)!3d(-?[\d.]+)/.exec(pb) ?? [];
  const hl = query.get("hl") ?? "en";
  const q = query.get("q") ?? "";
  const found = findPlaces(q).slice(Number(offset), Number(offset) + pageSize);
  const camera = [Number(longitude ?? townCenter.longitude), Number(latitude ?? townCenter.latitude)];
  if (fault === "unproved_empty") return [[q, []]];
  if (fault === "layout") return [[q, [[], ...found.map((place) => ({ title: place.name }))]], [[3000, ...camera]]];
  const records = found.map((place) => writeRecord(changed(place, fault), { hl }));
  const list = records.length === 1 ? [entry(records[0])] : [metadata(), ...records.map(entry)];
  if (form === "other") return otherForm(q, records, camera);
  return [
    [q, list, null, 1],
    [[3000, ...camera], [0, 0, 0], [1024, 1024], 13.1],
  ];
}

function changed(place: Invented, fault: Fault | undefined): Invented {
  if (fault === "trimmed") return { ...place, reviewCount: null, phone: null, price: null };
  if (fault === "one_day") return { ...place, hours: place.hours?.slice(0, 1) ?? null };
  if (fault === "wrong_city") {
    return { ...place, latitude: 38.03, longitude: 23.7, city: "Athens", country: "Greece", countryCode: "GR" };
  }
  return place;
}

function metadata(): unknown[] {
  return [null, null, null, null, null, null, null, null, "token", "token", [3, 0]];
}

function entry(record: unknown): unknown[] {
  return [...Array.from({ length: 14 }, () => null), record];
}

/** Results of length 2 beside an advertisement of length 3. */
function otherForm(q: string, records: readonly unknown[], camera: readonly number[]): unknown[] {
  const root: unknown[] = [[q], [[3000, ...camera]]];
  const advertised = writeRecord({ ...(findByNumber(1) as Invented), number: 900, name: "Advertised Café" });
  root[64] = [[null, advertised, "ad"], ...records.map((record) => [null, record])];
  return Array.from(root, (value) => value ?? null);
}

function detailAnswer(query: URLSearchParams, fault: Fault | undefined): unknown {
  const [, dataId] = /!1s(0x[0-9a-f]+:0x[0-9a-f]+)/.exec(query.get("pb") ?? "") ?? [];
  const number = Number.parseInt(/^0x47([0-9a-f]+):/.exec(dataId ?? "")?.[1] ?? "", 16) - 0x1000;
  const asked = findByNumber(number);
  if (!asked || dataIdOf(asked) !== dataId) return undefined;
  const place = fault === "wrong_city" ? { ...asked, number: number + 500 } : changed(asked, fault);
  return [null, [], null, null, [[0, 0, 0]], null, writeRecord(place, { isDetail: true, hl: query.get("hl") ?? "en" })];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const replay = await startReplay({ port: Number(process.argv[2] ?? 0) });
  process.stdout.write(`Replaying on ${replay.url}\n`);
}
