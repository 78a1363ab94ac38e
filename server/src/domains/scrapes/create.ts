import type { Clock } from "../../platform/clock.ts";
import { IdempotencyInProgress } from "../../platform/errors.ts";
import { type AtomicCall, claimCompleted, findCompleted, updateOutcome } from "../../platform/idempotency.ts";
import { idFromUuid, newUuid } from "../../platform/ids.ts";
import type { Database, Transaction } from "../../platform/postgres/database.ts";
import type { RequestTrace } from "../../platform/traceparent.ts";
import { isOwn } from "../../sources/lanes.ts";
import type { SourceSelection } from "../../sources/selection.ts";
import type { Source } from "../../sources/source.ts";
import { LiveKeyRequired, type Principal } from "../api-keys/index.ts";
import type { Balance, Billing, TestQuota } from "../billing/index.ts";
import { type Business, simulatedBusiness, storeSimulated } from "../businesses/index.ts";
import {
  effectiveParams,
  rehearseError,
  requirePlace,
  type SearchParams,
  slowSeconds,
  type TestScenario,
  testScenarioOf,
} from "../search/index.ts";
import type { Webhooks } from "../webhooks/index.ts";
import { EndpointUnknown, OperationUnavailable, ScrapeNotFound } from "./errors.ts";
import { scrapeEvent } from "./events.ts";
import type { FinishWatch } from "./finish-watch.ts";
import { operations } from "./operations.ts";
import { type CreateScrape, type Scrape as Resource, toResource } from "./schema.ts";
import { isTerminal, type Scrape } from "./scrape.ts";
import type { Signals } from "./signals.ts";
import { endSimulated, type SimulatedEnd } from "./simulation-store.ts";
import { cancelActiveScrape, findScrape, insertScrape, type NewScrape } from "./store.ts";

export type CreateDeps = {
  db: Database;
  clock: Clock;
  billing: Billing;
  testQuota: TestQuota;
  webhooks: Webhooks;
  fixtures: Source;
  /** Tells whether live jobs can be run at all; a worker picks again when it runs one. */
  sources: SourceSelection;
  signals: Signals;
  watch: FinishWatch;
};

export type CreateContext = RequestTrace & {
  idempotencyKey: string;
  /** How long the caller waits for the end of the job; undefined for not at all. */
  waitSeconds: number | undefined;
  /** Aborts when the caller has gone, which ends the wait and not the job. */
  signal: AbortSignal;
};

/** What fixtures found for a test job, and how the job ends with it. */
type Simulated = Omit<SimulatedEnd, "records"> & { businesses: Business[] };

/**
 * *accepted*: a worker runs the job and the caller reads it later. *finished*: it ended while the
 * caller waited. *simulated*: the job of a test key, as it stands.
 */
type CreateOutcomeName = "accepted" | "finished" | "simulated";

export type CreateOutcome = {
  outcome: CreateOutcomeName;
  job: Resource;
  /** Whether an earlier call with the same key created the job. */
  replayed: boolean;
  balance: Balance;
  /** How long the caller was willing to wait, when its wait was honored. */
  waitedSeconds: number | undefined;
};

type Accepted = { scrape: Scrape; outcome: CreateOutcomeName; replayed: boolean; balance: Balance };

const fixtureDeadlineMs = 60_000;
const claimAttemptsMax = 3;

