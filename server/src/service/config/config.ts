import { ConfigProblem, type Setting } from "../../platform/settings.ts";
import type { SettingValues } from "../../sources/definition.ts";
import { sourceSettings } from "../../sources/registry.ts";
import { billingSettings } from "./billing.ts";
import { defaultDataFolder } from "./data-folder.ts";
import { databaseProblems, databaseSettings } from "./database.ts";
import { exportProblems, exportSettings } from "./exports.ts";
import { formerSettings, formerVariables } from "./former-settings.ts";
import { httpSettings } from "./http.ts";
import { mapProblems, mapSettings } from "./map.ts";
import { oidcProblems, oidcSettings } from "./oidc.ts";
import { outboundSettings } from "./outbound.ts";
import { processSettings } from "./process.ts";
import { publisherSettings } from "./publishers.ts";
import { secretSettings } from "./secrets.ts";
import { unknownVariables } from "./unknown-variables.ts";

/**
 * The settings of the service, a file for each group; each source declares its own. Only this file reads the
 * environment. A test compares docs/reference/configuration.md with it.
 */
const ownSettings = {
  ...processSettings,
  ...httpSettings,
  ...databaseSettings,
  ...billingSettings,
  ...outboundSettings,
  ...secretSettings,
  ...exportSettings,
  ...oidcSettings,
  ...mapSettings,
  ...publisherSettings,
};

/** All settings, by a key that is unique among them. */
export const settings: Readonly<Record<string, Setting<unknown>>> = { ...ownSettings, ...sourceSettings };

export type Config = { [Name in keyof typeof ownSettings]: ReturnType<(typeof ownSettings)[Name]["read"]> } & {
  dataFolder: string;
  /** The values of what the sources declare, by the same keys. */
  sourceSettings: SettingValues;
  /** What an operator should change although the service starts. */
  warnings: readonly string[];
};

export function readConfig(environment: NodeJS.ProcessEnv = process.env): Config {
  const problems: string[] = [];
  const entries = Object.entries(settings).map(([key, { name, read, isSecret }]) => {
    try {
      return [key, read(environment[name])];
    } catch (error) {
      const isHidden = isSecret || hasCredentials(environment[name]);
      const shown = isHidden ? "is set to a value that" : `is ${JSON.stringify(environment[name])}: it`;
      problems.push(`${name} ${shown} ${(error as Error).message}.`);
      // Bad, and set all the same: what is said about several settings must not call it unset.
      return [key, environment[name]];
    }
  });
  const names = [...Object.values(settings).map(({ name }) => name), ...formerSettings.keys()];
  problems.push(...unknownVariables(environment, names));
  const values: SettingValues = Object.fromEntries(entries);
  problems.push(
    ...databaseProblems(values),
    ...exportProblems(values),
    ...oidcProblems(values),
    ...mapProblems(values),
  );
  if (problems.length > 0) throw new ConfigProblem(problems);
  const valuesOf = (keys: readonly string[]) => Object.fromEntries(keys.map((key) => [key, values[key]] as const));
  return {
    // Each value was made by the reader of its own key.
    ...(valuesOf(Object.keys(ownSettings)) as Pick<Config, keyof typeof ownSettings>),
    dataFolder: (values["dataFolder"] as string | undefined) ?? defaultDataFolder({ environment }),
    sourceSettings: valuesOf(Object.keys(sourceSettings)),
    warnings: formerVariables(environment),
  };
}

/** A URL with a user and a password in it is a secret, whatever its setting. */
function hasCredentials(value = ""): boolean {
  return /:\/\/[^/?#]*@/.test(value);
}
