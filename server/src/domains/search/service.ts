import { runOnce } from "../../platform/http/idempotency.ts";
import type { SourceSelection } from "../../sources/selection.ts";
import type { Source } from "../../sources/source.ts";
import type { Principal } from "../api-keys/index.ts";
import type { Balance } from "../billing/index.ts";
import { simulatedBusiness } from "../businesses/index.ts";
import { CapabilityUnavailable } from "./errors.ts";
import { type Caller, createLiveSearch, type LiveSearchDeps } from "./live.ts";
import type { SearchData, SearchRequest } from "./schema.ts";

/** What answers when a client names no language. */
const defaultLanguage = "en";
// Fixtures wait for nothing, so there is nothing to abort.
const neverAborted = new AbortController().signal;

type SearchDeps = LiveSearchDeps & {
  /** Answers test keys, and nobody else. */
  fixtures: Source;
  sources: SourceSelection;
};

export function createSearch(deps: SearchDeps) {
  const { db, fixtures, sources, billing } = deps;
  const live = createLiveSearch(deps);

  /** Answers one page now. The same key with the same request gets the same answer, and is not charged again. */
  async function find(principal: Principal, request: SearchRequest, caller: Caller) {
    const { organizationId, environment } = principal;
    const source = environment === "live" ? await sources.pick() : undefined;
    if (environment === "live" && !source) throw CapabilityUnavailable({ operation: "Search" });

    const call = {
      owner: `${organizationId}/${environment}`,
      route: "POST /search",
      key: caller.idempotencyKey,
      body: request,
    };
    const params = effectiveParams(request);
    let charged: Balance | undefined;
    const answer = await runOnce<SearchData>(db, call, async (record) => {
      if (!source) {
        const simulated = { status: 200, data: await simulate(params) };
        await record(db, simulated);
        return simulated;
      }
      const { data, balance } = await live.answer({ organizationId, source, params, caller, record });
      charged = balance;
      return { status: 200, data };
    });
    return { ...answer, balance: charged ?? (await billing.glance(organizationId)) };
  }

  async function simulate(params: SearchData["params"]): Promise<SearchData> {
    const { listings } = await fixtures.search(params, neverAborted);
    return { total: listings.length, params, businesses: listings.map(simulatedBusiness), simulated: true };
  }

  return { find };
}

export type Search = ReturnType<typeof createSearch>;

export function effectiveParams({ q, page, hl, extra, ll, gl }: SearchRequest): SearchData["params"] {
  return {
    q,
    page: page ?? 1,
    hl: hl ?? defaultLanguage,
    extra: extra ?? false,
    ...(ll === undefined ? {} : { ll }),
    ...(gl === undefined ? {} : { gl }),
  };
}
