import assert from "node:assert/strict";
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { writeRecord } from "../../../../e2e/webmap/record.ts";
import type { Fault } from "../../../../e2e/webmap/replay.ts";
import { cafe as inventCafe } from "../../../../e2e/webmap/town.ts";
import { manualClock } from "../../../test/harness.ts";
import type { Outbound } from "../../platform/net/outbound.ts";
import { guard } from "../breaker.ts";
import { SourceFailure, type SourceQuery } from "../source.ts";
import { cameraOf } from "./request.ts";
import { startMap, type TestMap } from "./testing.ts";
import type { WebmapOptions } from "./webmap.ts";

const signal = () => new AbortController().signal;
const query = (asked: Partial<SourceQuery> = {}): SourceQuery => ({
  q: "cafés",
  page: 1,
  hl: "en",
  extra: false,
  ...asked,
});

async function find({ source }: TestMap, asked: Partial<SourceQuery> = {}) {
  return source.search(query(asked), signal());
}

async function failureOf(map: TestMap, asked: Partial<SourceQuery> = {}): Promise<SourceFailure> {
  const failure = await find(map, asked).catch((error: unknown) => error);
  assert.ok(failure instanceof SourceFailure, String(failure));
  return failure;
}

test("a search asks for the page, the language, the country and the window, as one honest client", async (t) => {
  const map = await startMap(t);

  await find(map, { q: "cafés & more", page: 3, hl: "de", gl: "LI", ll: "@47.141,9.521,14z" });

  const [asked] = map.replay.asked;
  const given = Object.fromEntries(asked?.query ?? []);
  assert.equal(asked?.path, "/search");
  assert.equal(asked.userAgent, "Waypost/0.1");
  assert.deepEqual(
    [given["tbm"], given["authuser"], given["hl"], given["gl"], given["q"]],
    ["map", "0", "de", "LI", "cafés & more"],
  );
  const meters = (156_543.03 * Math.cos((47.141 * Math.PI) / 180) * 1024) / 2 ** 14;
  assert.match(
    given["pb"] ?? "",
    new RegExp(`^!4m12!1m3!1d${meters.toFixed(3)}!2d9.521!3d47.141!2m3.*!7i20!8i40!10b1$`),
  );
});

test("a window at the poles and a text that is none are no trouble", () => {
  assert.equal(cameraOf("@90,0,21z")?.diameterM, 1);
  assert.equal(cameraOf("@91"), undefined);
});

test("everything the record holds is read into the listing", async (t) => {
  const map = await startMap(t);

  const [cafe, second] = (await find(map)).listings;

  assert.equal(cafe?.name, "Replay Café 1");
  assert.match(cafe.dataId ?? "", /^0x[0-9a-f]+:0x[0-9a-f]+$/);
  assert.equal(cafe.cid, BigInt(cafe.dataId?.split(":")[1] ?? "").toString());
  assert.ok(BigInt(cafe.cid) > 2n ** 53n);
  assert.equal(cafe.placeId, "ChIJreplay0000000001");
  assert.equal(cafe.kgmid, "/g/11replay1");
  assert.deepEqual(cafe.categories, ["Coffee shop", "Establishment"]);
  assert.deepEqual(cafe.address, {
    formatted: "Städtle 1, Vaduz 9490, Liechtenstein",
    street: "Städtle 1",
    city: "Vaduz",
    region: null,
    postalCode: "9490",
    countryCode: "LI",
    municipality: "Vaduz 9490",
  });
  assert.deepEqual([cafe.phone, cafe.phones], ["+423 232 1001", ["+423 232 1001"]]);
  assert.deepEqual([cafe.website, cafe.domain], ["https://cafe-1.example/", "cafe-1.example"]);
  assert.deepEqual([cafe.rating, cafe.reviewCount, second?.priceRange], [3.1, 11, "$$"]);
  assert.deepEqual(cafe.about[0], { category: "Service options", options: { Delivery: true, Takeout: false } });
  assert.deepEqual(cafe.amenities, ["Restroom"]);
  assert.deepEqual([cafe.claimed, cafe.owner?.id], [true, "100000000000000000001"]);
  assert.equal(cafe.mapsUrl, `${map.replay.url}/maps?cid=${cafe.cid}`);
  assert.equal(cafe.plusCode?.length, 11);
  assert.equal(cafe.timeZone, "Europe/Vaduz");
  assert.deepEqual([cafe.reviewsState, cafe.photosState], ["not_requested", "not_requested"]);
  assert.equal(cafe.fieldStates["featuredImageUrl" as never], "not_requested");
});

