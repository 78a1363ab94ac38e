import { runOnce } from "../../platform/http/idempotency.ts";
import type { Database } from "../../platform/postgres/database.ts";
import type { Source } from "../../sources/source.ts";
import type { Principal } from "../api-keys/index.ts";
import { simulatedBusiness } from "../businesses/index.ts";
import { CapabilityUnavailable } from "./errors.ts";
import type { SearchData, SearchRequest } from "./schema.ts";

/** What answers when a client names no language. */
const defaultLanguage = "en";
// Fixtures wait for nothing, so there is nothing to abort.
const neverAborted = new AbortController().signal;

type SearchDeps = { db: Database; fixtures: Source };

export function createSearch({ db, fixtures }: SearchDeps) {
  /** Answers one page now. The same key with the same request gets the same answer, and is not charged again. */
  async function find(principal: Principal, request: SearchRequest, idempotencyKey: string | undefined) {
    if (principal.environment === "live") throw CapabilityUnavailable({ operation: "Search" });

    const call = {
      owner: `${principal.organizationId}/${principal.environment}`,
      route: "POST /search",
      key: idempotencyKey,
      body: request,
    };
    return runOnce<SearchData>(db, call, async (record) => {
      const answer = { status: 200, data: await simulate(request) };
      await record(db, answer);
      return answer;
    });
  }

  async function simulate(request: SearchRequest): Promise<SearchData> {
    const params = effectiveParams(request);
    const { listings } = await fixtures.search(params, neverAborted);
    return { total: listings.length, params, businesses: listings.map(simulatedBusiness), simulated: true };
  }

  return { find };
}

export type Search = ReturnType<typeof createSearch>;

function effectiveParams({ q, page, hl, extra, ll, gl }: SearchRequest): SearchData["params"] {
  return {
    q,
    page: page ?? 1,
    hl: hl ?? defaultLanguage,
    extra: extra ?? false,
    ...(ll === undefined ? {} : { ll }),
    ...(gl === undefined ? {} : { gl }),
  };
}
