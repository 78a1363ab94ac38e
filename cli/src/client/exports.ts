import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { rename, rm, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { CreateExport, Export, ExportFormat } from "@waypost/sdk";
import type { Command, Output } from "../commands.ts";
import { exitCodes } from "../exit-codes.ts";
import { UsageProblem } from "../failures.ts";
import { facts, table } from "../table.ts";
import { type Client, withClient } from "./open.ts";
import { createProgressLine } from "./progress.ts";
import { oneId, text, wholeNumber } from "./words.ts";

const json = { json: { flag: "Print JSON" } };
export const formats: readonly ExportFormat[] = ["csv", "json", "ndjson", "geojson", "xlsx", "parquet"];
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
      format: `One of ${formats.join(", ")} (csv)`,
      webhook: "The webhook endpoint that gets export.ready, whe_…; live keys only",
      "create-only": { flag: "Only create the export" },
      ...output,
      ...json,
    },
    async run(values, words) {
      const format = (text(values, "format") ?? "csv") as ExportFormat;
      if (!formats.includes(format)) throw new UsageProblem(`--format is one of ${formats.join(", ")}.`);
      const jobs = words.length === 0 ? [oneId(words, "job", "`waypost jobs` shows them.")] : words;
      for (const each of jobs) oneId([each], "job", "`waypost jobs` shows them.");
      const webhook = text(values, "webhook");
      const body = {
        ...(jobs.length === 1 ? { job_id: jobs[0] ?? "" } : { job_ids: jobs }),
        format,
        ...(webhook === undefined ? {} : { webhook_endpoint_id: webhook }),
      };
      return withClient(async (client) => {
        if (values["create-only"] !== true) {
          return exportTo(client, body, text(values, "output"), values["force"] === true);
        }
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
      const limit = wholeNumber(values, "limit") ?? 25;
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
      return withClient(async (client) => {
        const ended = await follow(client, id);
        if (ended.status !== "ready") return { ...shown(ended), exitCode: exitCodes.unfinished };
        return save(client, ended, text(values, "output"), values["force"] === true);
      });
    },
  },
];

/** Creates an export, waits for its file and saves that. */
export async function exportTo(
  client: Client,
  body: CreateExport,
  path: string | undefined,
  isForced: boolean,
): Promise<Output> {
  if (path !== undefined) await requireFree(path, isForced);
  const made = await client.waypost.exports.create(body, { signal: client.signal });
  const ended = await follow(client, made.id);
  if (ended.status !== "ready") return { ...shown(ended), exitCode: exitCodes.unfinished };
  return save(client, ended, path, isForced);
}

/** Waits until the file is ready, or will never be. */
async function follow({ waypost, signal }: Client, exportId: string): Promise<Export> {
  const line = createProgressLine();
  try {
    return await waypost.exports.wait(exportId, {
      signal,
      onUpdate: ({ status }) => line.show(`${exportId}  ${status}`),
    });
  } catch (error) {
    line.done();
    console.error(`The export goes on: \`waypost exports download ${exportId}\` fetches it later.`);
    throw error;
  } finally {
    line.done();
  }
}

/** Writes the file under a temporary name and gives it its own when every byte is there. */
async function save(
  { waypost, signal }: Client,
  made: Export,
  given: string | undefined,
  force: boolean,
): Promise<Output> {
  if (given !== undefined) await requireFree(given, force);
  const file = await waypost.exports.download(made.id, { signal });
  // The name comes from the service: it must not lead out of this folder.
  const path = given ?? join(".", basename(file.name));
  await requireFree(path, force).catch(async (error: unknown) => {
    for await (const _chunk of file.content) break; // ends the download, which would hold the process up
    throw error;
  });
  const draft = `${path}.${process.pid}.part`;
  const hash = createHash("sha256");
  let bytes = 0;
  const measure = new Transform({
    transform(chunk: Uint8Array, _, done) {
      hash.update(chunk);
      bytes += chunk.length;
      done(null, chunk);
    },
  });
  try {
    await pipeline(Readable.from(file.content), measure, createWriteStream(draft, { flags: "wx" }), { signal });
    if (file.sha256 !== null && hash.digest("hex") !== file.sha256) {
      throw new Error("The download is damaged: its SHA-256 is not the export's. Nothing was written; try again.");
    }
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    signal.throwIfAborted();
    throw error;
  }
  const note = `Wrote ${path}: ${made.row_count ?? 0} rows, ${bytes} bytes.`;
  return { data: { ...withoutLink(made), path }, text: note };
}

async function requireFree(path: string, force: boolean): Promise<void> {
  const isThere = await stat(path).then(
    () => true,
    () => false,
  );
  if (force || !isThere) return;
  throw new Error(`${path} is there already; choose another with --output, or write over it with --force.`);
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
