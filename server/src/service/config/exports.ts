import type { S3Settings } from "../../domains/exports/index.ts";
import { httpUrl, oneOf, secret, setting, text } from "../../platform/settings.ts";

/** What an operator can set about exports. */
export const exportSettings = {
  exportBucket: setting(
    "WAYPOST_EXPORT_S3_BUCKET",
    undefined,
    bucketName,
    "The S3 bucket for export files; the settings below need it. Unset: the folder exports of the data folder, which all processes of the installation must then share.",
  ),
  exportPrefix: setting(
    "WAYPOST_EXPORT_S3_PREFIX",
    "waypost-exports/",
    text(),
    "What the names of export files in the bucket begin with. Each installation needs one of its own: it removes files there that none of its exports names.",
  ),
  exportEndpoint: setting(
    "WAYPOST_EXPORT_S3_ENDPOINT",
    undefined,
    httpUrl,
    "The S3 service, where it is not Amazon's. It may be on a private network.",
  ),
  exportRegion: setting("WAYPOST_EXPORT_S3_REGION", "us-east-1", text(), "The region of the bucket."),
  exportAccessKeyId: setting(
    "WAYPOST_EXPORT_S3_ACCESS_KEY_ID",
    undefined,
    text(),
    "The access key for the bucket. Unset, as its secret then must be: found where Amazon's own tools look for it.",
  ),
  exportSecretAccessKey: secret(
    setting(
      "WAYPOST_EXPORT_S3_SECRET_ACCESS_KEY",
      undefined,
      text(),
      "The secret that belongs to the access key; required with WAYPOST_EXPORT_S3_ACCESS_KEY_ID.",
    ),
  ),
  exportPathStyle: setting(
    "WAYPOST_EXPORT_S3_PATH_STYLE",
    "true",
    oneOf("true", "false"),
    "Whether the bucket is named in the path (true) or in the host name (false).",
  ),
  exportChecksums: setting(
    "WAYPOST_EXPORT_S3_CHECKSUMS",
    "when_required",
    oneOf("when_required", "when_supported"),
    "Whether uploads carry checksums that some services refuse: when_required or when_supported.",
  ),
};

/**
 * The rule for buckets of before 2018, which Amazon still serves and other services still allow; the name of an access
 * point stands for its bucket.
 */
function bucketName(value: string): string {
  if (/^[a-z0-9][\w.-]{1,253}[a-z0-9]$/i.test(value) || /^arn:[\w:/.-]+$/.test(value)) return value;
  throw new Error(
    "must be the name of a bucket: 3 to 255 letters, digits, dots, hyphens and underscores, without a path; set it to one, or unset it for the data folder",
  );
}

/** A line when the bucket or half of its credentials is missing: what is set beside it would be ignored. */
export function exportProblems(config: Partial<ExportConfig>): string[] {
  const { exportBucket: bucket, exportAccessKeyId: id, exportSecretAccessKey: key } = config;
  const ignored = Object.entries(exportSettings).find(
    ([field, { name, fallback }]) =>
      name.startsWith("WAYPOST_EXPORT_S3_") && (config[field as keyof ExportConfig] ?? fallback) !== fallback,
  );
  if (bucket === undefined && ignored)
    return [
      `WAYPOST_EXPORT_S3_BUCKET is unset, and ${ignored[1].name} needs it: set it, or unset the other WAYPOST_EXPORT_S3_ settings.`,
    ];
  if (id !== undefined && key === undefined)
    return [
      "WAYPOST_EXPORT_S3_SECRET_ACCESS_KEY is unset, and WAYPOST_EXPORT_S3_ACCESS_KEY_ID needs it: set both, or neither.",
    ];
  if (id === undefined && key !== undefined)
    return [
      "WAYPOST_EXPORT_S3_ACCESS_KEY_ID is unset, and WAYPOST_EXPORT_S3_SECRET_ACCESS_KEY needs it: set both, or neither.",
    ];
  return [];
}

type ExportConfig = { [Name in keyof typeof exportSettings]: ReturnType<(typeof exportSettings)[Name]["read"]> };

/** The bucket that is configured; undefined when files stay in the data folder. */
export function s3SettingsOf(config: ExportConfig): S3Settings | undefined {
  const { exportBucket: bucket, exportAccessKeyId: accessKeyId, exportSecretAccessKey: secretAccessKey } = config;
  if (bucket === undefined) return undefined;
  return {
    bucket,
    prefix: config.exportPrefix,
    endpoint: config.exportEndpoint,
    region: config.exportRegion,
    credentials:
      accessKeyId === undefined || secretAccessKey === undefined ? undefined : { accessKeyId, secretAccessKey },
    pathStyle: config.exportPathStyle === "true",
    checksums: config.exportChecksums === "when_required" ? "WHEN_REQUIRED" : "WHEN_SUPPORTED",
  };
}
