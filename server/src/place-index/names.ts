import type { DatabaseSync, StatementSync } from "node:sqlite";
import { plainAreaName } from "../gazetteer/area-names.ts";
import { editDistance, typosBetween } from "../text/edit-distance.ts";
import { keyOf, typeOfKey } from "./keys.ts";
import type { ObjectDescription } from "./objects.ts";
import { type NameHit, nameForms, type Spot } from "./port.ts";
import { type KeyType, keyTypes, type ListType, listTypes } from "./schema.ts";
import { readStreet, streetOf } from "./streets.ts";
import { nameKey } from "./terms.ts";
import { editKeys, wholeEditKeys } from "./word-edits.ts";

/** So many of the places that share a whole name or a number are told of. */
const spotsMax = 16;

/** Nothing else is worth a look among the numbers, and among the sites. */
const phoneShape = /^\+?\d+$/;
const siteShape = /[.@]/;

type Edits = 0 | 1 | 2;
type ObjectRow = [description: string, places: number, form: number];
type TermRow = [type: number, firsts: number, others: number, text: string];
type SpotRow = [place: number, latitudeE7: number, longitudeE7: number, country: string];

/** Says what phrases are: a few rows of each table by its key. */
export function createLookup(db: DatabaseSync) {
  const statements = new Map<string, StatementSync>();

  function run(text: keyof typeof texts, ...values: (string | number)[]): unknown[] {
    let statement = statements.get(text);
    if (!statement) {
      statements.set(text, (statement = db.prepare(texts[text])));
      statement.setReturnArrays(true);
    }
    return statement.all(...values);
  }

  function lookup(phrases: readonly string[], edits: Edits): NameHit[] {
    return [...new Set(phrases)].flatMap((phrase) => [
      ...objectsOf(phrase),
      ...termsOf(phrase),
      ...keysOf(phrase),
      ...(edits === 0 ? [] : misspelled(phrase, edits)),
    ]);
  }

  function objectsOf(phrase: string): NameHit[] {
    return (run("objects", phrase) as ObjectRow[]).map(([description, places, form]) => ({
      ...withoutNames(description),
      phrase,
      edits: 0,
      places,
      form: nameForms[form] ?? "short",
    }));
  }

  function termsOf(phrase: string): NameHit[] {
    const found = (run("terms", phrase) as TermRow[]).flatMap(([type, firsts, others]): NameHit[] => {
      const name = listTypes[type];
      if (name !== "word" && name !== "brand") return [];
      return [{ type: name, phrase, edits: 0, places: firsts + others }];
    });
    const streets = run("street", streetOf(phrase.split(" ")), numberOf("street")) as TermRow[];
    const code = phrase.replaceAll(" ", "");
    const postcodes = run("postcodes", `${code} `, `${code}!`, numberOf("postcode")) as TermRow[];
    return [
      ...found,
      ...streets.map(([, firsts, others]): NameHit => ({ type: "street", phrase, edits: 0, places: firsts + others })),
      ...postcodes.map(([, firsts, others, text]): NameHit => {
        return { type: "postcode", country: text.slice(code.length + 1), phrase, edits: 0, places: firsts + others };
      }),
    ];
  }

  function keysOf(phrase: string): NameHit[] {
    const { street, house } = readStreet(phrase);
    const texts: Record<KeyType, string> = {
      name: nameKey(phrase.split(" ")),
      address: house === "" ? "" : `${street} ${house}`,
      phone: phoneShape.test(phrase) ? phrase : "",
      site: siteShape.test(phrase) ? phrase : "",
    };
    return keyTypes.flatMap((type): NameHit[] => {
      if (texts[type] === "") return [];
      const key = keyOf({ type, text: texts[type] });
      const spots = run("spots", key, spotsMax) as SpotRow[];
      if (spots.length === 0) return [];
      const places = spots.length < spotsMax ? spots.length : ((run("count", key) as [number][])[0]?.[0] ?? 0);
      return [{ type: typeOfKey(key), phrase, edits: 0, places, at: spots.map(spotOf) }];
    });
  }

  /** Objects and brands that are spelled nearly so, and not just so. */
  function misspelled(phrase: string, edits: Edits): NameHit[] {
    const objects = new Map<string, NameHit>();
    const brands = new Map<string, NameHit>();
    for (const edit of new Set([...editKeys(phrase), ...wholeEditKeys(phrase)])) {
      for (const [text, places] of run("objectsByEdit", edit) as ObjectRow[]) {
        const description = JSON.parse(text) as ObjectDescription; // as objects.ts wrote it
        const { names, ...object } = description;
        const spelled = new Set(names.flatMap((name) => [name, plainAreaName(name)]));
        const away = Math.min(...Array.from(spelled, (name) => editsBetween(phrase, name, edits)));
        if (isNear(away)) objects.set(object.id, { ...object, phrase, edits: away, places, form: "written" });
      }
      for (const [, firsts, others, text] of run("brandsByEdit", edit, numberOf("brand")) as TermRow[]) {
        const away = editsBetween(phrase, text, edits);
        if (isNear(away)) brands.set(text, { type: "brand", phrase, edits: away, places: firsts + others });
      }
    }
    return [...objects.values(), ...brands.values()];
  }

  return lookup;
}

export const texts = {
  objects: `
    select o.description, o.places, n.form
    from names n cross join objects o
    where n.phrase = ? and o.object = n.object`,
  objectsByEdit: `
    select o.description, o.places, 0
    from name_edits e cross join objects o
    where e.edit = ? and o.object = e.object`,
  terms: "select type, firsts, others, text from terms where text = ?",
  street: "select type, firsts, others, text from terms where text = ? and type = ?",
  postcodes: "select type, firsts, others, text from terms where text > ? and text < ? and type = ?",
  brandsByEdit: `
    select t.type, t.firsts, t.others, t.text
    from term_edits e cross join terms t
    where e.edit = ? and t.term = e.term and t.type = ?`,
  spots: `
    select e.place, f.latitude, f.longitude, f.country
    from exact e cross join facts f
    where e.key = ? and f.place = e.place
    limit ?`,
  count: "select count(*) from exact where key = ?",
};

function withoutNames(description: string) {
  const { names: _, ...object } = JSON.parse(description) as ObjectDescription; // as objects.ts wrote it
  return object;
}

function spotOf([place, latitudeE7, longitudeE7, country]: SpotRow): Spot {
  return { place, latitude: latitudeE7 / 1e7, longitude: longitudeE7 / 1e7, country };
}

function editsBetween(one: string, other: string, max: Edits): number {
  const most = Math.min(max, typosBetween(one.length, other.length));
  const edits = editDistance(one, other, most);
  return edits <= most ? edits : Infinity;
}

function isNear(edits: number): edits is 1 | 2 {
  return edits === 1 || edits === 2;
}

function numberOf(type: ListType): number {
  return listTypes.indexOf(type);
}
