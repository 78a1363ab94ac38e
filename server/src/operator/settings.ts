import type { SettingValues } from "../sources/definition.ts";

/** The settings that the operator's verbs use. The service's configuration has them all. */
export type OperatorSettings = {
  dataFolder: string;
  indexFolder: string | undefined;
  databaseUrl: string | undefined;
  databaseConnectionsMax: number;
  host: string;
  port: number;
  connectionsMax: number;
  publicUrl: string | undefined;
  keyPepper: string | undefined;
  masterKeys: string[] | undefined;
  seedLiveKey: string | undefined;
  seedTestKey: string | undefined;
  backupPassphrase: string | undefined;
  defaultAllowance: number | undefined;
  overtureUrl: string;
  allThePlacesUrl: string;
  outboundAllow: { imports: readonly string[] };
  source: string;
  sourceSettings: SettingValues;
};
