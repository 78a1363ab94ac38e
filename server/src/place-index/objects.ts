import type { DatabaseSync } from "node:sqlite";
import { nameWithoutUnit, plainAreaName, shortAreaName } from "../gazetteer/area-names.ts";
import { transliterations } from "../text/transliterate.ts";
import { type NameForm, nameForms, type NamedObject } from "./port.ts";
import type { AreaRow } from "./rows.ts";
import { firstObject } from "./schema.ts";
import { editKeys, wholeEditKeys } from "./word-edits.ts";

/** An object as its row has it, with all phrases that it is called by. */
export type ObjectDescription = NamedObject & { names: readonly string[] };

/** The towns, boundaries and landmarks of the file. An id gets a number when it is first met, which stays its own. */
export function createObjects(db: DatabaseSync) {
  const find = db.prepare("select object from objects where id = ?");
  const insert = db.prepare("insert into objects (id) values (?)");
  const readOne = db.prepare("select description from objects where object = ?");
  const readDescribed = db.prepare("select object from objects where description is not null");
  const update = db.prepare("update objects set description = ? where object = ?");
  const removeName = db.prepare("delete from names where phrase = ? and object = ?");
  const removeEdit = db.prepare("delete from name_edits where edit = ? and object = ?");
  const putName = db.prepare("insert or ignore into names values (?, ?, ?)");
  const putEdit = db.prepare("insert or ignore into name_edits values (?, ?)");
  const known = new Map<string, number>();

  /** What stands for areas among the lists of a place, whether they were described yet or not. */
  function numbersOf(ids: readonly string[]): number[] {
    return ids.map((id) => firstObject + numberOf(id));
  }

  function numberOf(id: string): number {
    let object = known.get(id);
    if (object === undefined) known.set(id, (object = readNumber(id)));
    return object;
  }

  function readNumber(id: string): number {
    const object = find.get(id)?.["object"];
    return typeof object === "number" ? object : Number(insert.run(id).lastInsertRowid);
  }

  /** Takes all areas, some at a time, and writes what is other than before. What was not among them goes at the end. */
  function replacing() {
    const seen = createNumberSet();

    function put(areas: readonly AreaRow[]): void {
      for (const area of areas) {
        const object = readNumber(area.sourceId);
        if (!seen.add(object)) continue; // two data sets have it
        describe(object, descriptionOf(area));
      }
    }

    function end(): void {
      const gone: number[] = [];
      for (const { object } of readDescribed.iterate()) if (!seen.has(Number(object))) gone.push(Number(object));
      for (const object of gone) describe(object, null);
    }

    return { put, end };
  }

  function describe(object: number, description: ObjectDescription | null): void {
    const before = readOne.get(object)?.["description"];
    const text = description && JSON.stringify(description);
    if (before === text) return;
    if (typeof before === "string") forgetNames(object, JSON.parse(before) as ObjectDescription); // written below
    update.run(text, object);
    if (description) putNames(object, description);
  }

  function forgetNames(object: number, description: ObjectDescription): void {
    for (const phrase of phrasesOf(description).keys()) {
      removeName.run(phrase, object);
      for (const edit of editsOf(phrase, description)) removeEdit.run(edit, object);
    }
  }

  function putNames(object: number, description: ObjectDescription): void {
    for (const [phrase, form] of phrasesOf(description)) {
      putName.run(phrase, object, nameForms.indexOf(form));
      for (const edit of editsOf(phrase, description)) putEdit.run(edit, object);
    }
  }

  return { numbersOf, replacing, forget: () => known.clear() };
}

function descriptionOf(area: AreaRow): ObjectDescription {
  const { sourceId, name, names, kind, latitude, longitude, box, population, countryCode, level } = area;
  return {
    type: kind === "landmark" ? "landmark" : "area",
    id: sourceId,
    name,
    names,
    kind,
    country: countryCode,
    center: { latitude, longitude },
    box: box as NamedObject["box"], // four numbers, as imports write it
    population,
    level,
  };
}

const settlements: ReadonlySet<string> = new Set(["city", "town", "village", "suburb"]);

/** Every phrase that may mean an object, with the best way in which it does. */
function phrasesOf({ names, kind }: ObjectDescription): Map<string, NameForm> {
  const phrases = new Map<string, NameForm>();
  const add = (phrase: string | undefined, form: NameForm) => {
    if (phrase !== undefined && phrase !== "" && !phrases.has(phrase)) phrases.set(phrase, form);
  };
  for (const name of names) add(name, "written");
  for (const name of names) {
    for (const spelled of [name, ...transliterations(name)]) add(plainAreaName(spelled), "plain");
  }
  for (const name of names) {
    const short = settlements.has(kind) ? shortAreaName(name) : undefined;
    add(short, "short");
    if (short !== undefined) add(plainAreaName(short), "short");
    if (kind !== "country") add(nameWithoutUnit(name), "short");
  }
  return phrases;
}

/** Thousands of stops begin with the same words: what landmarks are looked up by is the whole of their names. */
function editsOf(phrase: string, { type }: ObjectDescription): number[] {
  return type === "landmark" ? wholeEditKeys(phrase) : editKeys(phrase);
}

/** Whole numbers, a bit each. */
function createNumberSet() {
  let bits = new Uint8Array(1024);

  function has(number: number): boolean {
    return ((bits[number >> 3] ?? 0) & (1 << (number & 7))) !== 0;
  }

  /** Whether it is new. */
  function add(number: number): boolean {
    if (has(number)) return false;
    const at = number >> 3;
    if (at >= bits.length) {
      const wider = new Uint8Array(2 * at);
      wider.set(bits);
      bits = wider;
    }
    bits[at] = (bits[at] ?? 0) | (1 << (number & 7));
    return true;
  }

  return { add, has };
}
