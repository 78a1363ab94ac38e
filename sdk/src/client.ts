import { idempotencyKeyOf } from "./calls.ts";
import { createCollections, type Collections } from "./collections.ts";
import { createEvents, type Events } from "./events.ts";
import { createExports, type Exports } from "./exports.ts";
import { apiUrl, checkBounds, type CreateOptions, requireApiKey, type WaypostOptions } from "./options.ts";
import { sleep } from "./retry.ts";
import { createScrapes, type Scrapes } from "./scrapes.ts";
import { createTransport, type Transport } from "./transport.ts";
import type { SearchRequest, SearchResult } from "./types.ts";
import { createWebhooks, type Webhooks } from "./webhooks.ts";

/** A client of one Waypost service with one API key. It keeps no connection and needs no closing. */
export class Waypost {
  readonly scrapes: Scrapes;
  readonly collections: Collections;
  readonly exports: Exports;
  readonly webhooks: Webhooks;
  readonly events: Events;
  readonly #transport: Transport;

  constructor(options: WaypostOptions = {}) {
    checkBounds(options);
    this.#transport = createTransport({
      apiKey: requireApiKey(options.apiKey),
      baseUrl: apiUrl(options.baseUrl),
      fetch: options.fetch,
      timeoutMs: options.timeoutMs ?? 60_000,
      maxRetries: options.maxRetries ?? 3,
      onResponse: options.onResponse,
      sleep: options.sleep ?? sleep,
    });
    this.scrapes = createScrapes(this.#transport);
    this.collections = createCollections(this.#transport);
    this.exports = createExports(this.#transport);
    this.webhooks = createWebhooks(this.#transport);
    this.events = createEvents(this.#transport);
  }

  /** Finds up to 20 businesses at once, for one request unit however often this is retried. */
  async search(request: SearchRequest, options?: CreateOptions): Promise<SearchResult> {
    const idempotencyKey = idempotencyKeyOf(options);
    const answer = { data: { businesses: "list" } } as const;
    const call = { method: "POST", path: "/search", body: request, idempotencyKey, answer, options } as const;
    return (await this.#transport.send<{ data: SearchResult }>(call)).data;
  }
}