test("split shifts, midnight, round the clock, past midnight and closed days are read as hours", async (t) => {
  const map = await startMap(t);

  const { listings } = await find(map);

  const [split, odd] = [listings[0]?.openingHours?.weekly, listings[1]?.openingHours?.weekly];
  assert.deepEqual(split?.monday, [
    { opens: "09:00", closes: "12:30" },
    { opens: "14:00", closes: "19:00" },
  ]);
  assert.deepEqual(split.saturday, [{ opens: "12:00", closes: "24:00" }]);
  assert.deepEqual(split.sunday, []);
  assert.deepEqual(odd?.monday, [{ opens: "00:00", closes: "23:00" }]);
  assert.deepEqual(odd.tuesday, [{ opens: "00:00", closes: "24:00" }]);
  assert.deepEqual(odd.friday, [{ opens: "18:00", closes: "02:00" }]);
});

test("a single result, a state, stars, a description and a closed business are read for what they are", async (t) => {
  const map = await startMap(t);

  const { listings: hotels } = await find(map, { q: "hotel in Springfield" });
  const { listings: bars } = await find(map, { q: "replay bar" });
  const { listings: cafes } = await find(map);

  assert.equal(hotels.length, 1);
  assert.deepEqual([hotels[0]?.address.region, hotels[0]?.hotelClass], ["Illinois", 4]);
  assert.equal(hotels[0]?.description, "A hotel that exists in tests only.");
  assert.deepEqual([bars[0]?.businessStatus, bars[0]?.note], ["CLOSED_PERMANENTLY", null]);
  assert.deepEqual([cafes[5]?.businessStatus, cafes[5]?.note], [null, "Dogs allowed"]);
  assert.equal(cafes[4]?.claimed, false);
});

test("whatever the form of the answer, the same businesses come of it, and no advertisement", async (t) => {
  const map = await startMap(t);
  const usual = (await find(map)).listings;

  for (const form of ["other", "wrapped", "escaped"] as const) {
    map.replay.form = form;
    assert.deepEqual((await find(map)).listings, usual, form);
  }
});

const classes: [Fault, kind: string, action: string, code: string, retryAfter?: number][] = [
  ["block", "blocked", "slow_down", "source_failed", 600],
  ["too_many", "blocked", "slow_down", "source_unavailable", 7],
  ["consent", "consent", "slow_down", "source_failed", 600],
  ["consent_page", "consent", "slow_down", "source_failed", 600],
  ["layout", "layout_unknown", "slow_down", "source_failed", 120],
  ["nested", "layout_unknown", "slow_down", "source_failed", 120],
  ["unproved_empty", "layout_unknown", "slow_down", "source_failed", 120],
  ["unavailable", "overloaded", "slow_down", "source_unavailable", 9],
  ["shell", "shell", "try_again", "source_failed"],
  ["truncated", "cut_off", "try_again", "source_failed"],
  ["server_error", "server_error", "try_again", "source_failed"],
  ["wrong_city", "wrong_place", "try_again", "source_failed"],
  ["moved", "moved", "give_up", "source_failed"],
  ["rejected", "rejected", "give_up", "source_failed"],
  ["too_large", "too_large", "give_up", "source_failed"],
];

for (const [fault, kind, action, code, retryAfter] of classes) {
  test(`${fault}: the answer is ${kind}, counted and logged as such, and never an empty page`, async (t) => {
    const map = await startMap(t);
    map.replay.fault = fault;

    const failure = await failureOf(map, {
      q: fault === "unproved_empty" ? "bakeries" : "cafés",
      ll: "@47.141,9.521,14z",
    });

    assert.deepEqual([failure.action, failure.code, failure.retryAfterSeconds], [action, code, retryAfter]);
    assert.equal(map.counts.get(`answers_total search ${kind}`), 1);
    const line = map.lines.find(({ message }) => message === "source.failed");
    assert.deepEqual([line?.fields["class"], line?.fields["code"]], [kind, code]);
  });
}

