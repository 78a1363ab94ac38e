// The format of server/src/query/questions.tsv, which explains itself at its top, and how a page is judged by a row.

export type Question = { line: number; world: string; hl: string; gl: string; map: string; q: string };
export type Row = Question & { answer: string; why: string };

/** A feature of a world: what the answers are judged by. */
export type Feature = { id: string; tags: Readonly<Record<string, string>>; latitude: number; longitude: number };
export type Page = { hits: readonly Feature[]; isCovered: () => Promise<boolean> };

const columns = ["world", "hl", "gl", "map", "question", "answer", "why"];

export function readRows(text: string): Row[] {
  const lines = text.split("\n").map((line, index) => ({ line: index + 1, text: line }));
  const [heading, ...rows] = lines.filter((each) => each.text !== "" && !each.text.startsWith("#"));
  if (heading?.text !== columns.join("\t")) throw new Error(`The columns must be ${columns.join(", ")}.`);
  return rows.map((row) => {
    const cells = row.text.split("\t");
    const [world = "", hl = "", gl = "", map = "", q = "", answer = "", why = ""] = cells;
    if (cells.length !== columns.length || !world || !hl || !q || !answer || !why) {
      throw new Error(`Line ${row.line} needs ${columns.length} cells; only gl and map may be empty.`);
    }
    return { line: row.line, world, hl, gl, map, q, answer, why };
  });
}

/** What a world's file holds: one GeoJSON feature a line. */
export function readFeatures(text: string): Feature[] {
  return text
    .trim()
    .split("\n")
    .map((line) => {
      const { id, properties, geometry } = JSON.parse(line);
      const [longitude, latitude] = geometry.type === "Point" ? geometry.coordinates : [0, 0];
      return { id: `osm:${id}`, tags: properties, latitude, longitude };
    });
}

/** The clauses of a row that do not hold, each with its words; `ask` answers the question that another is compared with. */
export async function failuresOf(
  row: Row,
  page: Page,
  world: readonly Feature[],
  ask: (question: Question) => Promise<Page>,
): Promise<string[]> {
  const failed: string[] = [];
  for (const clause of row.answer.split("; ")) {
    const compared = /^(same|first) as (.+)$/.exec(clause);
    const holds = compared
      ? isSame(page, await ask({ ...row, q: compared[2] ?? "" }), compared[1] === "first" ? 1 : Infinity)
      : await isTrue(clause, page, world);
    if (!holds) failed.push(clause);
  }
  return failed;
}

function isSame(page: Page, other: Page, count: number): boolean {
  const ids = ({ hits }: Page) => hits.slice(0, count).map(({ id }) => id);
  return other.hits.length > 0 && ids(page).join() === ids(other).join();
}

async function isTrue(clause: string, { hits, isCovered }: Page, world: readonly Feature[]): Promise<boolean> {
  const [verb = ""] = /^\w+/.exec(clause) ?? [];
  const tests = clause
    .slice(verb.length + 1)
    .split(" | ")
    .map((wanted) => testOf(wanted, world));
  const firsts = hits.slice(0, tests.length);
  switch (verb) {
    case "empty":
      return hits.length === 0;
    case "covered":
      return isCovered();
    case "uncovered":
      return !(await isCovered());
    case "order":
      return hits.length === tests.length && tests.every((test, at) => hits[at] && test(hits[at]));
    case "only":
      return hits.length === tests.length && holdsAll(tests, hits);
    case "first":
      return firsts.length === tests.length && holdsAll(tests, firsts);
    case "last":
      return hits.length >= tests.length && holdsAll(tests, hits.slice(-tests.length));
    case "has":
      return tests.every((test) => hits.some(test));
    case "all":
      return hits.length > 0 && hits.every((hit) => tests.some((test) => test(hit)));
    case "no":
      return !hits.some((hit) => tests.some((test) => test(hit)));
    default:
      throw new Error(`"${clause}" begins with no verb of an answer.`);
  }
}

type Test = (hit: Feature) => boolean;

/** Each of the hits is what some part of the clause wants, and each part has a hit. */
function holdsAll(tests: readonly Test[], hits: readonly Feature[]): boolean {
  return hits.every((hit) => tests.some((test) => test(hit))) && tests.every((test) => hits.some(test));
}

/** A name or tags, and the town: `Luce`, `amenity=cafe`, `tourism=hotel,stars=5 @Vaduz`. */
function testOf(wanted: string, world: readonly Feature[]): Test {
  const [, what = "", town] = /^(.*?) ?(?:@(.+))?$/.exec(wanted) ?? [];
  const parts = what.includes("=") ? what.split(",") : [];
  if (parts.length === 0 && what !== "") parts.push(`name=${what}`);
  const isThere = town === undefined ? () => true : insideOf(town, world);
  return (hit) => parts.every((part) => hasTag(hit, part)) && isThere(hit);
}

function hasTag({ tags }: Feature, part: string): boolean {
  const at = part.indexOf("=");
  const values = tags[part.slice(0, at)]?.split(";") ?? [];
  return part.endsWith("=*") ? values.length > 0 : values.includes(part.slice(at + 1));
}

const townReachKm = 12;

function insideOf(name: string, world: readonly Feature[]): Test {
  const town = world.find(({ tags }) => tags["place"] !== undefined && tags["name"] === name);
  if (!town) throw new Error(`The world has no town ${name}.`);
  return ({ latitude, longitude }) => {
    const x = (longitude - town.longitude) * Math.cos((latitude * Math.PI) / 180);
    return Math.hypot(latitude - town.latitude, x) * 111.2 <= townReachKm;
  };
}
