import { type Static, Type } from "typebox";
import { Value } from "typebox/value";
import { attributes } from "../../kinds/index.ts";
import { featureGroups, type Language, linkRoles, nameRoles, tableFields, timesOfWeek } from "../language.ts";

const words = Type.Array(Type.String());
const flag = Type.Boolean();
const closed = { additionalProperties: false } as const;
const affixes = Type.Record(Type.String(), words);
const replacements = Type.Record(Type.String(), Type.String());

/** A list of words for some of these keys, and for no others. */
function wordsBy<Key extends string>(keys: readonly Key[]) {
  const properties = Object.fromEntries(keys.map((key) => [key, Type.Optional(words)]));
  return Type.Object(properties as Record<Key, ReturnType<typeof Type.Optional<typeof words>>>, closed);
}

const languageSchema = Type.Partial(
  Type.Object({
    extends: Type.String(),
    serves: words,
    rank: Type.Integer(),
    blanks: flag,
    kinds: Type.Record(Type.String(), words),
    attributes: wordsBy(attributes),
    numbers: words,
    times: wordsBy(timesOfWeek),
    clock: wordsBy(["hour", "am", "pm"]),
    ordinals: Type.Record(Type.String(), words),
    names: wordsBy(nameRoles),
    links: wordsBy(linkRoles),
    postpositions: flag,
    streets: Type.Record(Type.String(), words),
    here: words,
    mine: words,
    radius: words,
    fillers: words,
    articles: words,
    towns: words,
    countries: Type.Record(Type.String(), words),
    groups: Type.Partial(Type.Record(Type.Enum(featureGroups), Type.String())),
    headings: wordsBy(tableFields),
    closed: wordsBy(["permanently", "temporarily"]),
    inflections: Type.Partial(Type.Object({ like: Type.String(), endings: affixes, beginnings: affixes }), closed),
    plurals: Type.Object({ nounFirst: Type.Optional(words), rules: Type.Array(words) }, closed),
    variants: Type.Partial(
      Type.Object({
        compounds: flag,
        endings: words,
        beginnings: words,
        spellings: replacements,
        shops: words,
        article: Type.String(),
      }),
      closed,
    ),
    latin: Type.Partial(Type.Object({ letters: replacements, isUsual: flag }), closed),
  }),
  closed,
);

/** What a file says, with its lists of words taken apart; or what is wrong with it. */
export function readContent(written: unknown): { content: Language; faults: readonly string[] } {
  const value = withLists(written ?? {}, languageSchema);
  if (Value.Check(languageSchema, value)) return { content: asLanguage(value), faults: [] };
  const [error] = Value.Errors(languageSchema, value);
  const { instancePath = "", message = "", keyword } = error ?? {};
  // What an object has besides its properties is held against the schema `false`.
  return {
    content: {},
    faults: [`${instancePath} ${keyword === "boolean" ? "is nothing that a file says" : message}`],
  };
}

function asLanguage(value: Static<typeof languageSchema>): Language {
  return value;
}

type Shape = {
  type?: string;
  items?: Shape;
  properties?: Record<string, Shape>;
  patternProperties?: Record<string, Shape>;
};

/** Words are written as one text with commas between them, wherever the schema has a list of them. */
function withLists(value: unknown, shape: Shape | undefined): unknown {
  if (typeof value === "string" && shape?.type === "array") return value.split(/,\s*/);
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const [other] = Object.values(shape?.patternProperties ?? {});
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, withLists(each, shape?.properties?.[key] ?? other)]),
  );
}
