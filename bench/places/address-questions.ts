import { isFurnitureCategory } from "../../server/src/kinds/index.ts";
import { readStreet } from "../../server/src/place-index/streets.ts";
import { formatPhone } from "../../server/src/places/contacts.ts";
import type { PlaceRecord, RecordItem } from "../../server/src/places/record.ts";
import type { Judged, QuestionClass } from "./tagged-questions.ts";
import { everydayRows } from "./tagged-towns.ts";

/** So many questions of a class are asked of an extract. */
const questionsMax = 150;

/** Numbers, sites, streets, addresses and postcodes of a real extract; what has them in its tags is right. */
export function addressClasses(extract: string, items: readonly RecordItem[]): QuestionClass[] {
  const records = items.flatMap((item) => ("place" in item && isNamed(item.place) ? [item.place] : []));
  const byClass: Record<string, { floor: number; rankFloor?: number; questions: Judged[] }> = {
    phone: { floor: 0.99, rankFloor: 0.99, questions: phones(records) },
    site: { floor: 0.95, questions: sites(records) },
    "street and number": { floor: 0.95, questions: addresses(records) },
    "bare street": { floor: 0.95, questions: streets(records) },
    "kind and street": { floor: 0.95, questions: kindsBy(records, streetOf) },
    "kind and postcode": { floor: 0.95, questions: kindsBy(records, ({ address }) => address.postalCode ?? "") },
    "whole name": { floor: 0.99, questions: names(records) },
    "name in town": { floor: 0.99, questions: namesInTown(records) },
  };
  return Object.entries(byClass)
    .filter(([, { questions }]) => questions.length > 0)
    .map(([name, each]) => ({ name: `${name}, ${extract}`, ...each, questions: some(each.questions) }));
}

/** A bench or a playground answers only who looks for its kind. */
function isNamed({ name, categories }: PlaceRecord): boolean {
  return name !== "" && !categories.every(isFurnitureCategory);
}

function phones(records: readonly PlaceRecord[]): Judged[] {
  const byPhone = grouped(records, ({ details }) => details.phones ?? []);
  return [...byPhone].flatMap(([phone, right]) => {
    const country = records.find(({ sourceId }) => right.has(sourceId))?.address.countryCode ?? "";
    const written = formatPhone(phone);
    const atHome = written.replace(/^\+\d+ /, "");
    return [written, phone.replace("+", ""), atHome].map((q) => ({ q, hl: "en", gl: country.toLowerCase(), right }));
  });
}

function hostOf({ details }: PlaceRecord): string | undefined {
  return URL.parse(details.website ?? "")?.hostname.replace(/^www\./, "");
}

function sites(records: readonly PlaceRecord[]): Judged[] {
  return questionsOf(grouped(records, (record) => [hostOf(record) ?? ""]));
}

function hasNumber({ address }: PlaceRecord): boolean {
  return readStreet(address.street).house !== "";
}

function addresses(records: readonly PlaceRecord[]): Judged[] {
  return questionsOf(
    grouped(records.filter(hasNumber), ({ address: { street, city } }) => [[street, city].filter(Boolean).join(", ")]),
  );
}

function streets(records: readonly PlaceRecord[]): Judged[] {
  return questionsOf(grouped(records, (record) => [streetOf(record)]));
}

/** The street as it is written, without its number. */
function streetOf({ address }: PlaceRecord): string {
  const { house } = readStreet(address.street);
  if (house === "" || address.street === null) return address.street ?? "";
  const words = address.street.split(" ");
  const isNumber = (word = "") => word.toLowerCase().startsWith(house.slice(0, 1)) && /\d/.test(word);
  return (isNumber(words[0]) ? words.slice(1) : words.slice(0, -1)).join(" ");
}

function kindsBy(records: readonly PlaceRecord[], placeOf: (record: PlaceRecord) => string): Judged[] {
  const byPlace = Map.groupBy(records, placeOf);
  byPlace.delete("");
  return [...byPlace].flatMap(([place, there]) =>
    everydayRows.flatMap(([categories, words]) => {
      const wanted = categories.split(" ");
      const right = idsOf(there.filter((record) => record.categories.some((id) => wanted.includes(id))));
      const [word] = words("en");
      return right.size === 0 || word === undefined ? [] : [{ q: `${word} ${place}`, hl: "en", right }];
    }),
  );
}

function names(records: readonly PlaceRecord[]): Judged[] {
  return questionsOf(grouped(records, ({ name }) => [name]));
}

function namesInTown(records: readonly PlaceRecord[]): Judged[] {
  return questionsOf(grouped(records, ({ name, address: { city } }) => (city ? [`${name} in ${city}`] : [])));
}

function grouped(records: readonly PlaceRecord[], keysOf: (record: PlaceRecord) => readonly string[]) {
  const groups = new Map<string, Set<string>>();
  for (const record of records) {
    for (const key of keysOf(record)) {
      const known = groups.get(key);
      if (known) known.add(record.sourceId);
      else if (key !== "") groups.set(key, new Set([record.sourceId]));
    }
  }
  return groups;
}

function questionsOf(groups: ReadonlyMap<string, ReadonlySet<string>>): Judged[] {
  return [...groups].map(([q, right]) => ({ q, hl: "en", right }));
}

function idsOf(records: readonly PlaceRecord[]): Set<string> {
  return new Set(records.map(({ sourceId }) => sourceId));
}

/** Evenly from all of them. */
function some(questions: readonly Judged[]): Judged[] {
  const step = Math.max(1, questions.length / questionsMax);
  return Array.from(
    { length: Math.min(questions.length, questionsMax) },
    (_, at) => questions[Math.floor(at * step)],
  ).filter((each) => each !== undefined);
}
