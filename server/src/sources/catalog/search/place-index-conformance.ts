import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { asName, type Question, readWhat } from "../../query/question.ts";
import { type BlockPlace, decodeBlock } from "./block.ts";
import { encodeBlock } from "./pack-block.ts";
import type { Lookup, PlaceIndex } from "./place-index.ts";
import { clipped, type Region, regionsOf, type Where } from "./region.ts";
import { type Candidate, type Leniency, offerInside, searchBlock } from "./search-block.ts";
import { createTop } from "./top.ts";

type Given = { index: PlaceIndex; places: readonly BlockPlace[] };
type Asked = Pick<Lookup, "question" | "leniency" | "regions" | "limit">;

const wholeEarth = [-900_000_000, -1_800_000_000, 900_000_000, 1_800_000_000];
const samples = 3;
const keptMax = 60;
const leniencies: readonly Leniency[] = ["exact", "typos", "relaxed", "partial"];

/**
 * The contract of a place index: whatever the question and wherever it looks, it finds the places, and the scores,
 * that comparing each place one by one finds.
 */
export function placeIndexConformance(name: string, open: (t: TestContext) => Promise<Given>): void {
  void test(`${name} finds what comparing every place finds`, async (t) => {
    const { index, places } = await open(t);
    const block = decodeBlock(encodeBlock(places));
    for (const asked of lookups(places)) {
      const looking = index.look({ ...asked, signal: new AbortController().signal, until: Infinity });
      const expected = lookOneByOne(block, asked);
      // Once there is enough nobody looks farther, and what lies there need not be known.
      while (looking.hasNext() && looking.count() < asked.limit) {
        await looking.searchNext();
        const hits = expected.next().value;
        const what = `${asked.leniency} ${JSON.stringify(asked.question.words)}`;
        const list = looking.list();
        assert.deepEqual(
          list.map(({ number }) => number),
          hits?.map(({ number }) => number),
          what,
        );
        // One measures distances on a sphere and the other on a plane.
        for (const [at, { score }] of list.entries())
          assert.ok(Math.abs(score - (hits?.[at]?.score ?? 0)) < 0.01, `${what}: ${score}`);
        assert.equal(looking.isComplete(), true, what);
      }
    }
    for (const place of sampleOf(places)) assert.ok(index.hasPlacesAt(place));
    assert.equal(index.hasPlacesAt({ latitude: -60, longitude: -100 }), false);

    const [asked] = lookups(places);
    assert.ok(asked);
    const left = index.look({ ...asked, signal: AbortSignal.abort(new Error("left")), until: Infinity });
    await assert.rejects(left.searchNext(), /left/, "it ends when its caller leaves");
  });
}

/** The list after each region. */
function* lookOneByOne(block: ReturnType<typeof decodeBlock>, { question, leniency, regions, limit }: Asked) {
  const top = createTop(limit);
  const widest = regions.at(-1);
  const distances = question.words.map(() => new Map<string, number>());
  const rest: Candidate[] = [];
  for (const [step, region] of regions.entries()) {
    if (!widest) return;
    const outside = widest === region ? undefined : rest;
    if (step === 0) searchBlock(block, wholeEarth, { question, region, outside, widest, leniency, top, distances });
    else rest.splice(0, rest.length, ...offerInside(rest, region, top));
    yield top.list();
  }
}

function lookups(places: readonly BlockPlace[]): Asked[] {
  return sampleOf(places).flatMap((place) => {
    const [first = ""] = place.nameWords;
    const typed = [
      place.nameWords,
      [first],
      [first.slice(0, 3)],
      [`${first.slice(0, 2)}q${first.slice(3)}`],
      [...place.nameWords, "xyzzy"],
      ["restaurant", first],
      ["filler", first],
      ["restaurants"],
    ];
    const questions: Question[] = typed.flatMap((words) => [readWhat(words, "en"), asName(words)]);
    return questions.flatMap((question) =>
      leniencies.flatMap((leniency) =>
        wheres(place).map((regions) => ({ question, leniency, regions, limit: keptMax })),
      ),
    );
  });
}

function sampleOf(places: readonly BlockPlace[]): BlockPlace[] {
  return places.filter((_, at) => at % Math.ceil(places.length / samples) === 0);
}

function wheres({ latitude, longitude, countryCode }: BlockPlace): Region[][] {
  const center = { latitude, longitude };
  const circle: Where = { kind: "circle", center, radiusM: 4_000 };
  const [around] = regionsOf(circle);
  const box = [latitude - 0.01, longitude - 0.01, latitude + 0.01, longitude + 0.01] as const;
  return [
    regionsOf(circle),
    regionsOf({ kind: "country", countryCode }),
    regionsOf({ kind: "everywhere" }),
    around ? [clipped(around, { box: [...box], contains: () => true })] : [],
  ];
}
