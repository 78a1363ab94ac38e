import { distanceM, type Point } from "../geography/points.ts";
import type { Hit } from "../place-index/port.ts";
import { together } from "./costs.ts";
import { askedOf, leniencies, type Leniency, type Region, regionsAround, regionsOf, type View } from "./plan.ts";
import { radiusOf } from "./names.ts";
import { type Ask, bestOf, searchRegion } from "./search-region.ts";
import { type Interpretation, isNamedWhere, type NamedWhere, type Target, targetOf } from "./spans.ts";

/** A search that was made: for which reading, how exactly, in which region, and how much it found. */
export type Probe = {
  of: number;
  leniency: Leniency | "where";
  region: number;
  found: number;
  /** The same for readings that look for the same. */
  search: string;
};

export type Answer = { hits: readonly Hit[]; isComplete: boolean; probes: readonly Probe[] };

type Options = {
  view: View;
  limit: number;
  ask: Ask;
  /** The searches that an earlier reading of the same question made. */
  before: readonly Probe[];
};

/** A reading in one region of its where. */
type Step = { read: Interpretation; region: Region };
type Together = { planned: readonly Planned[]; isFirst: boolean };
/** The first step, and those that look farther, which take searches themselves to find out. */
type Steps = { near: Step | undefined; far: () => Promise<readonly Step[]> };
type Planned = Steps & { of: number };

/** A question costs no more searches, whatever it may mean. */
const searchesMax = 8;
/** More than a page is looked for no farther away, and what is found as typed is not looked for otherwise. */
const enough = 20;

function isEnough(leniency: Leniency, hits: readonly Hit[]): boolean {
  return hits.length >= (leniency === "exact" ? enough : 1);
}

type Rung = { leniency: Leniency; isNear: boolean };

/** How to look on where too little is found: as mistyped, farther away, by fewer words. */
const ladder: readonly Rung[] = [
  { leniency: "exact", isNear: true },
  { leniency: "typos", isNear: true },
  // What is spelled right but lies farther away counts for less than a typo near by.
  { leniency: "exact", isNear: false },
  { leniency: "relaxed", isNear: true },
  { leniency: "typos", isNear: false },
  { leniency: "relaxed", isNear: false },
  { leniency: "coarse", isNear: true },
  { leniency: "coarse", isNear: false },
  { leniency: "half", isNear: true },
  { leniency: "half", isNear: false },
];
/** So many places tell where a postcode or a street is. */
const spotsMax = 32;
/** Farther from the first of them is another one. */
const spotsReachM = 20_000;

/** Searches by the cheapest readings together, and by costlier ones only where those find nothing. */
export async function answer(interpretations: readonly Interpretation[], options: Options): Promise<Answer> {
  const { view, limit, before } = options;
  const probes = [...before];
  const made = new Set(probes.map(({ search }) => search));
  let isComplete = true;

  async function ask(
    read: Interpretation,
    region: Region,
    probe: Omit<Probe, "found" | "search">,
    most = limit,
  ): Promise<Hit[]> {
    const asked = askedOf(read, probe.leniency === "where" ? "exact" : probe.leniency);
    const search = JSON.stringify([asked, region, most]);
    if (asked.length === 0 || made.has(search) || made.size === searchesMax) return [];
    made.add(search);
    const found = await searchRegion(asked, region, { limit: most, ask: options.ask });
    probes.push({ ...probe, found: found.hits.length, search });
    isComplete &&= found.isComplete;
    return found.hits;
  }

  async function stepsOf(read: Interpretation, of: number): Promise<Steps> {
    const named = read.where.filter(isNamedWhere);
    const near = named.find(targetOf);
    if (near) return inTurn(await stepsNear(read, of, near));
    const steps = inTurn(regionsOf(read, view).map((region) => ({ read, region })));
    const place = named.find((where) => "at" in where || "on" in where);
    if (!place || (read.want.kinds.length === 0 && read.want.brand === null)) return steps;
    let around: Promise<readonly Step[]> | undefined;
    return { near: steps.near, far: () => (around ??= stepsAround(read, of, place)) };
  }

  /** What is wanted in a street or a postcode is wanted around it too. */
  async function stepsAround(read: Interpretation, of: number, place: NamedWhere): Promise<readonly Step[]> {
    const spot = await spotOf({ ...read, want: nothing, where: [place] }, of);
    const rest = { ...read, where: read.where.filter((where) => where !== place) };
    if (spot && !isInReach(spot, read)) return regionsOf(rest, view).map((region) => ({ read: rest, region }));
    const around = spot ? regionsAround(spot, reachOf(place), null) : [];
    return around.map((region) => ({ read: rest, region: { ...region, penalty: outside } }));
  }

  async function stepsNear(read: Interpretation, of: number, near: NamedWhere): Promise<Step[]> {
    const rest = { ...read, where: read.where.filter((where) => where !== near) };
    const regions = regionsOf(rest, view);
    const target = targetOf(near);
    const point = target && (await locate(target, of, regions));
    if (point) {
      const around =
        "within" in near ? regionsAround(point, near.within, rest).slice(0, 1) : regionsAround(point, nearM, rest);
      return around.map((region) => ({ read: rest, region }));
    }
    // Where there is no airport, what was wanted near one is still wanted; of a name that nobody knows nothing is near.
    const isThing = target?.is === "kind" || (target?.is === "name" && target.isThing && view.circle !== null);
    return isThing ? regions.map((region) => ({ read: rest, region })) : [];
  }

  /** Where the nearest of a kind is, or a place of that name. */
  async function locate(target: Target, of: number, regions: readonly Region[]): Promise<Point | undefined> {
    if (target.is === "point") return target.center;
    const want = { ...nothing, words: target.words, kinds: target.is === "kind" ? [target.kinds] : [] };
    for (const [at, region] of regions.entries()) {
      const [hit] = await ask(bare(want, []), region, { of, leniency: "where", region: at }, 1);
      if (hit) return hit;
    }
    return undefined;
  }

  /** The middle of the places in a street or a postcode. */
  async function spotOf(read: Interpretation, of: number): Promise<Point | undefined> {
    const [region] = regionsOf(read, view);
    const hits = region ? await ask(read, region, { of, leniency: "where", region: 0 }, spotsMax) : [];
    return middleOf(hits);
  }

  /** In the first regions, or in the others from the nearest on until there are enough. */
  async function searchRung({ planned, isFirst }: Together, { leniency, isNear }: Rung, known: readonly Hit[]) {
    const rows: { of: number; steps: readonly Step[] }[] = [];
    for (const { of, near, far } of planned) rows.push({ of, steps: isNear ? (near ? [near] : []) : await far() });
    let hits = known;
    for (let at = 0; rows.some(({ steps }) => at < steps.length) && !isEnough(leniency, hits); at += 1) {
      const found: Hit[] = [];
      for (const { of, steps } of rows) {
        const step = steps[at];
        if (!step || !isFor(leniency, step.read, isFirst)) continue;
        found.push(...(await ask(step.read, step.region, { of, leniency, region: isNear ? 0 : at + 1 })));
      }
      hits = bestOf([...hits, ...found]);
    }
    return hits;
  }

  async function answerBy(all: Together, wanted: readonly Leniency[]): Promise<readonly Hit[]> {
    let hits: readonly Hit[] = [];
    for (const rung of ladder) {
      if (wanted.includes(rung.leniency) && !isEnough(rung.leniency, hits)) hits = await searchRung(all, rung, hits);
    }
    return hits;
  }

  for (const { group, wanted } of groupsOf(interpretations)) {
    const planned: Planned[] = [];
    for (const [read, of] of group) planned.push({ of, ...(await stepsOf(read, of)) });
    const hits = await answerBy({ planned, isFirst: group[0]?.[1] === 0 }, wanted);
    if (hits.length > 0) return { hits: hits.slice(0, limit), isComplete, probes };
  }
  return { hits: [], isComplete, probes };
}

