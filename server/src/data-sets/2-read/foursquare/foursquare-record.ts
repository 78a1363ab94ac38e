import { countryOf } from "../../../geography/country.ts";
import { categoriesOfTags, tagsOfCategory, titleOf } from "../../../kinds/index.ts";
import { readEmail, readPhones, readProfile, readWebsite, splitList } from "../../../places/contacts.ts";
import type { PlaceRecord } from "../../../places/record.ts";
import { isPoint } from "../reader.ts";
import { categoryOfWord } from "../tables/properties.ts";

type Row = Readonly<Record<string, string>>;

/** People have told Foursquare of these rows that there is no such business; nobody has looked since. */
const doubts = /\b(?:closed|doesnt_exist|delete|duplicate|privatevenue|inappropriate)\b/;
const doubtedConfidence = 0.4;

/** The place that a row tells of; undefined when it lacks an id, a name or a point. */
export function foursquareRecord(row: Row): PlaceRecord | undefined {
  const cell = (name: string) => row[name]?.trim() || undefined;
  const [id, name] = [cell("fsq_place_id"), cell("name")];
  const [latitude, longitude] = [Number(cell("latitude") ?? Number.NaN), Number(cell("longitude") ?? Number.NaN)];
  if (!id || !name || !isPoint(latitude, longitude)) return undefined;

  const countryCode = countryOf(cell("country"), latitude, longitude);
  const dialed = splitList(cell("tel") ?? "");
  const phones = readPhones(dialed, countryCode);
  const website = readWebsite(cell("website") ?? "");
  const email = readEmail(cell("email") ?? "");
  const profiles = ["facebook_id", "instagram", "twitter"]
    .map((network) => readProfile(network.replace("_id", ""), cell(network) ?? ""))
    .filter((profile) => profile !== null);
  const observedAt = timestampOf(cell("date_refreshed") ?? cell("date_created"));
  return {
    sourceId: `foursquare:${id}`,
    name,
    namesByLanguage: {},
    otherNames: [],
    ...kindsOf(splitList(cell("fsq_category_labels") ?? "")),
    latitude,
    longitude,
    ...(observedAt === undefined ? {} : { observedAt }),
    ...(doubts.test(cell("unresolved_flags") ?? "") ? { confidence: doubtedConfidence } : {}),
    address: {
      street: cell("address") ?? null,
      city: cell("locality") ?? null,
      region: cell("region") ?? null,
      postalCode: cell("postcode") ?? null,
      countryCode,
    },
    details: {
      businessStatus: cell("date_closed") === undefined ? null : "CLOSED_PERMANENTLY",
      ...(phones.length > 0 ? { phones } : {}),
      ...(phones.length === 0 && dialed.length > 0 ? { unreadable: ["phones" as const] } : {}),
      ...(website === null ? {} : { website }),
      ...(email === null ? {} : { emails: [email] }),
      ...(profiles.length > 0 ? { socialProfiles: profiles } : {}),
    },
  };
}

/** A label is a path, `Dining and Drinking > Café`: its last name says what it is, and what stands above is wider. */
function kindsOf(labels: readonly string[]): Pick<PlaceRecord, "categories" | "categoryLabels" | "isLabelFirst"> {
  const categories = new Set<string>();
  const categoryLabels: string[] = [];
  for (const label of labels) {
    const names = label.split(">").map((name) => name.trim());
    const found = names.map(categoryOfWord);
    const category = found.findLast((each) => each !== undefined);
    if (found.at(-1) === undefined) categoryLabels.push(titleOf(names.at(-1) ?? ""));
    if (category === undefined) continue;
    for (const each of [category, ...categoriesOfTags(tagsOfCategory(category) ?? {})]) categories.add(each);
  }
  const [first] = labels;
  const isLabelFirst = first !== undefined && categoryOfWord(first.split(">").at(-1)?.trim() ?? "") === undefined;
  return { categories: [...categories], categoryLabels, ...(isLabelFirst ? { isLabelFirst } : {}) };
}

function timestampOf(text: string | undefined): string | undefined {
  const time = Date.parse(text ?? "");
  return Number.isNaN(time) ? undefined : new Date(time).toISOString();
}
