// Writes a job's records to a file of another format, and downloads it.
import { createWriteStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { Waypost } from "@waypost/sdk";

const waypost = new Waypost();
const job = await waypost.scrapes.create({ input: { q: "coffee in Vaduz" } }, { waitSeconds: 20 });

const created = await waypost.exports.create({ job_id: job.id, format: "xlsx" });
const ready = await waypost.exports.wait(created.id);
if (ready.status !== "ready") throw new Error(`The export has ${ready.status}: ${ready.error_code}`);

const path = process.env["EXPORT_PATH"] ?? "businesses.xlsx";
const { content } = await waypost.exports.download(ready.id);
await pipeline(content, createWriteStream(path));
console.log(`${ready.row_count} rows, ${ready.size_bytes} bytes in ${path}`);
