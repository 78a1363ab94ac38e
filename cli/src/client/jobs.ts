import type { Business, Scrape, ScrapeStatus } from "@waypost/sdk";
import type { Command, Output, Values } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import { orSay, UsageProblem } from "../failures.ts";
import { facts, table } from "../table.ts";
import { csvColumnsOf, formats, listings } from "./listings.ts";
import { type Client, withClient } from "./open.ts";
import { watch } from "./progress.ts";
import { queryOf, queryOptions, readAs } from "./search.ts";
import { oneId, text, wholeNumber } from "./words.ts";

const json = { json: { flag: "Print JSON" } };
const statuses: readonly ScrapeStatus[] = ["queued", "running", "succeeded", "partial", "failed", "canceled"];
const showsJobs = "`waypost jobs` shows them.";
const waitSecondsDefault = 600;
const timeout = { timeout: `How many seconds to wait at most, 0 to look once (${waitSecondsDefault})` };

export const jobCommands: readonly Command[] = [
  {
    name: "scrape",
    about: "Create a durable job of one page; one request unit",
    words: "QUERY…",
    options: {
      ...queryOptions,
      webhook: "The webhook endpoint that hears of the job, whe_…; live keys only",
      "idempotency-key": "16 to 128 characters: the same key creates the same job, however often (random)",
      wait: { flag: "Wait for the end and print the businesses" },
      ...timeout,
      ...formats,
    },
    async run(values, words) {
      const webhook = text(values, "webhook");
      const input = { ...queryOf(values, words), ...(webhook === undefined ? {} : { webhook_endpoint_id: webhook }) };
      const idempotencyKey = text(values, "idempotency-key");
      if (idempotencyKey !== undefined && !/^[\u0021-\u007e]{16,128}$/.test(idempotencyKey)) {
        throw new UsageProblem("--idempotency-key takes 16 to 128 printable ASCII characters without space.");
      }
      const waiting = waitingOf(values);
      const isAwaited = values["wait"] === true;
      const columns = await csvColumnsOf(values);
      const awaited = ["timeout", "csv"].find((option) => values[option] !== undefined);
      if (!isAwaited && awaited !== undefined) throw new UsageProblem(`--${awaited} goes with --wait.`);
      return withClient(async (client) => {
        const job = await client.waypost.scrapes.create({ input }, { idempotencyKey, signal: client.signal });
        if (!isAwaited) return created(job);
        const ended = await followJob(client, job.id, { ...waiting, isKnown: true });
        const records = await orSay(
          () => `The job has ended: \`waypost results ${job.id}\` reads what it stored.`,
          () => allRecords(client, ended.id),
        );
        return {
          ...(await listings(records, { job: ended, records }, columns, endOf(ended))),
          ...exitOf(ended),
        };
      });
    },
  },
  {
    name: "jobs list",
    about: "List the jobs, newest first",
    words: "",
    options: { status: `One of ${statuses.join(", ")}`, limit: "How many at most, 1 or more (25)", ...json },
    async run(values) {
      const status = text(values, "status") as ScrapeStatus | undefined;
      if (status && !statuses.includes(status)) throw new UsageProblem(`--status is one of ${statuses.join(", ")}.`);
      const most = wholeNumber(values, "limit", 1) ?? 25;
      return withClient(async ({ waypost, signal }) => {
        const jobs = await take(waypost.scrapes.list({ status, limit: pageSize(most), signal }), most);
        const rows = jobs.map((job) => [
          job.id,
          job.status,
          job.input.q,
          String(job.result_count ?? ""),
          job.created_at,
          job.error_code ?? "",
        ]);
        return { data: { jobs }, text: table(["ID", "STATUS", "QUERY", "FOUND", "CREATED", "ERROR"], rows) };
      });
    },
  },
  {
    name: "jobs show",
    about: "Show one job",
    words: "JOB_ID",
    options: json,
    async run(_, words) {
      const jobId = oneId(words, "job", showsJobs);
      return withClient(async ({ waypost, signal }) => shown(await waypost.scrapes.get(jobId, { signal })));
    },
  },
  {
    name: "jobs wait",
    about: "Wait for the end of a job",
    words: "JOB_ID",
    options: { ...timeout, ...json },
    async run(values, words) {
      const jobId = oneId(words, "job", showsJobs);
      const waiting = waitingOf(values);
      return withClient(async (client) => {
        const ended = await followJob(client, jobId, { ...waiting, isKnown: false });
        return { ...shown(ended), ...exitOf(ended) };
      });
    },
  },
  {
    name: "jobs cancel",
    about: "Stop a job; its unit stays charged",
    words: "JOB_ID",
    options: json,
    async run(_, words) {
      const jobId = oneId(words, "job", showsJobs);
      return withClient(async ({ waypost, signal }) => shown(await waypost.scrapes.cancel(jobId, { signal })));
    },
  },
  {
    name: "jobs delete",
    about: "Delete a job with its results and the exports that hold them; a running one is canceled first",
    words: "JOB_ID",
    options: json,
    async run(_, words) {
      const jobId = oneId(words, "job", showsJobs);
      const data = await withClient(({ waypost, signal }) => waypost.scrapes.remove(jobId, { signal }));
      return { data, text: `Deleted ${jobId}.` };
    },
  },
  {
    name: "results",
    about: "Read what a job has stored; costs nothing",
    words: "JOB_ID",
    options: { limit: "How many at most, 1 or more (all)", ...formats },
    async run(values, words) {
      const jobId = oneId(words, "job", showsJobs);
      const most = wholeNumber(values, "limit", 1) ?? Number.POSITIVE_INFINITY;
      const columns = await csvColumnsOf(values);
      return withClient(async (client) => {
        const records = await allRecords(client, jobId, most);
        return listings(records, { records }, columns, "");
      });
    },
  },
];

