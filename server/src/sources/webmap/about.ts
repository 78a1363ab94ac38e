import type { Place } from "../../places/place.ts";
import type { WebmapRecord } from "./records.ts";
import { at, isNoList, listAt, text } from "./values.ts";

type Options = Place["about"][number]["options"];

const sectionsMax = 100;
const optionsMax = 200;
const amenitiesMax = 200;
const label = text(512);
/** The section, named in no language, whose options are also the list of amenities. */
const amenitiesId = "amenities";
// Named once: a path written in the loop would be made again for each of some hundred options.
const paths = { sections: [100, 1], options: [2], isOn: [2, 1, 0, 0] } as const;

type ReadAbout = Pick<Place, "about" | "amenities"> & { isUnreadable: boolean };

/** What a business says of itself, by section. Sections and options are recognized by their language-neutral keys. */
export function readAbout(record: WebmapRecord): ReadAbout {
  const about: Place["about"] = [];
  const amenities: string[] = [];
  for (const section of listAt(record, paths.sections).slice(0, sectionsMax)) {
    if (!Array.isArray(section)) continue;
    const id: unknown = section[0];
    const category = label(section[1]) ?? label(id);
    const options = readOptions(section);
    if (category === undefined || !options) continue;
    about.push({ category, options });
    if (id === amenitiesId && amenities.length === 0) amenities.push(...namesOn(options));
  }
  return { about, amenities, isUnreadable: isNoList(record, paths.sections) };
}

/** Undefined when none can be read. */
function readOptions(section: readonly unknown[]): Options | undefined {
  let options: Record<string, boolean> | undefined;
  let count = 0;
  for (const option of listAt(section, paths.options)) {
    if (!Array.isArray(option) || typeof option[0] !== "string") continue;
    const isOn = at(option, paths.isOn);
    const name = isOn === 1 || isOn === 0 ? label(option[1]) : undefined;
    // Assigned to, `__proto__` would set no property.
    if (name === undefined || name === "__proto__") continue;
    options ??= {};
    options[name] = isOn === 1;
    count += 1;
    if (count === optionsMax) break;
  }
  return options;
}

function namesOn(options: Options): string[] {
  return Object.entries(options)
    .filter(([, isOn]) => isOn)
    .map(([name]) => name)
    .slice(0, amenitiesMax);
}