function inTurn([near, ...others]: readonly Step[]): Steps {
  return { near, far: async () => others };
}

/** What is around a street or a postcode comes after what is in it. */
const outside = 110;

const nothing = { kinds: [], isLoose: false, words: [], brand: null, contact: null } as const;

function bare(want: Interpretation["want"], where: Interpretation["where"]): Interpretation {
  return { want, where, attributes: [], open: null, cost: 0, spans: [] };
}

/** A street or a postcode of another town than the one beside it is not meant. */
function isInReach(spot: Point, { where }: Interpretation): boolean {
  return where.filter(isNamedWhere).every((each) => {
    if (!("in" in each) || each.in.kind === "country") return true;
    const { center } = each.in;
    return distanceM(spot.latitude, spot.longitude, center.latitude, center.longitude) <= radiusOf(each.in) * 2;
  });
}

function reachOf(where: NamedWhere): number {
  return "on" in where ? 500 : 1_500;
}

/** How far from what it is to be near of people look first. */
const nearM = 1_500;

type Group = { group: (readonly [Interpretation, number])[]; wanted: readonly Leniency[] };

/** So many are searched together at most. */
const togetherMax = 4;

/** Readings that are searched together, the likeliest first. */
function groupsOf(interpretations: readonly Interpretation[]): Group[] {
  const [first] = interpretations;
  if (!first) return [];
  const isName = interpretations.every(({ want, where }) => want.kinds.length === 0 && !where.some(isNamedWhere));
  const groups: Group[] = [];
  let least = -Infinity;
  for (const [at, read] of interpretations.entries()) {
    if (groups.length === 0 || read.cost > least + together) {
      least = read.cost;
      const wanted = leniencies.filter(
        (each) => isName || (groups.length === 0 ? each !== "half" : each === "exact" || each === "typos"),
      );
      groups.push({ group: [], wanted });
    }
    const group = groups.at(-1)?.group;
    if (group && group.length < togetherMax && (read === first || mayFollow(read, first))) group.push([read, at]);
  }
  return groups;
}

/** Readings after the first ones are of what is called so, mistyped or not, or of just what was typed. */
function isFor(leniency: Leniency, { want, where }: Interpretation, isFirst: boolean): boolean {
  return isFirst || leniency === "exact" || (want.kinds.length === 0 && !where.some(isNamedWhere));
}

/** What is wanted somewhere is not wanted elsewhere: after it only what is called just so answers, or lies in a where as well. */
function mayFollow({ want, where, cost }: Interpretation, first: Interpretation): boolean {
  const named = first.where.filter(isNamedWhere).length;
  const isElsewhere = first.where.filter(isNamedWhere).some((each) => "in" in each && each.in.places === 0);
  if (first.want.kinds.length === 0 || named === 0) return true;
  if (want.kinds.length === 0) return !isElsewhere || !where.filter(isNamedWhere).some(targetOf);
  if (isElsewhere) return false;
  return cost <= first.cost + together || where.filter(isNamedWhere).length >= named;
}

/** The middle of the points that lie around the first. */
function middleOf(points: readonly Point[]): Point | undefined {
  const [first] = points;
  if (!first) return undefined;
  const near = points.filter(
    (point) => distanceM(first.latitude, first.longitude, point.latitude, point.longitude) <= spotsReachM,
  );
  return {
    latitude: median(near.map(({ latitude }) => latitude)),
    longitude: median(near.map(({ longitude }) => longitude)),
  };
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
}
