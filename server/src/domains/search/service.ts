import { runOnce } from "../../platform/idempotency.ts";
import type { SourceSelection } from "../../sources/selection.ts";
import type { Source } from "../../sources/source.ts";
import type { Principal } from "../api-keys/index.ts";
import type { Balance, TestQuota } from "../billing/index.ts";
import { simulatedBusiness } from "../businesses/index.ts";
import { CapabilityUnavailable, requirePlace } from "./errors.ts";
import { createLiveSearch, type LiveSearchDeps, type SearchContext } from "./live.ts";
import { rehearseError } from "./rehearsal.ts";
import type { SearchData, SearchParams, SearchRequest } from "./schema.ts";

/** The language of a search that names none. */
const defaultLanguage = "en";
// Fixtures never wait, so there is nothing to abort.
const neverAborted = new AbortController().signal;

type SearchDeps = LiveSearchDeps & {
  /** Answers test keys, and nobody else. */
  fixtures: Source;
  sources: SourceSelection;
  testQuota: TestQuota;
};

/** One page, whether an earlier call with the same key got it, and what it cost this one. */
export type SearchOutcome = {
  data: SearchData;
  replayed: boolean;
  balance: Balance;
  /** How the question was read; of a page found just now only. */
  reading?: string;
};

export function createSearch(deps: SearchDeps) {
  const { db, fixtures, sources, billing, testQuota } = deps;
  const live = createLiveSearch(deps);

  /** Finds one page now. The same key with the same request gets the same page, and is not charged again. */
  async function find(principal: Principal, request: SearchRequest, context: SearchContext): Promise<SearchOutcome> {
    const { organizationId, environment } = principal;
    if (environment === "test") rehearseError(request.q, "/q");
    const params = effectiveParams(request);
    const source = environment === "live" ? await sources.pick("search", params) : undefined;
    if (environment === "live" && !source) throw CapabilityUnavailable({ operation: "Search" });
    if (source) requirePlace(source, params, "/q");

    const call = {
      owner: `${organizationId}/${environment}`,
      operation: "search",
      key: context.idempotencyKey,
      request,
    };
    let charged: Balance | undefined;
    let reading: string | undefined;
    const { data, replayed } = await runOnce<"found", SearchData>(db, call, async (record) => {
      if (!source) {
        const simulated = { outcome: "found", data: await simulate(params) } as const;
        if (context.idempotencyKey === undefined) return simulated;
        return db.transaction(async (tx) => {
          await record(tx, simulated);
          await testQuota.take(tx, organizationId);
          return simulated;
        });
      }
      const found = await live.find({ organizationId, actor: principal.keyId, source, params, context, record });
      charged = found.balance;
      reading = found.reading;
      return { outcome: "found", data: found.data };
    });
    const balance = charged ?? (await billing.cachedBalance(organizationId));
    return { data, replayed, balance, ...(reading === undefined ? {} : { reading }) };
  }

  async function simulate(params: SearchParams): Promise<SearchData> {
    const { listings } = await fixtures.search(params, neverAborted);
    return { simulated: true, total: listings.length, params, businesses: listings.map(simulatedBusiness) };
  }

  return { find };
}

export type Search = ReturnType<typeof createSearch>;

export function effectiveParams({ q, page, hl, extra, ll, gl }: SearchRequest): SearchParams {
  return {
    q,
    page: page ?? 1,
    hl: hl ?? defaultLanguage,
    extra: extra ?? false,
    ...(ll === undefined ? {} : { ll }),
    ...(gl === undefined ? {} : { gl }),
  };
}
