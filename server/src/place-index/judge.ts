import { distanceM } from "../geography/points.ts";
import type { Compiled } from "./clauses.ts";
import { type Search, weights, type Window } from "./port.ts";
import type { Needs, Row } from "./reads.ts";
import { statuses } from "./schema.ts";
import { isOpenIn, type OpenHours } from "./weeks.ts";

export const highestRank = 255;
const [closed, closedForNow] = [statuses.indexOf("closed"), statuses.indexOf("closed for now")];

export type Judge = {
  /** What a place is worth that a list of this grade, or a key, of the leading clause led to; undefined for one that does not answer. */
  scoreOf(row: Row, lead: Lead): number | undefined;
  /** What a statement must say of its places. */
  needs: Needs;
  /** The most that a place farther away than this may be worth, unless it is called just so. */
  boundAt(radiusM: number): number;
  /** The same for one of this rank or a lower one. */
  boundFrom(rank: number): number;
};

/** The clause that led to a place, and how well the place meets it; null where no clause led. */
export type Lead = { clause: Compiled; grade: number } | null;

type JudgeReads = {
  hasKey(key: number, place: number): boolean;
  /** The hours of a week, by its number. */
  hoursOf(week: number): Uint8Array;
  /** The number that stands for an object among the lists of a place; undefined for one that the file does not have. */
  listOfObject(id: string): number | undefined;
};

/** Decides whether a place answers, and what it is worth. */
export function createJudge(asked: Search, clauses: readonly Compiled[], reads: JudgeReads): Judge {
  const { hasKey, hoursOf, listOfObject } = reads;
  const { order, window, coverage, base, whole, least } = asked;
  const words = clauses.filter(({ isWord, must }) => isWord && must);
  const meeting = meetingOf(clauses);
  const grades = new Float64Array(clauses.length);
  const isInside = createInside(window);
  const asksKind = clauses.some(({ isKind, must }) => isKind && must);
  // A name or a number may be that of a business that is closed for good.
  const answersClosed = !asksKind && clauses.some(({ isWord, keys }) => isWord || keys.length > 0);
  const gainsMax = clauses.reduce((sum, clause) => sum + gainMax(clause), 0);
  const most = (base ?? 0) + gainsMax + coverage;
  const areas = window.areas.map(listOfObject);
  // The list that led to a place says all of one clause.
  const needs = { lists: clauses.length > 1 || areas.length > 0 };

  function scoreOf(row: Row, lead: Lead): number | undefined {
    const [, latitudeE7, longitudeE7, rank, country, , , , status, confidence] = row;
    const [latitude, longitude] = [latitudeE7 / 1e7, longitudeE7 / 1e7];
    if (!isInside(latitude, longitude, country)) return undefined;
    if (status === closed && !answersClosed) return undefined;
    const text = textOf(row, lead);
    if (text === undefined) return undefined;
    return text + (rank / highestRank) * weights.rank + nearnessOf(latitude, longitude) + lossOf(status, confidence);
  }

  function isOpen(week: number | null, hours: OpenHours): boolean {
    return week !== null && isOpenIn(hoursOf(week), hours);
  }

  function textOf([place, , , rank, , nameWords, lists, week]: Row, lead: Lead): number | undefined {
    grades.fill(-1);
    if (lead) grades[clauses.indexOf(lead.clause)] = lead.grade;
    if (lists && !liesInAll(integersOf(lists))) return undefined;
    let gained = 0;
    let byWords = 0;
    let optional = 0;
    let isOfKind = false;
    for (const [at, clause] of clauses.entries()) {
      const grade = gradeOf(clause, at, place, week);
      if (grade < 0 && clause.must) return undefined;
      if (grade < 0) continue;
      const gain = clause.worth + clause.well * grade;
      gained += gain;
      if (clause.isWord) byWords += gain;
      if (clause.isWord && !clause.must) optional += 1;
      isOfKind ||= clause.isKind;
    }
    // A bench or a playground answers only who looks for its kind.
    if (optional < least || (rank === 0 && !isOfKind)) return undefined;
    if (whole !== null && isWhole(nameWords)) return whole + gained - byWords;
    return base === null ? undefined : base + gained + coverage * Math.min(1, words.length / Math.max(1, nameWords));
  }

  function gradeOf({ keys, hours }: Compiled, at: number, place: number, week: number | null): number {
    const grade = grades[at] ?? -1;
    if (grade >= 0) return grade;
    return keys.some((key) => hasKey(key, place)) || hours.some((each) => isOpen(week, each)) ? 1 : grade;
  }

  /** Marks the clauses that lists of a place meet; false when it does not lie in all the areas of the window. */
  function liesInAll(lists: Uint32Array): boolean {
    for (const list of lists) {
      for (const [at, grade] of meeting.get(list) ?? []) grades[at] = Math.max(grades[at] ?? -1, grade);
    }
    return areas.every((area) => area !== undefined && lists.includes(area));
  }

  function isWhole(nameWords: number): boolean {
    if (words.length === 0 || nameWords !== words.length) return false;
    return clauses.every(({ isWord, must }, at) => !isWord || !must || grades[at] === 1);
  }

  function nearnessOf(latitude: number, longitude: number): number {
    if (order.by === "quality") return 0;
    const { center, scaleM } = order;
    return weights.nearness / (1 + distanceM(center.latitude, center.longitude, latitude, longitude) / scaleM);
  }

  return {
    scoreOf,
    needs,
    boundAt: (radiusM) =>
      order.by === "quality" ? Infinity : most + weights.rank + weights.nearness / (1 + radiusM / order.scaleM),
    boundFrom: (rank) => most + (Math.max(0, rank) / highestRank) * weights.rank,
  };
}

