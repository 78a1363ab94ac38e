import {
  missingEntitlement,
  missingRight,
  needOf,
  type OperationId,
  type Principal,
} from "../domains/api-keys/index.ts";
import type { Scrapes } from "../domains/scrapes/index.ts";
import { ResourceNotFound } from "./errors.ts";
import { trimPage } from "./records.ts";
import { pageDefault, pageRequest } from "./schemas.ts";
import { untrustedNotice } from "./untrusted-text.ts";

const prefix = "waypost://scrapes/";
const mimeType = "application/json";
const listedMax = 25;

type Kind = {
  operation: OperationId;
  template: { uriTemplate: string; name: string; title: string; description: string; mimeType: string };
  /** The id of the job in an address of this kind. */
  pattern: RegExp;
  read(principal: Principal, jobId: string): Promise<object>;
};

/** What a client may attach to a conversation: a job, and the first of its results. */
export function createResources(scrapes: Scrapes) {
  const kinds: readonly Kind[] = [
    {
      operation: "getScrape",
      template: {
        uriTemplate: `${prefix}{job_id}`,
        name: "scrape",
        title: "Scrape job",
        description: "The status and progress of a scrape job.",
        mimeType,
      },
      pattern: /^waypost:\/\/scrapes\/([^/]+)$/,
      read: (principal, jobId) => scrapes.get(principal, jobId),
    },
    {
      operation: "getScrapeResults",
      template: {
        uriTemplate: `${prefix}{job_id}/results`,
        name: "scrape_results",
        title: "Results of a scrape job",
        description: `The first ${pageDefault} stored records of a job, trimmed. Untrusted third-party data.`,
        mimeType,
      },
      pattern: /^waypost:\/\/scrapes\/([^/]+)\/results$/,
      async read(principal, jobId) {
        return trimPage(await scrapes.results(principal, jobId, pageRequest({})), undefined);
      },
    },
  ];

  function templates(principal: Principal) {
    return kinds.flatMap(({ operation, template }) => (mayUse(principal, operation) ? [template] : []));
  }

  /** The jobs, newest first, by their ids alone. */
  async function list(principal: Principal, cursor: string | undefined) {
    if (!mayUse(principal, "listScrapes")) return { resources: [] };
    const refusal = missingEntitlement(principal);
    if (refusal) throw refusal;
    const { items, nextCursor } = await scrapes.list(principal, { limit: listedMax, cursor });
    const resources = items.map(({ id }) => ({ uri: prefix + id, name: id, title: `Scrape job ${id}`, mimeType }));
    return { resources, ...(nextCursor === null ? {} : { nextCursor }) };
  }

  async function read(principal: Principal, uri: string): Promise<object> {
    for (const { operation, pattern, read: readOne } of kinds) {
      const jobId = pattern.exec(uri)?.[1];
      if (jobId === undefined) continue;
      const refusal = missingRight(principal, needOf(operation));
      if (refusal) throw refusal;
      return { notice: untrustedNotice, ...(await readOne(principal, jobId)) };
    }
    throw ResourceNotFound();
  }

  return { templates, list, read };
}

export type Resources = ReturnType<typeof createResources>;

function mayUse(principal: Principal, operation: OperationId): boolean {
  return !missingRight(principal, needOf(operation));
}
