import { simulatedBusiness } from "../../domains/businesses/index.ts";
import { createFixtures } from "../../sources/fixtures/index.ts";

const ids = {
  job: "job_01k5v7h2f4e8ka9s6c3d0b1x7m",
  export: "exp_01k5v7hq3me8ka9s6c3d0b1x7n",
  endpoint: "whe_01k5v7gz9te8ka9s6c3d0b1x7p",
  collection: "col_01k5v7hz3me8ka9s6c3d0b1x7r",
  delivery: "dlv_01k5v7h2f8e8ka9s6c3d0b1x7q",
};
const [createdAt, startedAt, finishedAt] = [
  "2026-09-22T08:15:30.000Z",
  "2026-09-22T08:15:30.042Z",
  "2026-09-22T08:15:31.377Z",
];
const eventTypes = ["scrape.completed", "scrape.failed", "export.ready"];

const endpoint = {
  id: ids.endpoint,
  url: "https://example.com/waypost-events",
  event_types: eventTypes,
  description: "order desk",
  status: "active",
  status_reason: null,
  warned_at: null,
  secret_version: 1,
  created_at: createdAt,
  updated_at: createdAt,
};

/** A realistic example for each named schema. The business is the first that the fixtures answer with. */
export async function exampleValues(): Promise<Readonly<Record<string, unknown>>> {
  const query = { q: "coffee in Vaduz", page: 1, hl: "en", extra: false };
  const { listings } = await createFixtures().search(query, new AbortController().signal);
  const [place] = listings;
  if (!place) throw new Error("the fixtures have nothing for the query of the examples");
  return {
    Business: JSON.parse(JSON.stringify(simulatedBusiness(place))) as unknown,
    SearchRequest: { q: "coffee in Vaduz", hl: "en" },
    CreateScrape: { operation: "places.search", input: { q: "coffee in Vaduz", hl: "en" } },
    Scrape: {
      id: ids.job,
      operation: "places.search",
      status: "succeeded",
      input: { q: "coffee in Vaduz", page: 1, hl: "en", extra: false },
      created_at: createdAt,
      started_at: startedAt,
      finished_at: finishedAt,
      next_attempt_at: null,
      result_count: 20,
      query_reading: "Cafe in Vaduz (town, LI)",
      progress: { completed_queries: 1, total_queries: 1 },
      links: { self: `/api/v1/scrapes/${ids.job}`, results: `/api/v1/scrapes/${ids.job}/results` },
    },
    CreateCollection: { q: "dentists", area: { place: "Graz" }, max_units: 500 },
    EstimateCollection: { q: "dentists", area: { place: "Graz" } },
    CollectionEstimate: {
      units: 21,
      businesses: 287,
      is_complete: true,
      bounds: [[47.01, 15.35, 47.14, 15.54]],
      source: "catalog",
      source_as_of: createdAt,
    },
    Collection: {
      id: ids.collection,
      q: "dentists",
      area: { place: "Graz" },
      hl: "en",
      extra: false,
      status: "succeeded",
      status_reason: null,
      query_reading: "Dentist Office",
      progress: { cells_done: 9, cells_total: 9, pages: 21, units_charged: 21, businesses: 287 },
      max_units: 500,
      created_at: createdAt,
      started_at: startedAt,
      finished_at: finishedAt,
      links: {
        self: `/api/v1/collections/${ids.collection}`,
        results: `/api/v1/collections/${ids.collection}/results`,
        coverage: `/api/v1/collections/${ids.collection}/coverage`,
      },
    },
    CreateExport: { job_id: ids.job, format: "csv" },
    Export: {
      id: ids.export,
      job_id: ids.job,
      job_ids: [ids.job],
      collection_id: null,
      format: "csv",
      status: "ready",
      row_count: 20,
      size_bytes: 18_204,
      sha256: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
      created_at: createdAt,
      expires_at: "2026-09-29T08:15:30.000Z",
      download_url: `https://waypost.example/api/v1/downloads/${ids.export}?expires=1790065830&kid=1&sig=9c1Jm3yQ0v6Zb8Tt4uXwLr2pKf5sNdHa7eGi`,
      links: { self: `/api/v1/exports/${ids.export}` },
    },
    CreateWebhookEndpoint: { url: endpoint.url, event_types: eventTypes, description: endpoint.description },
    UpdateWebhookEndpoint: { status: "paused" },
    RotateWebhookSecret: { mode: "normal" },
    WebhookEndpoint: endpoint,
    WebhookEndpointWithSecret: { ...endpoint, secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=" },
    WebhookDelivery: {
      id: ids.delivery,
      endpoint_id: ids.endpoint,
      event_id: "01996d78-89e8-7a22-a9a3-8c61a0b1ead7",
      event_type: "scrape.completed",
      resource: { type: "scrape_job", id: "01996d78-88f2-7232-a4e4-c60cd0b0f4f4", sequence: "3" },
      status: "delivered",
      attempt_count: 1,
      next_attempt_at: null,
      secret_version: 1,
      created_at: finishedAt,
      finished_at: "2026-09-22T08:15:31.480Z",
      attempts: [
        {
          number: 1,
          resend: false,
          secret_version: 1,
          started_at: "2026-09-22T08:15:31.391Z",
          latency_ms: 89,
          http_status: 204,
          error: null,
          response: "",
        },
      ],
    },
  };
}

/** What each error says, as one of its causes has it. A code without an entry stops the document from being made. */
export const errorExamples: Readonly<Record<string, { message: string; details?: readonly string[] }>> = {
  conflicting_credentials: { message: "The request carries two different API keys; send one." },
  unauthenticated: {
    message:
      "Send a valid API key in the header API-KEY, or as Authorization: Bearer. The key is missing, unknown, expired or revoked.",
  },
  allowance_exhausted: {
    message: "The organization has used its 10000 request units of this month; they reset at 2026-10-01T00:00:00.000Z.",
  },
  network_not_allowed: {
    message:
      "This API key may not be used from 192.0.2.7; call from one of its allowed networks, or ask the operator to change them.",
  },
  live_key_required: { message: "This operation needs a live key; test keys only answer with simulated data." },
  entitlement_required: {
    message: "The organization of this live key has no active API entitlement; ask the operator to activate it.",
  },
  capability_unavailable: { message: "places.reviews is not available to live keys here. Test keys get fixtures." },
  not_found: { message: "There is nothing by this id; it may belong to another environment, or its time has passed." },
  method_not_allowed: { message: "This path does not take POST; see Allow." },
  idempotency_in_progress: {
    message: "A call with this Idempotency-Key is still running; send the same request again after Retry-After.",
  },
  state_conflict: {
    message: "The thing is in a state that does not allow this; read it, and try what its state allows.",
  },
  export_expired: { message: "The file of this export has been removed; create the export again." },
  payload_too_large: { message: "The body is larger than 65536 bytes; send a smaller one." },
  unsupported_media_type: { message: "Send the body as application/json, uncompressed." },
  precondition_failed: { message: "The file is not the one that If-Match names; download it whole." },
  range_not_satisfiable: { message: "The file has no bytes in this range; see Content-Range for its size." },
  idempotency_key_reused: { message: "This Idempotency-Key was used with another body; use a fresh one." },
  rate_limited: {
    message:
      "This API key sends more than 50 requests a second; wait as long as Retry-After says and send the request again.",
  },
  internal_error: {
    message: "Something went wrong on our side; send the request again, and tell us its id if it persists.",
  },
  temporarily_unavailable: { message: "A part of the service is away; nothing was done. Send the request again." },
  source_failed: { message: "The source answered, and not with a usable page; nothing was charged. Try again." },
  source_unavailable: { message: "The source cannot be reached for now; nothing was charged. See Retry-After." },
  source_timeout: { message: "The source did not answer in time; nothing was charged. Try again." },
};
