import type { Clock } from "../platform/clock.ts";
import type { CounterFactory, GaugeFactory } from "../platform/meters.ts";
import type { Log } from "../platform/log.ts";
import type { Outbound } from "../platform/net/outbound.ts";
import type { Database } from "../platform/postgres/database.ts";
import type { Reads } from "../platform/postgres/replica-reads.ts";
import type { PlaceIndex } from "../place-index/port.ts";
import type { Setting } from "../platform/settings.ts";
import type { SourceDescription, SourcePort } from "./source.ts";

/** What every source may use. */
export type SourceDeps = {
  db: Database;
  /** For statements that only read: a replica, where there is one. */
  reads: Reads;
  outbound: Outbound;
  /** What finds places of the catalog on this machine. */
  placeIndex: PlaceIndex;
  clock: Clock;
  log: Log;
  counter: CounterFactory;
  gauge: GaugeFactory;
  /** Where a source may keep files for the operator, in a folder named after itself. */
  dataFolder: string;
};

export type SettingValues = Readonly<Record<string, unknown>>;
type Settings = Readonly<Record<string, Setting<unknown>>>;
type ValuesOf<Declared extends Settings> = { [Key in keyof Declared]: ReturnType<Declared[Key]["read"]> };

/** Undefined where the settings leave the source switched off. */
type Created = SourcePort | undefined;

/** A source that can be registered: what it is, which settings it reads, and how it is made. */
export type SourceDefinition = SourceDescription & {
  settings: Settings;
  /** Imports the code of the source, which only a process that answers needs. */
  create(deps: SourceDeps, settings: SettingValues): Created | Promise<Created>;
};

/** Checks a definition, and types the values that `create` receives by the settings declared beside it. */
export function defineSource<const Declared extends Settings>(
  definition: SourceDescription & {
    settings: Declared;
    create(deps: SourceDeps, settings: ValuesOf<Declared>): Created | Promise<Created>;
  },
): SourceDefinition {
  return definition;
}
