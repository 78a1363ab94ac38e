import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { basename, join } from "node:path";
import { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { CreateExport, Export } from "@waypost/sdk";
import type { Command, Output, Values } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import { orSay } from "../failures.ts";
import { facts, table } from "../table.ts";
import { formatOf, formats, refuseFiles, requireWritable, writeWhole } from "./files.ts";
import { columnsChosen, columnsOption } from "./listings.ts";
import { type Client, withClient } from "./open.ts";
import { watch } from "./progress.ts";
import { oneId, text, wholeNumber } from "./words.ts";

const json = { json: { flag: "Print JSON" } };
const showsExports = "`waypost exports` shows them.";
const output = {
  output: "Where to write the file (its own name, in this folder)",
  force: { flag: "Write over a file that is there" },
};

export const exportCommands: readonly Command[] = [
  {
    name: "export",
    about: "Write the results of jobs to a file and download it; a business that several found is in it once",
    words: "JOB_ID…",
    options: {
      format: `One of ${formats.join(", ")} (the ending of --output, or csv)`,
      ...columnsOption,
      webhook: "The webhook endpoint that gets export.ready, whe_…; live keys only",
      "create-only": { flag: "Only create the export" },
      ...output,
      ...json,
    },
    async run(values, words) {
      const format = formatOf(values) ?? "csv";
      const isCreation = values["create-only"] === true;
      if (isCreation) refuseFiles(values, "output", "force");
      const jobs = words.length === 0 ? [oneId(words, "job", "`waypost jobs` shows them.")] : words;
      for (const each of jobs) oneId([each], "job", "`waypost jobs` shows them.");
      const webhook = text(values, "webhook");
      const columns = await columnsChosen(values);
      const body = {
        ...(jobs.length === 1 ? { job_id: jobs[0] ?? "" } : { job_ids: jobs }),
        format,
        ...columns,
        ...(webhook === undefined ? {} : { webhook_endpoint_id: webhook }),
      };
      const file = fileOf(values);
      if (!isCreation) await requireWritable(file.path, "output", file.isForced);
      return withClient(async (client) => {
        if (!isCreation) return exportTo(client, body, file);
        return shown(await client.waypost.exports.create(body, { signal: client.signal }));
      });
    },
  },
  {
    name: "exports list",
    about: "List the exports, newest first",
    words: "",
    options: { limit: "How many at most, 1 to 100 (25)", ...json },
    async run(values) {
      const limit = wholeNumber(values, "limit", 1) ?? 25;
      return withClient(async ({ waypost, signal }) => {
        const { data: exports } = await waypost.exports.list({ limit, signal }).page();
        const rows = exports.map((each) => [
          each.id,
          each.status,
          each.format,
          String(each.row_count ?? ""),
          each.created_at,
        ]);
        return { data: { exports }, text: table(["ID", "STATUS", "FORMAT", "ROWS", "CREATED"], rows) };
      });
    },
  },
  {
    name: "exports show",
    about: "Show one export",
    words: "EXPORT_ID",
    options: json,
    async run(_, words) {
      const id = oneId(words, "exp", showsExports);
      return withClient(async ({ waypost, signal }) => shown(await waypost.exports.get(id, { signal })));
    },
  },
  {
    name: "exports download",
    about: "Download the file of an export, once it is ready",
    words: "EXPORT_ID",
    options: { ...output, ...json },
    async run(values, words) {
      const id = oneId(words, "exp", showsExports);
      const file = fileOf(values);
      await requireWritable(file.path, "output", file.isForced);
      return withClient(async (client) => {
        const ended = await follow(client, id, { isKnown: false, isQuiet: file.isQuiet });
        return ended.status === "ready" ? save(client, ended, file) : notReady(ended);
      });
    },
  },
  {
    name: "exports delete",
    about: "Delete an export with its file",
    words: "EXPORT_ID",
    options: json,
    async run(_, words) {
      const id = oneId(words, "exp", showsExports);
      const data = await withClient(({ waypost, signal }) => waypost.exports.remove(id, { signal }));
      return { data, text: `Deleted ${id}.` };
    },
  },
];

/** Where the file of an export goes; without a path under the service's name for it, in this folder. */
export type ExportTarget = { path: string | undefined; isForced: boolean; isQuiet: boolean };

export function fileOf(values: Values): ExportTarget {
  return { path: text(values, "output"), isForced: values["force"] === true, isQuiet: values["json"] === true };
}

/** Creates an export, waits for its file and saves that. */
export async function exportTo(client: Client, body: CreateExport, file: ExportTarget): Promise<Output> {
  const made = await client.waypost.exports.create(body, { signal: client.signal });
  const ended = await follow(client, made.id, { isKnown: true, isQuiet: file.isQuiet });
  if (ended.status !== "ready") return notReady(ended);
  return orSay(
    () => `The export is ready: \`waypost exports download ${made.id}\` fetches it.`,
    () => save(client, ended, file),
  );
}

/** Waits until the file is ready, or will never be. */
async function follow(
  { waypost, signal }: Client,
  exportId: string,
  options: { isKnown: boolean; isQuiet: boolean },
): Promise<Export> {
  return watch({
    wait: (onUpdate) => waypost.exports.wait(exportId, { signal, onUpdate }),
    line: ({ status }) => `${exportId}  ${status}`,
    goesOn: `The export goes on: \`waypost exports download ${exportId}\` fetches it later.`,
    ...options,
  });
}

/** Writes the file under a temporary name and gives it its own when every byte is there. */
async function save({ waypost, signal }: Client, made: Export, { path: given, isForced }: ExportTarget) {
  const file = await waypost.exports.download(made.id, { signal });
  // The name comes from the service: it must not lead out of this folder.
  const path = given ?? join(".", basename(file.name));
  await requireWritable(path, "output", isForced).catch(async (error: unknown) => {
    for await (const _chunk of file.content) break; // ends the download, which would hold the process up
    throw error;
  });
  const hash = createHash("sha256");
  let bytes = 0;
  const measure = new Transform({
    transform(chunk: Uint8Array, _, done) {
      hash.update(chunk);
      bytes += chunk.length;
      done(null, chunk);
    },
  });
  await writeWhole(path, async (draft) => {
    await pipeline(Readable.from(file.content), measure, createWriteStream(draft, { flags: "wx" }), { signal });
    if (file.sha256 !== null && hash.digest("hex") !== file.sha256) {
      throw new Error("The download is damaged: its SHA-256 is not the export's. Nothing was written; try again.");
    }
  }).catch((error: unknown) => {
    signal.throwIfAborted();
    throw error;
  });
  const note = `Wrote ${path}: ${made.row_count ?? 0} rows, ${bytes} bytes.`;
  return { data: { ...withoutLink(made), path }, text: note };
}

function notReady(ended: Export): Output {
  return { ...shown(ended), exitCode: exitCodes.unfinished };
}

/** Anyone who has the link can fetch the file: it does not belong in a terminal's history. */
function withoutLink(made: Export): Omit<Export, "download_url"> {
  const { download_url: _link, ...rest } = made;
  return rest;
}

function shown(made: Export): Output {
  const rows: [string, string][] = [
    ["Id", made.id],
    ["Format", made.format],
    ["Status", made.error_code ? `${made.status}: ${made.error_code}` : made.status],
    ["Rows", String(made.row_count ?? "")],
    ["Bytes", String(made.size_bytes ?? "")],
    ["Created", made.created_at],
    ["Expires", made.expires_at ?? ""],
  ];
  return { data: withoutLink(made), text: facts(rows) };
}
