import type { Scope } from "./api-key.ts";

/** What an operation needs of its caller, and what it costs. */
export type Need = {
  readonly scope: Scope;
  /** `live` refuses test keys. */
  readonly environment: "live" | "any";
  /** The request units that a live key pays for a call. */
  readonly units: 0 | 1;
  readonly idempotency: "none" | "optional" | "required";
};

const manageWebhooks = { scope: "webhooks:manage", environment: "live", units: 0, idempotency: "none" } as const;
const readScrapes = { scope: "scrapes:read", environment: "any", units: 0, idempotency: "none" } as const;

const controlScrapes = { ...readScrapes, scope: "scrapes:write" } as const;

const readExports = { ...readScrapes, scope: "exports:read" } as const;

/**
 * Every operation under the base path by its operation id. Routes, the API reference, the documents
 * and the tests read this table; an operation without an entry does not start.
 */
export const needs = {
  search: { scope: "scrapes:write", environment: "any", units: 1, idempotency: "optional" },
  createScrape: { scope: "scrapes:write", environment: "any", units: 1, idempotency: "required" },
  cancelScrape: { scope: "scrapes:write", environment: "any", units: 0, idempotency: "required" },
  deleteScrape: controlScrapes,
  listScrapes: readScrapes,
  getScrape: readScrapes,
  getScrapeResults: { ...readScrapes, scope: "datasets:read" },
  createCollection: { scope: "scrapes:write", environment: "any", units: 0, idempotency: "required" },
  estimateCollection: readScrapes,
  listCollections: readScrapes,
  getCollection: readScrapes,
  getCollectionResults: { ...readScrapes, scope: "datasets:read" },
  getCollectionCoverage: readScrapes,
  pauseCollection: controlScrapes,
  resumeCollection: controlScrapes,
  cancelCollection: controlScrapes,
  deleteCollection: controlScrapes,
  createExport: { scope: "exports:write", environment: "any", units: 0, idempotency: "required" },
  listExports: readExports,
  getExport: readExports,
  deleteExport: { ...readExports, scope: "exports:write" },
  createWebhookEndpoint: { ...manageWebhooks, idempotency: "optional" },
  listWebhookEndpoints: manageWebhooks,
  getWebhookEndpoint: manageWebhooks,
  updateWebhookEndpoint: manageWebhooks,
  deleteWebhookEndpoint: manageWebhooks,
  rotateWebhookSecret: manageWebhooks,
  sendTestEvent: manageWebhooks,
  listWebhookDeliveries: manageWebhooks,
  resendWebhookDelivery: manageWebhooks,
  streamEvents: manageWebhooks,
} as const satisfies Record<string, Need>;

export type OperationId = keyof typeof needs;

export function needOf(operationId: string | undefined): Need {
  if (operationId === undefined || !Object.hasOwn(needs, operationId)) {
    throw new Error(`the operation ${operationId} has no entry in domains/api-keys/needs.ts`);
  }
  return needs[operationId as OperationId];
}
