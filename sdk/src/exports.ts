import { idempotencyKeyOf, pathOf } from "./calls.ts";
import { WaypostError } from "./errors.ts";
import type { CallOptions, CreateOptions } from "./options.ts";
import { type ListOptions, listOf, type Paged } from "./paging.ts";
import { waitFor, type WaitOptions } from "./polling.ts";
import { resumed } from "./resume.ts";
import { deletion, resource } from "./shape.ts";
import type { Rest, Transport } from "./transport.ts";
import type { CreateExport, Deleted, Export, ExportStatus, ListPage } from "./types.ts";

/** A file as it comes over the wire. */
export type ExportFile = {
  /** As the service suggests it. */
  name: string;
  mediaType: string;
  sizeBytes: number | null;
  /** Of the whole file, in lowercase hex: compare it when the last byte has come. */
  sha256: string | null;
  content: AsyncIterable<Uint8Array>;
};

const ended: ReadonlySet<ExportStatus> = new Set(["ready", "failed", "expired"]);

export function createExports({ send, stream, sleep, maxRetries: retriesDefault }: Transport) {
  /** Starts writing stored results to a file. It costs no request unit. */
  async function create(body: CreateExport, options?: CreateOptions): Promise<Export> {
    const idempotencyKey = idempotencyKeyOf(options);
    const call = { method: "POST", path: "/exports", body, idempotencyKey, answer: resource, options } as const;
    return (await send<{ data: Export }>(call)).data;
  }

  /** Reads an export; while it is ready, with a link that is good for 15 minutes. */
  async function get(exportId: string, options?: CallOptions): Promise<Export> {
    const path = pathOf("/exports", exportId);
    return (await send<{ data: Export }>({ method: "GET", path, answer: resource, options })).data;
  }

  /** The organization's exports, newest first. */
  function list(options: ListOptions = {}): Paged<Export, ListPage<Export>> {
    return listOf(send, "/exports", options);
  }

  /** Deletes an export with its file, whose links stop working at once. */
  async function remove(exportId: string, options?: CallOptions): Promise<Deleted> {
    const path = pathOf("/exports", exportId);
    return (await send<{ data: Deleted }>({ method: "DELETE", path, answer: deletion, options })).data;
  }

  /** Reads an export until its file is ready, or will never be. */
  async function wait(exportId: string, options: WaitOptions<Export> = {}): Promise<Export> {
    return waitFor(
      (signal) => get(exportId, { ...options, signal }),
      ({ status }) => ended.has(status),
      sleep,
      options,
    );
  }

  /** Opens the file of an export that is ready; its content is read as it comes, and goes on where a connection broke. */
  async function download(exportId: string, options: CallOptions = {}): Promise<ExportFile> {
    const { made, opened } = await open(exportId, options);
    const { size_bytes, sha256, format } = made;
    const { headers } = opened;
    const { maxRetries = retriesDefault, signal } = options;
    // A fresh link each time: the first one may have ended by then.
    const reopen = async (rest: Rest) => (await open(exportId, options, rest)).opened;
    return {
      name: /filename="([^"/\\]+)"/.exec(headers.get("content-disposition") ?? "")?.[1] ?? `${exportId}.${format}`,
      mediaType: headers.get("content-type") ?? "application/octet-stream",
      sizeBytes: size_bytes,
      sha256,
      content: resumed(opened, { reopen, sleep, maxRetries, signal }),
    };
  }

  async function open(exportId: string, options: CallOptions, rest?: Rest) {
    const made = await get(exportId, options);
    if (made.download_url === undefined) throw notReady(exportId, made.status);
    return { made, opened: await stream({ link: made.download_url, ...(rest ? { rest } : {}) }, options) };
  }

  return { create, get, list, remove, wait, download };
}

export type Exports = ReturnType<typeof createExports>;

function notReady(exportId: string, status: ExportStatus): WaypostError {
  if (status === "expired") {
    const message = `The file of ${exportId} is no longer kept; create another export.`;
    return new WaypostError({ code: "export_expired", message });
  }
  const message = `Export ${exportId} is ${status}; only one that is ready can be downloaded.`;
  return new WaypostError({ code: "state_conflict", message });
}
