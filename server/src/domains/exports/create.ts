import type { Clock } from "../../platform/clock.ts";
import { IdempotencyInProgress } from "../../platform/errors.ts";
import { type AtomicCall, claimCompleted, findCompleted } from "../../platform/idempotency.ts";
import { newUuid, uuidFromId } from "../../platform/ids.ts";
import { createSlots } from "../../platform/net/slots.ts";
import type { Database } from "../../platform/postgres/database.ts";
import type { RequestTrace } from "../../platform/traceparent.ts";
import { LiveKeyRequired, type Principal } from "../api-keys/index.ts";
import type { Webhooks } from "../webhooks/index.ts";
import type { Links } from "./downloads/links.ts";
import {
  ExportColumnUnknown,
  ExportedNotFound,
  ExportEndpointUnknown,
  ExportNotFound,
  ExportTargetUnclear,
  NothingToExport,
  TooManyExports,
} from "./errors.ts";
import { type Export, leaseSeconds, spreadsheets, type Subject, unfinishedMax } from "./export.ts";
import type { ExportQueue } from "./jobs.ts";
import { exportLeases } from "./queue-store.ts";
import { type ShownExport, toShown } from "./resource.ts";
import { type RowSources, rowsOf } from "./rows.ts";
import type { CreateExport } from "./schema.ts";
import { countUnfinishedForInsert, findExport, insertExport, type NewExport } from "./store.ts";
import { columnNames, peopleColumnNames } from "./writers/columns.ts";

export type CreateDeps = {
  db: Database;
  clock: Clock;
  rows: RowSources;
  webhooks: Pick<Webhooks, "canBind">;
  /** Makes the files of test keys at once. */
  queue: Pick<ExportQueue, "run" | "handBack">;
  links: Links;
  testDeadlineMs?: number;
};

export type CreateContext = RequestTrace & { idempotencyKey: string };

/** *accepted*: a worker makes the file. *simulated*: the export of a test key, as it stands. */
type OutcomeName = "accepted" | "simulated";
export type CreateOutcome = { outcome: OutcomeName; export: ShownExport; replayed: boolean };

const standardTestDeadlineMs = 10_000;
/** Each file takes a thread, which the requests that a process answers beside it must not feel. */
const testFilesAtOnce = 2;
const testFilesWaitingMax = 100;
const fullQueueSeconds = 5;

class NoSlot extends Error {}

