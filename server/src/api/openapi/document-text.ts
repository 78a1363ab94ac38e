import { createApi } from "../app.ts";
import { createMetrics } from "../metrics.ts";
import { silentLog } from "../../platform/log.ts";
import { describe } from "./index.ts";

/** The OpenAPI document as it is committed. Built without a database: no verb is called for it. */
export async function openApiText(): Promise<string> {
  const app = await createApi({
    authorize: uncalled,
    costs: { require: () => undefined, spend: () => undefined },
    verifier: { verify: uncalled, stop: uncalled },
    search: { find: uncalled },
    scrapes: { create: uncalled, get: uncalled, list: uncalled, results: uncalled, cancel: uncalled, remove: uncalled },
    collections: {
      create: uncalled,
      get: uncalled,
      list: uncalled,
      results: uncalled,
      coverage: uncalled,
      pause: uncalled,
      resume: uncalled,
      cancel: uncalled,
      estimate: uncalled,
      remove: uncalled,
    },
    exports: { create: uncalled, get: uncalled, list: uncalled, remove: uncalled },
    downloads: { find: uncalled },
    publicUrl: undefined,
    webhookEndpoints: {
      create: uncalled,
      list: uncalled,
      get: uncalled,
      update: uncalled,
      remove: uncalled,
      rotateSecret: uncalled,
    },
    webhookDeliveries: { list: uncalled, sendTest: uncalled, resend: uncalled },
    eventStreams: { start: () => undefined, stop: async () => undefined },
    health: { check: uncalled },
    metrics: createMetrics(),
    log: silentLog,
    trustedProxies: [],
  });
  await app.ready();
  const text = JSON.stringify(await describe(app), null, 2);
  await app.close();
  return `${text}\n`;
}

const uncalled = () => Promise.reject(new Error("the document is made without serving requests"));
