import { defineError } from "../platform/errors.ts";

export const ImportRunning = defineError(
  "state_conflict",
  "conflict",
  ({ name }: { name: string }) => `Another command imports or removes the data set ${name}. Wait until it is done.`,
);

export const SwitchUncertain = defineError(
  "temporarily_unavailable",
  "unavailable",
  () =>
    "The command ended in the moment of the change, and whether that was made is not known: `waypost catalog list` shows it. To import again does no harm.",
);

export const ImportEmpty = defineError(
  "invalid_request",
  "invalid",
  ({ origin }: { origin: string }) => `${origin} has no places to import. Nothing was changed.`,
);

export const DatabaseLost = defineError(
  "temporarily_unavailable",
  "unavailable",
  ({ problem }: { problem: string }) =>
    `${problem} The catalog is as it was; the same command continues, or begins again.`,
);

export const NameInvalid = defineError(
  "invalid_request",
  "invalid",
  ({ charactersMax }: { charactersMax: number }) =>
    `A data set's name has 1 to ${charactersMax} characters, none of them a line break or another control character. Nothing was changed; --name gives another.`,
);

export const SampleUnwanted = defineError(
  "state_conflict",
  "conflict",
  () => "The catalog has data of the operator's own, or the operator removed the sample.",
);

export const NameOfSample = defineError(
  "state_conflict",
  "conflict",
  ({ name }: { name: string }) => `The sample is called ${name}. Nothing was changed; --name gives another name.`,
);

export const DataSetUnknown = defineError(
  "not_found",
  "not_found",
  ({ name }: { name: string }) => `There is no data set ${name}. \`waypost catalog list\` shows those there are.`,
);

export const NoNewerKnown = defineError(
  "invalid_request",
  "invalid",
  ({ name, origin }: { name: string; origin: string }) =>
    `The data set ${name} came from ${origin}, and nobody knows a newer one: import the newer file under its name. Data sets of \`catalog add\` can be updated.`,
);

export const DownloadFailed = defineError(
  "invalid_request",
  "invalid",
  ({ url, reason }: { url: string; reason: string; status?: number }) =>
    `${url} could not be downloaded: ${reason}. Nothing was changed.`,
);

export const ReleaseGone = defineError(
  "not_found",
  "not_found",
  ({ release, releases }: { release: string; releases: readonly string[] }) =>
    `Overture's release ${release} is not public, or no longer: a release stays for about 60 days. ${releases.length > 0 ? `There are ${releases.join(", ")}; without --release the` : "Without --release the"} latest is taken. Nothing was changed.`,
);

export const IndexUnreadable = defineError(
  "invalid_request",
  "invalid",
  ({ url }: { url: string }) =>
    `${url} is no index of a publisher that can be read; see whether its address is right. Nothing was changed.`,
);

export const AreaUnknown = defineError(
  "not_found",
  "not_found",
  ({ area }: { area: string }) =>
    `There is no area ${JSON.stringify(area)} in the lists; write a country's two letters, or south,west,north,east in degrees, such as 47.0,9.4,47.3,9.7. Nothing was changed.`,
);

export const AreaInvalid = defineError(
  "invalid_request",
  "invalid",
  ({ area }: { area: string }) =>
    `--area ${area} is no box; write south,west,north,east in degrees, such as 47.0,9.4,47.3,9.7. Nothing was changed.`,
);

export const AreaEmpty = defineError(
  "invalid_request",
  "invalid",
  ({ origin }: { origin: string }) => `${origin} has no file with places there. Nothing was changed.`,
);

export const DownloadUnstorable = defineError(
  "invalid_request",
  "invalid",
  ({ folder, problem, setting = "TMPDIR" }: { folder: string; problem: string; setting?: string }) =>
    `A download cannot be stored in ${folder}: ${problem}. Nothing was changed; ${setting} can name another folder.`,
);

export const AddressInvalid = defineError(
  "invalid_request",
  "invalid",
  ({ address }: { address: string }) =>
    `${address} is no address that can be read; write it as https://example.org/places.csv. Nothing was changed.`,
);

export const FileRefused = defineError(
  "invalid_request",
  "invalid",
  ({ origin, problem, offset }: { origin: string; problem: string; offset: number | undefined }) =>
    `${origin}: ${problem}${offset && !problem.includes("byte") ? ` It is at byte ${offset}.` : ""} Nothing was changed.`,
);

export const RegionUnknown = defineError(
  "not_found",
  "not_found",
  ({ region }: { region: string }) =>
    `There is no region ${region} in the list. Write its path at the extract server instead, such as europe/germany/berlin, or import a file.`,
);

export const MappingInvalid = defineError(
  "invalid_request",
  "invalid",
  ({ pair, fields }: { pair: string; fields: readonly string[] }) =>
    `--mapping has ${JSON.stringify(pair)}; write field=column pairs separated by commas, such as name=Company,latitude=Lat,longitude=Lon. The fields are ${fields.join(", ")}.`,
);

export const MappingUnused = defineError(
  "invalid_request",
  "invalid",
  ({ origin }: { origin: string }) =>
    `--mapping names the columns of tables (CSV, Parquet), and ${origin} has none; leave it out. Nothing was changed.`,
);

export const TooManySkipped = defineError(
  "invalid_request",
  "invalid",
  ({ origin, skipped, rows, samples }: { origin: string; skipped: number; rows: number; samples: string }) =>
    `${origin}: ${skipped} of ${rows} rows cannot be used (${samples}). Nothing was changed; mend the file, or let more rows go with --allow-skipped PERCENT.`,
);

export const DataSetElsewhere = defineError(
  "state_conflict",
  "conflict",
  ({ name, origin }: { name: string; origin: string }) =>
    `The data set ${name} was imported from ${origin}; another file under its name would close its places. Give --name ${name} to do that, or another --name to keep both.`,
);
