import { basePath } from "../../platform/contract.ts";
import { idFromUuid } from "../../platform/ids.ts";
import type { Export } from "./export.ts";
import type { Links } from "./downloads/links.ts";
import type { Export as Resource } from "./schema.ts";

/** An export as its owner sees it. The link is a path; edges know the host in front of it. */
export type ShownExport = Omit<Resource, "download_url"> & { downloadPath: string | undefined };

export function toShown(shown: Export, links: Links): ShownExport {
  const { id, format, status, file, createdAt, expiresAt, errorCode, subject } = shown;
  const jobIds = subject.jobIds.map((uuid) => idFromUuid("job", uuid));
  const link = file && status === "ready" ? links.sign(id, file.key) : undefined;
  return {
    id,
    job_id: jobIds.length === 1 ? (jobIds[0] ?? null) : null,
    job_ids: jobIds,
    collection_id: subject.collectionId && idFromUuid("col", subject.collectionId),
    format,
    status,
    row_count: file?.rowCount ?? null,
    size_bytes: file?.sizeBytes ?? null,
    sha256: file?.sha256 ?? null,
    created_at: createdAt.toISOString(),
    expires_at: expiresAt?.toISOString() ?? null,
    ...(errorCode === null ? {} : { error_code: errorCode }),
    links: { self: `${basePath}/exports/${id}` },
    downloadPath: link && `${basePath}/downloads/${id}?${new URLSearchParams(link).toString()}`,
  };
}

/** Completes the link with the origin that the caller reaches this service at. */
export function withDownloadUrl({ downloadPath, ...shown }: ShownExport, origin: string): Resource {
  return downloadPath === undefined ? shown : { ...shown, download_url: origin + downloadPath };
}
