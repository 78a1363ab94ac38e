import {
  type Answer,
  type AtomicCall,
  claimAnswered,
  findAnswered,
  updateAnsweredStatus,
} from "../../platform/http/idempotency.ts";
import { IdempotencyInProgress } from "../../platform/http/errors.ts";
import { idFromUuid, newUuid } from "../../platform/ids.ts";
import type { Database, Transaction } from "../../platform/postgres/database.ts";
import type { SourceSelection } from "../../sources/selection.ts";
import type { Source, SourceQuery } from "../../sources/source.ts";
import { LiveKeyRequired, type Principal } from "../api-keys/index.ts";
import type { Balance, Billing } from "../billing/index.ts";
import { simulatedBusiness } from "../businesses/index.ts";
import { effectiveParams } from "../search/index.ts";
import type { Webhooks } from "../webhooks/index.ts";
import { sourceQuery } from "./collect.ts";
import { EndpointUnknown, OperationUnavailable, ScrapeNotFound } from "./errors.ts";
import { scrapeEvent } from "./events.ts";
import type { FinishWatch } from "./finish-watch.ts";
import { type Collected, toRecord, updateCollected } from "./queue-store.ts";
import { type CreateScrape, type Scrape as Resource, toResource } from "./schema.ts";
import { isTerminal, type Scrape } from "./scrape.ts";
import type { Signals } from "./signals.ts";
import { narrowed, slowSeconds, type Steer, steerOf } from "./steering.ts";
import { cancelActiveScrape, findScrape, insertScrape, type NewScrape } from "./store.ts";

export type CreateDeps = {
  db: Database;
  billing: Billing;
  webhooks: Webhooks;
  fixtures: Source;
  /** Whether live jobs can be run at all; a worker asks again when it runs one. */
  sources: SourceSelection;
  signals: Signals;
  watch: FinishWatch;
};

export type CreateContext = {
  idempotencyKey: string;
  requestId: string;
  /** How long the caller is willing to wait for the end; undefined for not at all. */
  waitSeconds: number | undefined;
  /** Aborted when the caller has gone; the job does not mind. */
  signal: AbortSignal;
};

export type Created = Answer<Resource> & { replayed: boolean; balance: Balance; waitedSeconds: number | undefined };

type Accepted = { scrape: Scrape; status: number; replayed: boolean; balance: Balance };

const fixtureDeadlineMs = 5_000;
const claimAttemptsMax = 3;

