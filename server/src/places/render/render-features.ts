import {
  familyLabel,
  type FeatureGroup,
  familyOf,
  featureLabel,
  groupLabel,
  optionLabel,
} from "../../languages/index.ts";
import type { Place } from "../place.ts";

type About = Place["about"];

const groupOf: ReadonlyMap<string, FeatureGroup> = new Map<string, FeatureGroup>(
  Object.entries({
    wheelchair: "access",
    "toilets:wheelchair": "access",
    stroller: "access",
    takeaway: "service",
    delivery: "service",
    drive_through: "service",
    reservation: "service",
    self_service: "service",
    outdoor_seating: "service",
    indoor_seating: "service",
  } as const),
);

const labelMax = 512;
const amenitiesMax = 200;
const optionsMax = 200;

/** What a place offers: a plain list of what there is, and groups that also say what there is not. */
export function renderFeatures(
  features: Readonly<Record<string, string>>,
  hl: string,
): Pick<Place, "amenities" | "about"> {
  const groups = new Map<string, Record<string, boolean | string>>();
  const amenities = new Set<string>();
  for (const [key, value] of Object.entries(features)) {
    const label = featureLabel(key, hl).slice(0, labelMax);
    const option = optionOf(key, value, hl);
    const title = titleFor(key, hl);
    const options = groups.get(title) ?? {};
    if (Object.keys(options).length < optionsMax) options[label] = option;
    groups.set(title, options);
    if (option !== false && familyOf(key) !== "payment:" && amenities.size < amenitiesMax) amenities.add(label);
  }
  const about: About = [...groups].map(([category, options]) => ({ category, options }));
  return { amenities: [...amenities], about };
}

function titleFor(key: string, hl: string): string {
  const family = familyOf(key);
  if (family !== undefined) return familyLabel(family, hl);
  return groupLabel(groupOf.get(key) ?? "comfort", hl);
}

const optionLengthMax = 200;

function optionOf(key: string, value: string, hl: string): boolean | string {
  if (value === "yes") return true;
  if (value === "no" || value === "none") return false;
  return optionLabel(key, value, hl).slice(0, optionLengthMax);
}
