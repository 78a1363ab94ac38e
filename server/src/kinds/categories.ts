import { memoize } from "../platform/memoize.ts";
import { businessKeys, furtherTags, isFurnitureCategory } from "./business.ts";
import { type Preset, presets } from "./presets.ts";

type Candidate = { id: string; preset: Preset };
type Tags = Readonly<Record<string, string>>;

/** The keys that decide what kind of place something is, most telling first. */
const kindKeys: ReadonlySet<string> = new Set([...businessKeys, ...furtherTags.keys()]);

/** Presets by the tag that makes them a business, such as `amenity=cafe` or `shop=*`. */
const candidatesByTag = indexPresets();

/** Places tagged in one way only, that are the same as those tagged in the other. */
const healthcareAsAmenity: ReadonlyMap<string, string> = new Map(
  Object.entries({
    pharmacy: "pharmacy",
    doctor: "doctors",
    dentist: "dentist",
    hospital: "hospital",
    clinic: "clinic",
    veterinary: "veterinary",
  }),
);

/** What the other kinds fall under when nothing finer is known; people look for these as such. */
const generalKeys = new Set(["shop", "office", "craft", "healthcare", "club"]);

/** The tags that decide about any category. */
const decisiveKeys: ReadonlySet<string> = new Set([...presets.values()].flatMap(({ tags }) => Object.keys(tags)));

/** The categories a place belongs to, best first: the finest match before the broader ones. */
export function categoriesOfTags(tags: Tags): string[] {
  return [...decideOnce(tags)];
}

// Places repeat themselves: most have decisive tags that another one had before.
const decideOnce = memoize(decide, 20_000, (tags) => {
  let decisive = "";
  for (const key of Object.keys(tags)) if (decisiveKeys.has(key)) decisive += `${key}=${tags[key]}\n`;
  return decisive;
});

function decide(tags: Tags): readonly string[] {
  const scores = new Map<string, number>();
  const facts = withImplied(tags);
  for (const key of kindKeys) {
    const value = facts[key];
    if (value === undefined || value === "") continue;
    for (const part of splitValues(value)) {
      for (const { id, preset } of candidatesByTag.get(`${key}=${part}`) ?? []) {
        // What the place is by its business comes before the castle that it is in.
        const share = businessKeys.has(key) || !isFurnitureCategory(id) ? 1 : 0.5;
        const score = scoreOf(preset, facts) * share;
        if (score > 0) scores.set(id, Math.max(score, scores.get(id) ?? 0));
      }
    }
    if (generalKeys.has(key) && presets.has(key)) scores.set(key, 0.1);
  }
  return [...scores].sort((left, right) => right[1] - left[1] || compareIds(left[0], right[0])).map(([id]) => id);
}

/** `ice_cream` as people would write it. */
export function titleOf(value: string): string {
  const text = value.replaceAll(/[_\s]+/g, " ").trim();
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A category that says no more than that the place is a shop, an office, a craft. */
export function isGeneral(categoryId: string): boolean {
  return !categoryId.includes("/");
}

/** The tags that make a place one of this category; undefined when there is no such category. */
export function tagsOfCategory(categoryId: string): Tags | undefined {
  return presets.get(categoryId)?.tags;
}

/** A list in one tag: `pizza;kebab`. */
export function splitValues(value: string): string[] {
  if (!value.includes(";")) return [value.trim()];
  return value
    .split(";")
    .map((part) => part.trim())
    .filter((part) => part !== "");
}

function indexPresets(): ReadonlyMap<string, Candidate[]> {
  const index = new Map<string, Candidate[]>();
  for (const [id, preset] of presets) {
    if (isGeneral(id)) continue;
    for (const [key, value] of Object.entries(preset.tags)) {
      if (!kindKeys.has(key)) continue;
      const candidates = index.get(`${key}=${value}`) ?? [];
      candidates.push({ id, preset });
      index.set(`${key}=${value}`, candidates);
    }
  }
  return index;
}

function withImplied(tags: Tags): Tags {
  const amenity = healthcareAsAmenity.get(tags["healthcare"] ?? "");
  const facts = amenity === undefined || tags["amenity"] !== undefined ? tags : { ...tags, amenity };
  return facts["building"] === "hotel" && facts["tourism"] === undefined ? { ...facts, tourism: "hotel" } : facts;
}

/** How many of a preset's tags hold, weighed; zero as soon as one does not. */
function scoreOf({ tags, score = 1 }: Preset, facts: Tags): number {
  let sum = 0;
  for (const [key, value] of Object.entries(tags)) {
    const fact = facts[key];
    if (fact === undefined) return 0;
    if (value === "*") sum += 0.5;
    else if (splitValues(fact).includes(value)) sum += 1;
    else return 0;
  }
  return sum + score / 10; // a narrow preset with a low weight still beats the broad one it belongs to
}

/**
 * Of two kinds that fit equally well, a hotel is named before its restaurant and a shop before its
 * cash machine; the keys happen to stand in that order from the end of the alphabet.
 */
function compareIds(left: string, right: string): number {
  const [leftKey = "", rightKey = ""] = [left.split("/", 1)[0], right.split("/", 1)[0]];
  if (leftKey !== rightKey) return leftKey < rightKey ? 1 : -1;
  return left < right ? -1 : 1;
}
