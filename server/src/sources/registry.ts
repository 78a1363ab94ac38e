import { catalog } from "./catalog/index.ts";
import type { SettingValues, SourceDefinition, SourceDeps } from "./definition.ts";
import { osm } from "./osm/index.ts";
import type { Setting } from "../platform/settings.ts";
import type { Source } from "./source.ts";
import { webmap } from "./webmap/index.ts";

/**
 * The sources that can answer live keys; `auto` tries them in this order. A new one is a folder and
 * a line here. Fixtures are no source for live keys, and are not listed.
 */
export const registeredSources: readonly SourceDefinition[] = [catalog, osm, webmap];

export const sourceNames: readonly string[] = registeredSources.map(({ name }) => name);

/** Every setting that a source declares, under a key that names the source too. */
export const sourceSettings: Readonly<Record<string, Setting<unknown>>> = settingsOf(registeredSources);

export function settingsOf(definitions: readonly SourceDefinition[]): Record<string, Setting<unknown>> {
  return Object.fromEntries(
    definitions.flatMap(({ name, settings }) =>
      Object.entries(settings).map(([key, setting]) => [`${name}.${key}`, setting] as const),
    ),
  );
}

/** Makes the sources that their settings switch on. */
export async function createSources(
  deps: SourceDeps,
  values: SettingValues,
  definitions: readonly SourceDefinition[] = registeredSources,
): Promise<Source[]> {
  const sources: Source[] = [];
  for (const { settings, create, ...description } of definitions) {
    const entries = Object.keys(settings).map((key) => [key, values[`${description.name}.${key}`]] as const);
    const port = await create(deps, Object.fromEntries(entries));
    if (port) sources.push({ ...description, ...port });
  }
  return sources;
}