/** The verb that creates an export together with the record of its idempotency key. */
export function makeCreate({ db, clock, rows, webhooks, queue, links, testDeadlineMs }: CreateDeps) {
  const testFiles = createSlots({ slotsMax: testFilesAtOnce, waitingMax: testFilesWaitingMax });

  return async function create(
    principal: Principal,
    request: CreateExport,
    { idempotencyKey, requestId, traceparent }: CreateContext,
  ): Promise<CreateOutcome> {
    if (request.webhook_endpoint_id !== undefined && principal.environment === "test") throw LiveKeyRequired();
    const subject = subjectOf(request);
    const call: AtomicCall = {
      owner: `${principal.organizationId}/${principal.environment}`,
      operation: "createExport",
      key: idempotencyKey,
      request,
    };
    // Before anything that may have changed since: a twin gets its export whatever became of the jobs.
    const earlier = await replay(principal, call);
    if (earlier) return earlier;

    const columns = columnNamesOf(request);
    const found = await resultsOf(principal, request, subject);
    const webhookEndpointId = await endpointOf(principal, request, found);
    const isTest = principal.environment === "test";
    const draft: NewExport = {
      uuid: newUuid(clock.now()),
      subject,
      format: request.format,
      columns,
      title: found.title,
      requestId,
      traceparent,
      webhookEndpointId,
      leaseSeconds: isTest ? leaseSeconds : undefined,
    };
    const outcome: OutcomeName = isTest ? "simulated" : "accepted";
    const claim = claimCompleted(call, { outcome, data: draft.uuid });
    const inserted = await db.transaction(async (tx) => {
      const unfinished = await countUnfinishedForInsert(tx, principal.organizationId);
      if (unfinished >= unfinishedMax) throw TooManyExports(undefined, { retryAfterSeconds: fullQueueSeconds });
      return insertExport(tx, principal, draft, claim);
    });
    if (!inserted) return requireReplay(principal, call);
    if (!isTest) {
      await exportLeases.wake(db).catch(() => undefined); // a lost message costs a poll
      return { outcome, export: toShown(inserted, links), replayed: false };
    }
    await makeNow(inserted);
    const made = await findExport(db, principal, inserted.uuid);
    return { outcome, export: toShown(made ?? inserted, links), replayed: false };
  };

  /** What is stored of the subject, which must exist and have something. */
  async function resultsOf(principal: Principal, request: CreateExport, subject: Subject) {
    const { source, ids } = rowsOf(rows, subject);
    const found = await source?.find(db, principal, ids);
    if (!found) throw ExportedNotFound({ what: namesOf(request) });
    if (found.resultCount === 0) throw NothingToExport();
    return found;
  }

  /** The endpoint that the request names, else that of what is exported. */
  async function endpointOf(
    { organizationId }: Principal,
    { webhook_endpoint_id: wanted }: CreateExport,
    found: { webhookEndpointId: string | null },
  ): Promise<string | null> {
    if (wanted === undefined) return found.webhookEndpointId;
    const uuid = await webhooks.canBind(db, organizationId, wanted);
    if (uuid !== undefined) return uuid;
    throw ExportEndpointUnknown(undefined, {
      details: ["/webhook_endpoint_id: must be a webhook endpoint of the organization"],
    });
  }

  /** The caller waits, but not for ever: what is not made by then is left to the workers. */
  async function makeNow(inserted: Export): Promise<void> {
    const lease = { leaseToken: 1, attempt: 1, losses: 0, isQuarantined: false, startedAt: inserted.createdAt };
    const claimed = { ...inserted, ...lease };
    const signal = AbortSignal.timeout(testDeadlineMs ?? standardTestDeadlineMs);
    try {
      await testFiles.run(
        signal,
        () => new NoSlot(),
        () => queue.run(claimed, signal),
      );
      if (!signal.aborted) return;
    } catch (error) {
      if (!(error instanceof NoSlot)) throw error;
    }
    await queue.handBack([claimed]);
  }

  async function replay(principal: Principal, call: AtomicCall): Promise<CreateOutcome | undefined> {
    const completed = await findCompleted<OutcomeName, string>(db, call);
    if (!completed) return undefined;
    const found = await findExport(db, principal, completed.data);
    if (!found) throw ExportNotFound({ exportId: "of this Idempotency-Key" });
    return { outcome: completed.outcome, export: toShown(found, links), replayed: true };
  }

  async function requireReplay(principal: Principal, call: AtomicCall): Promise<CreateOutcome> {
    const earlier = await replay(principal, call);
    if (earlier) return earlier;
    throw IdempotencyInProgress(undefined, { retryAfterSeconds: 1 }); // its record went between the two statements
  }
}

/** The columns that the request names, or those of its format; null for all. */
function columnNamesOf({ format, columns = spreadsheets.has(format) ? "people" : "all" }: CreateExport) {
  if (columns === "all") return null;
  if (columns === "people") return peopleColumnNames;
  const unknown = columns.flatMap((name, index) =>
    columnNames.has(name) ? [] : [`/columns/${index}: must be the name of a column`],
  );
  if (unknown.length > 0) throw ExportColumnUnknown(undefined, { details: unknown });
  return columns;
}

function subjectOf(request: CreateExport): Subject {
  const { job_id: job, job_ids: jobs, collection_id: collection } = request;
  const given = [job, jobs, collection].filter((each) => each !== undefined);
  if (given.length !== 1) {
    throw ExportTargetUnclear(undefined, { details: ["/: must have exactly one of job_id, job_ids, collection_id"] });
  }
  return {
    jobIds: (jobs ?? (job === undefined ? [] : [job])).map((id) => requireUuid("job", id, request)),
    collectionId: collection === undefined ? null : requireUuid("col", collection, request),
  };
}

function requireUuid(prefix: "job" | "col", id: string, request: CreateExport): string {
  const uuid = uuidFromId(prefix, id);
  if (uuid === undefined) throw ExportedNotFound({ what: namesOf(request) });
  return uuid;
}

function namesOf({ job_id: job, job_ids: jobs = [], collection_id: collection }: CreateExport): string {
  return job ?? collection ?? (jobs.length === 1 ? `${jobs[0]}` : `At least one of the ${jobs.length} jobs`);
}