/** The verb that creates a job together with its charge and the record of its idempotency key. */
export function makeCreate({ db, clock, billing, testQuota, webhooks, fixtures, sources, signals, watch }: CreateDeps) {
  return async function create(
    principal: Principal,
    request: CreateScrape,
    context: CreateContext,
  ): Promise<CreateOutcome> {
    if (principal.environment === "test") rehearseError(request.input.q, "/input/q");
    const call: AtomicCall = {
      owner: `${principal.organizationId}/${principal.environment}`,
      operation: "createScrape",
      key: context.idempotencyKey,
      request,
    };
    const { webhook_endpoint_id: endpoint, ...search } = request.input;
    if (endpoint !== undefined && principal.environment === "test") throw LiveKeyRequired();
    const endpointId = endpoint === undefined ? null : await webhooks.canBind(db, principal.organizationId, endpoint);
    // A twin of a job whose endpoint was deleted since still gets that job.
    if (endpointId === undefined) return finish(await replay(principal, call, true), call, context);
    const params = effectiveParams(search);
    const source = await pickSource(principal, request.operation, params);
    requirePlace(source, params, "/input/q");

    const draft = {
      uuid: newUuid(clock.now()),
      operation: request.operation,
      params,
      requestId: context.requestId,
      traceparent: context.traceparent,
      webhookEndpointId: endpointId,
      isLocal: isOwn(source),
    };
    const accepted =
      principal.environment === "live"
        ? await acceptLive(principal, call, { ...draft, status: "queued", delaySeconds: 0 })
        : await acceptTest(principal, call, draft);
    return finish(accepted, call, context);
  };

  /** The source that the job would run on now. */
  async function pickSource(
    { environment }: Principal,
    operation: CreateScrape["operation"],
    params: SearchParams,
  ): Promise<Source> {
    const { environments, sourceQuery } = operations[operation];
    const isOffered = environments.includes(environment);
    const source = isOffered && environment === "live" ? await sources.pick("job", sourceQuery(params)) : fixtures;
    if (!isOffered || !source) throw OperationUnavailable({ operation });
    return source;
  }

  /** The record of the key, the job and the unit in one short transaction, or none of the three. */
  async function acceptLive(principal: Principal, call: AtomicCall, draft: NewScrape): Promise<Accepted> {
    return once(principal, call, async () => {
      const accepted = await db.transaction(async (tx) => {
        const claim = claimCompleted(call, { outcome: "accepted", data: draft.uuid });
        const scrape = await insertScrape(tx, principal, draft, claim);
        if (!scrape) return undefined;
        // Last, because it locks the organization's counter until the commit.
        const balance = await billing.charge(tx, principal.organizationId, 1, scrape.id, principal.keyId);
        return { scrape, balance, outcome: "accepted", replayed: false } as const;
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
    const scenario = testScenarioOf(draft.params.q);
    const simulated = await simulate(draft, scenario);
    const balance = await billing.cachedBalance(principal.organizationId);
    return once(principal, call, async () =>
      db.transaction(async (tx) => {
        const scrape = await insertScrape(
          tx,
          principal,
          { ...draft, status: "running", delaySeconds: scenario === "slow" ? slowSeconds : 0 },
          claimCompleted(call, { outcome: "simulated", data: draft.uuid }),
        );
        if (!scrape) return undefined;
        await webhooks.emit(tx, scrapeEvent(scrape));
        const ended = await end(tx, scrape, scenario, simulated);
        await testQuota.take(tx, principal.organizationId);
        return { scrape: ended, balance, outcome: "simulated", replayed: false } as const;
      }),
    );
  }

  async function end(
    tx: Transaction,
    scrape: Scrape,
    scenario: TestScenario | undefined,
    { businesses, ...outcome }: Simulated,
  ): Promise<Scrape> {
    if (scenario === "slow") return scrape;
    const records = await storeSimulated(tx, businesses);
    const change =
      scenario === "canceled"
        ? await cancelActiveScrape(tx, scrape, scrape.uuid)
        : await endSimulated(tx, scrape, { ...outcome, records });
    if (!change) throw new Error("a job that nobody else can see was changed by somebody else");
    const ended = { ...scrape, ...change };
    await webhooks.emit(tx, scrapeEvent(ended));
    return ended;
  }

  async function simulate(
    { operation, params }: Pick<NewScrape, "operation" | "params">,
    scenario: TestScenario | undefined,
  ): Promise<Simulated> {
    const { sourceQuery, project } = operations[operation];
    const { listings } = await fixtures.search(sourceQuery(params), AbortSignal.timeout(fixtureDeadlineMs));
    const businesses = listings.map((place) => simulatedBusiness(project(place)));
    if (scenario === "failed") return { businesses: [], status: "failed", errorCode: "source_failed" };
    if (scenario !== "partial") return { businesses, status: "succeeded", errorCode: null };
    return {
      businesses: businesses.slice(0, Math.ceil(businesses.length / 2)),
      status: "partial",
      errorCode: "source_failed",
    };
  }

  /** Creates the job, or finds the one that an earlier twin created. */
  async function once(
    principal: Principal,
    call: AtomicCall,
    work: () => Promise<Accepted | undefined>,
  ): Promise<Accepted> {
    for (let attempt = 1; attempt <= claimAttemptsMax; attempt += 1) {
      const accepted = (await work()) ?? (await replay(principal, call, false));
      if (accepted) return accepted; // else the twin's record was deleted between the two statements
    }
    throw IdempotencyInProgress(undefined, { retryAfterSeconds: 1 });
  }

  async function replay(principal: Principal, call: AtomicCall, isRequired: true): Promise<Accepted>;
  async function replay(principal: Principal, call: AtomicCall, isRequired: boolean): Promise<Accepted | undefined>;
  async function replay(principal: Principal, call: AtomicCall, isRequired: boolean): Promise<Accepted | undefined> {
    const completed = await findCompleted<CreateOutcomeName, string>(db, call);
    if (!completed && isRequired) {
      throw EndpointUnknown(undefined, {
        details: ["/input/webhook_endpoint_id: must be a webhook endpoint of the organization"],
      });
    }
    if (!completed) return undefined;
    const scrape = await findScrape(db, principal, completed.data);
    if (!scrape) throw ScrapeNotFound({ jobId: idFromUuid("job", completed.data) });
    return {
      scrape,
      outcome: completed.outcome,
      replayed: true,
      balance: await billing.cachedBalance(principal.organizationId),
    };
  }

  /** Waits, if the caller wants to, and renders the job as it stands then. */
  async function finish(accepted: Accepted, call: AtomicCall, context: CreateContext): Promise<CreateOutcome> {
    const { replayed, balance } = accepted;
    const { scrape, waitedSeconds } = await awaitEnd(accepted.scrape, context);
    // A later twin gets the outcome that the first caller got, however the job stands by then.
    const isOpen = accepted.outcome === "accepted" && !replayed;
    const hasFinished = isOpen && waitedSeconds !== undefined && isTerminal(scrape.status);
    if (hasFinished) await updateOutcome(db, call, "finished");
    const outcome = hasFinished ? "finished" : accepted.outcome;
    return { outcome, job: toResource(scrape), replayed, balance, waitedSeconds };
  }

  async function awaitEnd(scrape: Scrape, { waitSeconds, signal }: CreateContext) {
    if (waitSeconds === undefined) return { scrape, waitedSeconds: undefined };
    if (isTerminal(scrape.status)) return { scrape, waitedSeconds: waitSeconds };
    const hasWaited = await watch.ended(scrape.uuid, waitSeconds, signal);
    const now = (await findScrape(db, scrape, scrape.uuid)) ?? scrape;
    return { scrape: now, waitedSeconds: hasWaited ? waitSeconds : undefined };
  }
}
