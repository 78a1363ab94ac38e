import type { DatabaseSync } from "node:sqlite";
import { nameWithoutUnit, plainAreaName, shortAreaName } from "../gazetteer/area-names.ts";
import { transliterations } from "../text/transliterate.ts";
import { type NameForm, nameForms, type NamedObject } from "./port.ts";
import type { AreaRow } from "./rows.ts";
import { firstObject } from "./schema.ts";
import { editKeys } from "./word-edits.ts";

/** An object as its row has it, with all phrases that it is called by. */
export type ObjectDescription = NamedObject & { names: readonly string[] };

/** The towns, boundaries and landmarks of the file. An id gets a number when it is first met, which stays its own. */
export function createObjects(db: DatabaseSync) {
  const find = db.prepare("select object from objects where id = ?");
  const insert = db.prepare("insert into objects (id) values (?)");
  const read = db.prepare("select object, id, description from objects");
  const update = db.prepare("update objects set description = ? where object = ?");
  const removeNames = db.prepare("delete from names where object = ?");
  const removeEdits = db.prepare("delete from name_edits where object = ?");
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

  /** Writes what is other than before. */
  function replace(areas: readonly AreaRow[]): void {
    const before = new Map(read.all().map((row) => [String(row["id"]), row["description"]]));
    const seen = new Set<string>();
    for (const area of areas) {
      const { sourceId, names, kind } = area;
      if (seen.has(sourceId)) continue; // two data sets have it
      seen.add(sourceId);
      const description = JSON.stringify(descriptionOf(area));
      if (before.get(sourceId) === description) continue;
      const object = numberOf(sourceId);
      update.run(description, object);
      removeNamesOf(object);
      putNames(object, names, kind);
    }
    for (const [id, description] of before) {
      if (description === null || seen.has(id)) continue;
      update.run(null, numberOf(id));
      removeNamesOf(numberOf(id));
    }
  }

  function removeNamesOf(object: number): void {
    removeNames.run(object);
    removeEdits.run(object);
  }

  function putNames(object: number, names: readonly string[], kind: string): void {
    for (const [phrase, form] of phrasesOf(names, kind)) {
      putName.run(phrase, object, nameForms.indexOf(form));
      for (const edit of editKeys(phrase)) putEdit.run(edit, object);
    }
  }

  return { numbersOf, replace, forget: () => known.clear() };
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
function phrasesOf(names: readonly string[], kind: string): Map<string, NameForm> {
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