/** The verb that creates a job, and the unit, the record of the key and the work with it. */
export function createStart({ db, billing, webhooks, fixtures, sources, signals, watch }: CreateDeps) {
  return async function create(principal: Principal, request: CreateScrape, context: CreateContext): Promise<Created> {
    const call: AtomicCall = {
      owner: `${principal.organizationId}/${principal.environment}`,
      route: "POST /scrapes",
      key: context.idempotencyKey,
      body: request,
    };
    const { webhook_endpoint_id: endpoint, ...search } = request.input;
    if (endpoint !== undefined && principal.environment === "test") throw LiveKeyRequired();
    const endpointId = endpoint === undefined ? null : await webhooks.canBind(db, principal.organizationId, endpoint);
    // A twin of a job whose endpoint was deleted since still gets that job.
    if (endpointId === undefined) return finish(await replay(principal, call, true), call, context);
    if (!(await isAvailable(principal, request))) throw OperationUnavailable({ operation: request.operation });

    const draft = {
      uuid: newUuid(),
      operation: request.operation,
      params: effectiveParams(search),
      requestId: context.requestId,
      webhookEndpointId: endpointId,
    };
    const accepted =
      principal.environment === "live"
        ? await acceptLive(principal, call, { ...draft, status: "queued", delaySeconds: 0 })
        : await acceptTest(principal, call, draft);
    return finish(accepted, call, context);
  };

  async function isAvailable({ environment }: Principal, { operation }: CreateScrape): Promise<boolean> {
    if (environment === "test") return true;
    return operation === "places.search" && (await sources.pick()) !== undefined;
  }

  /** The record of the key, the job and the unit in one short transaction, or none of the three. */
  async function acceptLive(principal: Principal, call: AtomicCall, draft: NewScrape): Promise<Accepted> {
    return once(principal, call, async () => {
      const accepted = await db.transaction(async (tx) => {
        const scrape = await insertScrape(tx, principal, draft, claimAnswered(call, { status: 202, data: draft.uuid }));
        if (!scrape) return undefined;
        // Last, because it locks the organization's counter until the commit.
        const balance = await billing.charge(tx, principal.organizationId, 1, scrape.id);
        return { scrape, balance, status: 202, replayed: false };
      });
      if (accepted) signals.queued();
      return accepted;
    });
  }

  /** A test job has ended when it is accepted, except the slow one, which a worker ends later. */
  async function acceptTest(
    principal: Principal,
    call: AtomicCall,
    draft: Omit<NewScrape, "status" | "delaySeconds">,
  ): Promise<Accepted> {
    const steer = steerOf(draft.params.q);
    const collected = await simulate(draft, steer);
    const balance = await billing.glance(principal.organizationId);
    return once(principal, call, async () =>
      db.transaction(async (tx) => {
        const scrape = await insertScrape(
          tx,
          principal,
          { ...draft, status: "running", delaySeconds: steer === "slow" ? slowSeconds : 0 },
          claimAnswered(call, { status: 200, data: draft.uuid }),
        );
        if (!scrape) return undefined;
        await webhooks.emit(tx, scrapeEvent(scrape));
        return { scrape: await end(tx, scrape, steer, collected), balance, status: 200, replayed: false };
      }),
    );
  }

  async function end(tx: Transaction, scrape: Scrape, steer: Steer | undefined, collected: Collected): Promise<Scrape> {
    if (steer === "slow") return scrape;
    const [change] =
      steer === "canceled"
        ? [await cancelActiveScrape(tx, scrape, scrape.uuid)]
        : await updateCollected(tx, [{ lease: { ...scrape, leaseToken: 0 }, collected }]);
    if (!change) throw new Error("a job that nobody else can see was changed by somebody else");
    const ended = { ...scrape, ...change };
    await webhooks.emit(tx, scrapeEvent(ended));
    return ended;
  }

  async function simulate(
    { operation, params }: { operation: NewScrape["operation"]; params: SourceQuery },
    steer: Steer | undefined,
  ): Promise<Collected> {
    const { listings } = await fixtures.search(sourceQuery(operation, params), AbortSignal.timeout(fixtureDeadlineMs));
    const records = listings.map((place) => toRecord(simulatedBusiness(narrowed(operation, place))));
    if (steer === "failed") return { records: [], status: "failed", errorCode: "source_failed" };
    if (steer !== "partial") return { records, status: "succeeded", errorCode: null };
    return { records: records.slice(0, Math.ceil(records.length / 2)), status: "partial", errorCode: "source_failed" };
  }

  /** Runs the creation, or answers with the job that a twin created. */
  async function once(
    principal: Principal,
    call: AtomicCall,
    work: () => Promise<Accepted | undefined>,
  ): Promise<Accepted> {
    for (let attempt = 1; attempt <= claimAttemptsMax; attempt += 1) {
      const accepted = (await work()) ?? (await replay(principal, call, false));
      if (accepted) return accepted; // else the twin's record went between the two statements
    }
    throw IdempotencyInProgress(undefined, { retryAfterSeconds: 1 });
  }

  async function replay(principal: Principal, call: AtomicCall, isRequired: true): Promise<Accepted>;
  async function replay(principal: Principal, call: AtomicCall, isRequired: boolean): Promise<Accepted | undefined>;
  async function replay(principal: Principal, call: AtomicCall, isRequired: boolean): Promise<Accepted | undefined> {
    const answered = await findAnswered<string>(db, call);
    if (!answered && isRequired) {
      throw EndpointUnknown(undefined, {
        details: ["/input/webhook_endpoint_id: must be a webhook endpoint of the organization"],
      });
    }
    if (!answered) return undefined;
    const scrape = await findScrape(db, principal, answered.data);
    if (!scrape) throw ScrapeNotFound({ jobId: idFromUuid("job", answered.data) });
    return {
      scrape,
      status: answered.status,
      replayed: true,
      balance: await billing.glance(principal.organizationId),
    };
  }

  /** Waits, if asked to, and renders the job as it stands then. */
  async function finish(accepted: Accepted, call: AtomicCall, context: CreateContext): Promise<Created> {
    const { status, replayed, balance } = accepted;
    const { scrape, waitedSeconds } = await awaitEnd(accepted.scrape, context);
    const hasEnded = waitedSeconds !== undefined && isTerminal(scrape.status);
    // What a twin is told later is what this caller was told.
    if (hasEnded && !replayed && status !== 200) await updateAnsweredStatus(db, call, 200);
    return { status: hasEnded ? 200 : status, data: toResource(scrape), replayed, balance, waitedSeconds };
  }

  async function awaitEnd(scrape: Scrape, { waitSeconds, signal }: CreateContext) {
    if (waitSeconds === undefined) return { scrape, waitedSeconds: undefined };
    if (isTerminal(scrape.status)) return { scrape, waitedSeconds: waitSeconds };
    const hasWaited = await watch.ended(scrape.uuid, waitSeconds, signal);
    const now = (await findScrape(db, scrape, scrape.uuid)) ?? scrape;
    return { scrape: now, waitedSeconds: hasWaited ? waitSeconds : undefined };
  }
}