type Waiting = { waitMs: number; isQuiet: boolean };

function waitingOf(values: Values): Waiting {
  const seconds = wholeNumber(values, "timeout") ?? waitSecondsDefault;
  return { waitMs: seconds * 1_000, isQuiet: values["json"] === true };
}

/** Waits for a job's end with a line that shows how it stands. */
async function followJob(
  { waypost, signal }: Client,
  jobId: string,
  { waitMs, isQuiet, isKnown }: Waiting & { isKnown: boolean },
): Promise<Scrape> {
  return watch({
    wait: (onUpdate) => waypost.scrapes.wait(jobId, { signal, waitMs, onUpdate }),
    line: ({ status, progress }) =>
      `${jobId}  ${status}  ${progress.completed_queries} of ${progress.total_queries} pages`,
    goesOn: `The job goes on: \`waypost jobs wait ${jobId}\` waits again, \`waypost jobs cancel ${jobId}\` stops it.`,
    isKnown,
    isQuiet,
  });
}

async function allRecords({ waypost, signal }: Client, jobId: string, most = Number.POSITIVE_INFINITY) {
  const options = { limit: pageSize(most), follow: false, signal };
  return take<Business>(waypost.scrapes.results(jobId, options), most);
}

async function take<Item>(items: AsyncIterable<Item>, most: number): Promise<Item[]> {
  const taken: Item[] = [];
  if (most === 0) return taken;
  for await (const item of items) {
    taken.push(item);
    if (taken.length >= most) break;
  }
  return taken;
}

const pageSize = (most: number) => Math.max(1, Math.min(100, most));

function created(job: Scrape): Output {
  const { id, status, finished_at: finishedAt } = job;
  const next = finishedAt === null ? `jobs wait ${id}\` waits for its end` : `results ${id}\` reads what it stored`;
  return { data: job, text: `Created ${id}, ${status}. \`waypost ${next}.` };
}

/** A job without results says how its question was read. */
function endOf({ id, status, error_code, result_count: count, query_reading: reading }: Scrape): string {
  const end = `${id} ${status}${error_code ? `: ${error_code}` : ""}.`;
  return count === 0 && reading ? `${readAs(reading)}\n${end}` : end;
}

/** A script must be able to tell a job that brought everything from one that did not. */
function exitOf({ status }: Scrape): { exitCode: number } {
  return { exitCode: status === "succeeded" ? exitCodes.done : exitCodes.unfinished };
}

function shown(job: Scrape): Output {
  const { progress } = job;
  const rows: [string, string][] = [
    ["Id", job.id],
    ["Query", job.input.q],
    ["Read as", job.query_reading ?? ""],
    ["Status", job.error_code ? `${job.status}: ${job.error_code}` : job.status],
    ["Found", String(job.result_count ?? "")],
    ["Progress", `${progress.completed_queries} of ${progress.total_queries} pages`],
    ["Created", job.created_at],
  ];
  return { data: job, text: facts(rows) };
}