test("a map that does not answer is a timeout, and one that is away cannot be reached", async (t) => {
  const map = await startMap(t);
  map.replay.fault = "slow";
  const leaving = new AbortController();
  const waiting = map.source.search(query(), leaving.signal);
  while (map.replay.asked.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  leaving.abort(new Error("The caller left."));
  await assert.rejects(waiting, { message: "The caller left." });

  await map.replay.close();
  const failure = await failureOf(map);
  assert.deepEqual([failure.action, failure.code], ["try_again", "source_unavailable"]);
});

test("after a block the map is left alone until the time is over", async (t) => {
  const map = await startMap(t);
  map.replay.fault = "too_many";
  await failureOf(map);
  map.replay.fault = undefined;

  assert.equal((await failureOf(map)).action, "slow_down");
  assert.equal(map.replay.asked.length, 1);
  map.advance(8_000);
  assert.equal((await find(map)).listings.length, 20);
});

test("after three failures in a row the map is left alone, whatever their class", async (t) => {
  const map = await startMap(t);
  for (const fault of ["rejected", "moved", "too_large", "server_error"] as const) {
    const guarded = guard(map.source, { clock: manualClock() });
    map.replay.fault = fault;
    map.replay.asked.length = 0;

    for (let times = 0; times < 5; times += 1) await guarded.search(query(), signal()).catch(() => undefined);

    assert.equal(map.replay.asked.length, 3, fault);
  }
});

test("questions that have no answer near their window are no reason to leave the map alone", async (t) => {
  const map = await startMap(t);
  const guarded = guard(map.source, { clock: manualClock() });
  map.replay.fault = "wrong_city";

  for (let times = 0; times < 5; times += 1) {
    await assert.rejects(guarded.search(query({ ll: "@47.141,9.521,14z" }), signal()), { refusal: "wrong_place" });
  }
  map.replay.fault = undefined;

  assert.equal((await guarded.search(query(), signal())).listings.length, 20);
});

/** A map with one answer to everything. */
function answering(status: number, headers: Record<string, string>, body: string | Buffer): Partial<WebmapOptions> {
  const answer = { status, headers, body: Buffer.from(body), truncated: false };
  const request: Outbound["request"] = async ({ url }) => ({ ...answer, url });
  return { outbound: { request, check: async () => {}, close: async () => {} } };
}

test("a map that says until when is left alone until then", async (t) => {
  const map = await startMap(t, answering(429, { "retry-after": "Tue, 22 Sep 2026 10:15:00 GMT" }, "Later."));

  assert.equal((await failureOf(map)).retryAfterSeconds, 45 * 60);
});

test("a page that shows a captcha is a block, whatever it begins with", async (t) => {
  for (const start of ["<!-- 1 --><html>", "\n<div>", "\ufeff<!doctype html>", "<form>"]) {
    const map = await startMap(t, answering(200, {}, `${start}unusual traffic`));

    assert.equal((await failureOf(map)).retryAfterSeconds, 600, start);
  }
});

test("an answer is read in the encoding it names, with any form of the guard", async (t) => {
  const row = [...Array.from({ length: 14 }, () => null), writeRecord({ ...inventCafe(1), name: "Café Zürich" })];
  const json = JSON.stringify([["cafés", [row]], [[3000, 9.521, 47.141]]]);
  const latin1 = { "content-type": "application/json; charset=ISO-8859-1" };
  const answers = [
    answering(200, latin1, Buffer.from(`)]}'\n${json}`, "latin1")),
    ...[")]}'\n", ")]}',\n", ")]}\n", "\ufeff)]}'\n", "\ufeff", ""].map((guarded) =>
      answering(200, {}, guarded + json),
    ),
  ];

  for (const line of ["while(1);", "while (1) {}\n", "for(;;);", "throw 1; <don't be evil>\n", "{}&& "]) {
    answers.push(answering(200, {}, line + json));
  }
  const lines = [
    ')]}"\n',
    ")]}'\n)]}'\n",
    ")]}'\n\ufeff",
    "while(true);",
    "&&&START&&&",
    "//\n",
    ")]}'\n\n4711\n",
    ")]}'\u2028",
  ];
  for (const line of lines) answers.push(answering(200, {}, line + json));
  for (const [before, behind] of [
    ["/*", "*/"],
    ["answer(", ");"],
    [")]}'\n", ';/*""*/'],
    ["", "\0"],
  ] as const) {
    answers.push(answering(200, {}, before + json + behind));
  }
  // A guard inside of a text is none.
  answers.push(answering(200, {}, JSON.stringify([[")]}' cafés", [row]], [[3000, 9.521, 47.141]]])));

  for (const [index, answer] of answers.entries()) {
    const map = await startMap(t, answer);
    assert.equal((await find(map)).listings[0]?.name, "Café Zürich", `${index}`);
  }
});

test("names are read in the encoding that they are in, and one in none is no name", async (t) => {
  const row = [...Array.from({ length: 14 }, () => null), writeRecord({ ...inventCafe(1), name: "Кафе Ильон" })];
  const json = JSON.stringify([["cafés", [row]], [[3000, 9.521, 47.141]]]);
  const headers = (charset: string) => ({ "content-type": `application/json; charset=${charset}` });
  const narrow = Buffer.from(json.replaceAll("Кафе Ильон", "\u00ca\u00e0\u00f4\u00e5"), "latin1");

  for (const charset of ["ISO-8859-1", "us-ascii", "iso-8859-7", "windows-1251", "shift_jis", "utf-8"]) {
    const map = await startMap(t, answering(200, headers(charset), json));
    assert.equal((await find(map)).listings[0]?.name, "Кафе Ильон", charset);
  }
  const named = await startMap(t, answering(200, headers("windows-1251"), narrow));
  assert.equal((await find(named)).listings[0]?.name, "Кафе");
  const [garbled] = (await find(await startMap(t, answering(200, {}, narrow)))).listings;
  assert.deepEqual([garbled?.name, Reflect.get(garbled?.fieldStates ?? {}, "name")], [null, "parse_failed"]);
});

test("requests keep to the operator's rate", async (t) => {
  const map = await startMap(t, { rate: 0.5 });

  for (let page = 1; page <= 3; page += 1) await find(map, { page });

  assert.deepEqual(map.waits, [2000, 2000]);
});

test("a sample of an unknown layout is kept for the operator alone, and only few of them", async (t) => {
  const map = await startMap(t);
  map.replay.fault = "layout";
  for (let times = 0; times < 8; times += 1) {
    await failureOf(map);
    map.advance(200_000);
  }

  const files = await readdir(map.samplesFolder);
  assert.equal(files.length, 5);
  const file = join(map.samplesFolder, files[0] ?? "");
  assert.equal((await stat(file)).mode & 0o777, 0o600);
  assert.match(await readFile(file, "utf8"), /^\)\]\}'/);
});