/** What a place can gain by a clause that meets it in the best way there is. */
function gainMax({ worth, well, lists, keys, hours }: Compiled): number {
  if (keys.length + hours.length > 0) return worth + well;
  return lists.length === 0 ? 0 : worth + well * Math.max(...lists.map(({ grade }) => grade));
}

function lossOf(status: number, confidence: number): number {
  const doubt = confidence < 20 ? weights.doubtful : confidence < 50 ? weights.unsure : 0;
  return doubt + (status === closed ? weights.closed : status === closedForNow ? weights.closedForNow : 0);
}

/** By list the clauses whose places it has, and how well they meet them. */
function meetingOf(clauses: readonly Compiled[]): Map<number, [clause: number, grade: number][]> {
  const meeting = new Map<number, [number, number][]>();
  clauses.forEach(({ lists }, at) => {
    for (const { list, grade } of lists) {
      const known = meeting.get(list);
      if (known) known.push([at, grade]);
      else meeting.set(list, [[at, grade]]);
    }
  });
  return meeting;
}

/** A typed array begins at a multiple of its size; what SQLite hands over need not. */
function integersOf(bytes: Uint8Array): Uint32Array {
  const { buffer, byteOffset, byteLength } = byteOf(bytes);
  return new Uint32Array(buffer, byteOffset, byteLength >> 2);
}

function byteOf(bytes: Uint8Array): Uint8Array {
  return bytes.byteOffset % Uint32Array.BYTES_PER_ELEMENT === 0 ? bytes : Uint8Array.from(bytes);
}

function createInside({ boxes, country, circle }: Window) {
  const isInBox = (latitude: number, longitude: number) =>
    boxes.some(
      ([south, west, north, east]) => latitude >= south && longitude >= west && latitude <= north && longitude <= east,
    );
  return (latitude: number, longitude: number, ownCountry: string): boolean => {
    if (country !== null && country !== ownCountry) return false;
    if (!isInBox(latitude, longitude)) return false;
    return !circle || distanceM(circle.center.latitude, circle.center.longitude, latitude, longitude) <= circle.radiusM;
  };
}
