import type { Readable } from "node:stream";
import { uuidFromId } from "../../../platform/ids.ts";
import type { Log } from "../../../platform/log.ts";
import type { Database } from "../../../platform/postgres/database.ts";
import { DownloadNotFound, FileElsewhere, FileExpired, LinkExpired, StorageUnavailable } from "../errors.ts";
import { type Export, fileName, mediaTypes, type StoredFile } from "../export.ts";
import type { FileStore } from "../storage/file-store.ts";
import type { ByteRange } from "../storage/storage.ts";
import { findLinkedExport } from "../store.ts";
import { chooseBytes, isResumption, type WantedBytes } from "./byte-range.ts";
import type { Link, Links } from "./links.ts";

type DownloadsDeps = { db: Database; files: FileStore; links: Links; log: Log };

/** A file, or a part of it, that may be sent to anyone who has the link. */
export type Download = {
  name: string;
  mediaType: string;
  sizeBytes: number;
  etag: string;
  /** Undefined for the whole file. */
  part: ByteRange | undefined;
  /** False when the wanted part lies behind the end of the file. */
  isSatisfiable: boolean;
  open(): Promise<Readable>;
  /** Rejects as `open` would, after a byte of the file. */
  requireFile(): Promise<void>;
};

const retryAfterSeconds = 5;

export function createDownloads({ db, files, links, log }: DownloadsDeps) {
  /** Needs no key: the link is the right to this one file, and to nothing else. */
  async function find(exportId: string, link: Link, wanted: WantedBytes): Promise<Download> {
    const uuid = uuidFromId("exp", exportId);
    const found = uuid === undefined ? undefined : await findLinkedExport(db, uuid);
    if (!found?.file) throw DownloadNotFound();
    const etag = `"${found.file.sha256}"`;
    requireOpenLink(found.id, found.file, link, isResumption(wanted, etag));
    if (found.status !== "ready") throw FileExpired({ exportId });

    const { file } = found;
    const chosen = chooseBytes(wanted, { sizeBytes: file.sizeBytes, etag });
    const part = chosen.kind === "part" ? chosen.part : undefined;
    const range = part ?? { start: 0, end: file.sizeBytes - 1 };
    return {
      name: fileName(found),
      mediaType: mediaTypes[found.format],
      sizeBytes: file.sizeBytes,
      etag,
      part,
      isSatisfiable: chosen.kind !== "unsatisfiable",
      open: () => open(found, file, range),
      async requireFile() {
        const { start, end } = range;
        const content = await open(found, file, { start, end: Math.min(start, end) });
        content.destroy();
      },
    };
  }

  function requireOpenLink(exportId: string, { key }: StoredFile, link: Link, resumes: boolean) {
    const state = links.check(exportId, key, link);
    if (state === "forged") throw DownloadNotFound();
    if (state === "expired" || (state === "resume_only" && !resumes)) throw LinkExpired();
  }

  async function open(found: Export, { key, storage }: StoredFile, range: ByteRange): Promise<Readable> {
    if (storage !== files.storage.name) throw FileElsewhere(undefined, { retryAfterSeconds });
    let content: Readable | undefined;
    try {
      content = await files.storage.read(key, range);
    } catch (cause) {
      log.warn({ export_id: found.id, err: cause }, "export.read_failed");
      throw StorageUnavailable(undefined, { retryAfterSeconds, cause });
    }
    if (content) return content;
    log.error({ export_id: found.id, file: key }, "export.file_missing");
    throw FileExpired({ exportId: found.id });
  }

  return { find };
}

export type Downloads = ReturnType<typeof createDownloads>;