test("a trimmed answer withholds fields instead of denying them", async (t) => {
  const map = await startMap(t);
  map.replay.fault = "trimmed";
  const { listings, verdict } = await find(map);
  map.replay.fault = "one_day";
  const oneDay = await find(map);

  assert.equal(verdict, "trimmed");
  for (const { fieldStates } of listings) {
    const states = fieldStates as Record<string, string>;
    assert.deepEqual(
      [states["reviewCount"], states["phone"], states["priceRange"], states["businessStatus"]],
      Array.from({ length: 4 }, () => "not_supplied"),
    );
  }
  assert.equal(oneDay.verdict, "trimmed");
  assert.deepEqual(oneDay.listings[0]?.openingHours, null);
  for (const { fieldStates } of oneDay.listings) assert.equal(Reflect.get(fieldStates, "openingHours"), "not_supplied");
});

test("a query that names the place wins over the window", async (t) => {
  const map = await startMap(t);

  assert.equal((await find(map, { q: "cafés in Vaduz", ll: "@38.03,23.7,14z" })).verdict, "ok");
  assert.equal((await failureOf(map, { q: "cafés", ll: "@38.03,23.7,14z" })).code, "source_failed");
});

test("a position that moved is counted, by field", async (t) => {
  const map = await startMap(t);

  await find(map);

  assert.equal(map.counts.get("records_total"), 20);
  assert.equal(map.counts.get("field_drift_total region missing"), 20);
  assert.equal(map.counts.get("field_drift_total ownerId fallback"), 16);
  assert.equal(map.counts.get("field_drift_total name missing"), undefined);
});
