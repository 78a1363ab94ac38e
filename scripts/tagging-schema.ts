// Extracts from the OpenStreetMap tagging schema what the service needs of it: the presets of
// business-like places, their names and search terms by language, and the labels of features.
// Run after an update of @openstreetmap/id-tagging-schema: node scripts/tagging-schema.ts, and then npm run languages
import { copyFile, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { businessKeys, furtherTags } from "../server/src/kinds/index.ts";

type Preset = {
  name?: string;
  tags: Record<string, string>;
  matchScore?: number;
  searchable?: boolean;
  locationSet?: object;
};
type Wording = { name?: string; aliases?: string; terms?: string };
type Option = string | { title?: string };
type FieldWording = { label?: string; options?: Record<string, Option> };
type Translation = Record<
  string,
  { presets: { presets: Record<string, Wording>; fields: Record<string, FieldWording> } }
>;

/** The languages queries are read in come first; the others are those with most presets translated. */
const languages =
  "en de fr es it pt nl ar bg ca cs da el et fa fi he hr hu id is ja ko lt lv no pl pt-BR ro ru sk sl sr sv th tr uk vi zh-CN zh-TW".split(
    " ",
  );

/** Fields of the schema that say something of a business worth telling, by the tag they stand for. */
const fields: Record<string, string> = {
  air_conditioning: "air_conditioning",
  bar: "bar",
  changing_table: "changing_table",
  delivery: "delivery",
  "diet:": "diet_multi",
  dog: "dog",
  drive_through: "drive_through",
  highchair: "highchair",
  indoor_seating: "indoor_seating",
  internet_access: "internet_access",
  "internet_access:fee": "internet_access/fee",
  microbrewery: "microbrewery",
  organic: "organic",
  outdoor_seating: "outdoor_seating",
  "payment:": "payment_multi",
  reservation: "reservation",
  second_hand: "second_hand",
  self_service: "self_service",
  smoking: "smoking",
  stroller: "stroller",
  takeaway: "takeaway",
  toilets: "toilets",
  "toilets:wheelchair": "toilets/wheelchair",
  wheelchair: "wheelchair",
};

/** Names that tell mappers two things apart, where a customer would say one: a hospital, not its grounds. */
// prettier-ignore
const corrections: Record<string, Record<string, string>> = {
  "amenity/bank": { de: "Bank" },
  "amenity/bar": { it: "Bar" },
  "amenity/college": { en: "College", de: "Hochschule", ru: "Колледж", sv: "Högskola", th: "วิทยาลัย", uk: "Коледж", "zh-TW": "學院" },
  "amenity/hospital": {
    en: "Hospital", fr: "Hôpital", es: "Hospital", nl: "Ziekenhuis",
    ar: "مستشفى", cs: "Nemocnice", da: "Hospital", et: "Haigla", fa: "بیمارستان", fi: "Sairaala", he: "בית חולים", hr: "Bolnica",
    hu: "Kórház", id: "Rumah Sakit", is: "Sjúkrahús", ja: "病院", ko: "병원", lt: "Ligoninė", no: "Sykehus", pl: "Szpital",
    ru: "Больница", sk: "Nemocnica", sl: "Bolnišnica", sr: "Болница", sv: "Sjukhus", th: "โรงพยาบาล", uk: "Лікарня", vi: "Bệnh viện",
  },
  "amenity/ice_cream": { de: "Eisdiele", fr: "Glacier" },
  "amenity/kindergarten": {
    en: "Kindergarten", de: "Kindergarten", fr: "École maternelle", es: "Jardín de infancia", it: "Scuola dell'infanzia", pt: "Jardim de infância", nl: "Kleuterschool",
    da: "Børnehave", el: "Νηπιαγωγείο", et: "Lasteaed", fi: "Päiväkoti", hr: "Dječji vrtić", ja: "幼稚園・保育園", lv: "Bērnudārzs", pl: "Przedszkole",
    ru: "Детский сад", sl: "Vrtec", sv: "Förskola", tr: "Anaokulu", uk: "Дитячий садок", "zh-CN": "幼儿园", "zh-TW": "幼稚園",
  },
  "amenity/pharmacy": {
    en: "Pharmacy", he: "בית מרקחת", ja: "薬局", lv: "Aptieka", no: "Apotek", sr: "Апотека", sv: "Apotek", th: "ร้านขายยา", vi: "Nhà thuốc",
  },
  "amenity/restaurant": { ja: "レストラン" },
  "amenity/school": {
    en: "School", de: "Schule", fr: "École", es: "Escuela", it: "Scuola", pt: "Escola", nl: "School",
    cs: "Škola", da: "Skole", el: "Σχολείο", fi: "Koulu", id: "Sekolah", ja: "学校", ko: "학교", lv: "Skola", pl: "Szkoła", ru: "Школа",
    sk: "Škola", sl: "Šola", sv: "Skola", th: "โรงเรียน", tr: "Okul", uk: "Школа", "zh-TW": "學校",
  },
  "amenity/university": {
    en: "University", de: "Universität", fr: "Université", es: "Universidad", it: "Università", pt: "Universidade", nl: "Universiteit",
    cs: "Univerzita", da: "Universitet", el: "Πανεπιστήμιο", et: "Ülikool", fi: "Yliopisto", id: "Universitas", ja: "大学", ko: "대학교", pl: "Uniwersytet",
    ru: "Университет", sl: "Univerza", sv: "Universitet", th: "มหาวิทยาลัย", tr: "Üniversite", uk: "Університет", "zh-TW": "大學",
  },
};

const schemaFolder = join(
  dirname(fileURLToPath(import.meta.resolve("@openstreetmap/id-tagging-schema/package.json"))),
  "dist",
);
const kindsFolder = join(import.meta.dirname, "../server/src/kinds");
const wordsFolder = join(import.meta.dirname, "../server/src/languages/tagging-schema");

const presets = await readSchema<Record<string, Preset>>("presets.min.json");
const ids = Object.keys(presets)
  .filter((id) => isWanted(id))
  .sort();

await rm(wordsFolder, { recursive: true, force: true });
await mkdir(wordsFolder, { recursive: true });
await write(
  join(kindsFolder, "presets.json"),
  ids.map((id) => [id, summarize(presets[id])]),
);
for (const folder of [kindsFolder, wordsFolder]) {
  await copyFile(join(schemaFolder, "../LICENSE.md"), join(folder, "LICENSE.md"));
}
for (const language of languages) await write(join(wordsFolder, `${language}.json`), await wordsOf(language));

function isWanted(id: string): boolean {
  const { tags = {}, locationSet } = presets[id] ?? {};
  const isRegional = /-[A-Z]{2}/.test(id) && locationSet !== undefined;
  if (isRegional || id.startsWith("@") || id === "building/hotel") return false; // a hotel is one by any tag
  return Object.entries(tags).some(([key, value]) => businessKeys.has(key) || isFurther(key, value));
}

function isFurther(key: string, value: string): boolean {
  const values = furtherTags.get(key);
  return values === "any" || values?.has(value) === true;
}

function summarize(preset: Preset | undefined) {
  const { tags = {}, matchScore, searchable } = preset ?? {};
  return {
    tags,
    ...(matchScore === undefined ? {} : { score: matchScore }),
    ...(searchable === false ? { hidden: true } : {}),
  };
}

async function wordsOf(language: string): Promise<[string, unknown][]> {
  const translation = await readSchema<Translation>(`translations/${language}.min.json`);
  const words = translation[language]?.presets;
  if (!words) throw new Error(`The schema has no words in ${language}.`);
  const categories = ids.flatMap((id): [string, unknown][] => {
    const {
      name,
      aliases = "",
      terms,
    } = words.presets[id]?.name ? words.presets[id] : (words.presets[referred(id)] ?? {});
    if (name === undefined) return [];
    const [label, ...others] = namesIn(name);
    if (label === undefined) return [];
    const correction = corrections[id]?.[language];
    const further = [...(correction === undefined ? [] : [label]), ...others].join("\n");
    return [[id, [correction ?? label, split(`${further}\n${aliases}`, "\n"), split(terms, ",")]]];
  });
  const features = Object.entries(fields).flatMap(([key, field]): [string, unknown][] => {
    const { label, options } = words.fields[field] ?? {};
    return label === undefined ? [] : [[`field ${key}`, [label, optionsOf(options)]]];
  });
  return [...categories, ...features];
}

/** The preset whose name another one has, written as `{education/school}`. */
function referred(id: string): string {
  return presets[id]?.name?.replaceAll(/[{}]/g, "") ?? id;
}

/** `Bar (latam) / Bar de copas (es)` are two names, and neither needs its note. */
function namesIn(text: string): string[] {
  const names = text.replaceAll("\u00ad", "").split(" / ");
  return names.map((name) => name.replaceAll(/\s*\([^)]*\)/g, "").trim()).filter((name) => /^\p{L}/u.test(name));
}

function optionsOf(options: Record<string, Option> = {}): Record<string, string> {
  return Object.fromEntries(
    Object.entries(options).flatMap(([value, option]) => {
      const label = typeof option === "string" ? option : option.title;
      return label === undefined ? [] : [[value, label]];
    }),
  );
}

function split(text: string | undefined, separator: string): string {
  return (text ?? "")
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part !== "")
    .join(",");
}

async function readSchema<Content>(file: string): Promise<Content> {
  return JSON.parse(await readFile(join(schemaFolder, file), "utf8"));
}

/** One entry to a line, so that an update shows what changed. */
async function write(file: string, entries: [string, unknown][]): Promise<void> {
  const lines = entries.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`);
  await writeFile(file, `{\n${lines.join(",\n")}\n}\n`);
}
