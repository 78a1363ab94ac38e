/** What the value of an option is: its name in the help, and what a shell offers for it. */
export type OptionValue = { placeholder: string; choices?: readonly string[]; isFile?: true };

const oneOf = (...choices: readonly string[]): OptionValue => ({ placeholder: choices.join("/"), choices });

const number: OptionValue = { placeholder: "N" };
const file: OptionValue = { placeholder: "FILE", isFile: true };
const formats = ["csv", "json", "ndjson", "geojson", "xlsx", "parquet"];
const languages = ["ar", "de", "en", "es", "fr", "it", "ja", "nl", "pl", "pt", "ru", "tr", "uk", "zh"];
const statuses = ["queued", "running", "succeeded", "partial", "failed", "canceled"];

/** An option means the same in every command, but for those of the second table. */
const values: Readonly<Record<string, OptionValue>> = {
  page: number,
  ll: { placeholder: "POSITION" },
  hl: { placeholder: "LANGUAGE", choices: languages },
  gl: { placeholder: "COUNTRY" },
  columns: { placeholder: "COLUMNS", choices: ["people", "all"] },
  webhook: { placeholder: "ENDPOINT_ID" },
  "idempotency-key": { placeholder: "KEY" },
  timeout: { placeholder: "SECONDS" },
  limit: number,
  area: { placeholder: "PLACE" },
  "max-units": { placeholder: "UNITS" },
  format: { placeholder: "FORMAT", choices: formats },
  output: file,
  map: file,
  events: { placeholder: "TYPES" },
  description: { placeholder: "TEXT" },
  url: { placeholder: "URL" },
  "forward-to": { placeholder: "URL" },
  name: { placeholder: "NAME" },
  environment: oneOf("live", "test"),
  scopes: { placeholder: "SCOPES" },
  networks: { placeholder: "BLOCKS" },
  expires: { placeholder: "DATE" },
  org: { placeholder: "ORG" },
  overlap: { placeholder: "HOURS" },
  reason: { placeholder: "TEXT" },
  entitlement: oneOf("active", "inactive"),
  allowance: { placeholder: "UNITS", choices: ["none", "default"] },
  email: { placeholder: "EMAIL" },
  role: oneOf("owner", "member", "viewer"),
  months: number,
  ledger: number,
  "passphrase-file": file,
  mapping: { placeholder: "FIELD=COLUMN" },
  "min-confidence": { placeholder: "SHARE" },
  release: { placeholder: "RELEASE" },
  "allow-skipped": { placeholder: "PERCENT" },
  base: { placeholder: "URL" },
};

const valuesByCommand: Readonly<Record<string, OptionValue>> = {
  "jobs list --status": { placeholder: "STATUS", choices: statuses },
  "webhooks update --status": oneOf("active", "paused"),
};

/** Undefined for an option that nobody has described. */
export function optionValue(command: string, option: string): OptionValue | undefined {
  return valuesByCommand[`${command} --${option}`] ?? values[option];
}
