import type { CreateWebhookEndpoint, UpdateWebhookEndpoint, WebhookDelivery, WebhookEndpoint } from "@waypost/sdk";
import type { Command, Output } from "../command.ts";
import { UsageProblem } from "../failures.ts";
import { facts, table } from "../table.ts";
import { withClient } from "./open.ts";
import { list, oneId, text, wholeNumber } from "./words.ts";

const json = { json: { flag: "Print JSON" } };
const showsEndpoints = "`waypost webhooks` shows them.";
type Events = CreateWebhookEndpoint["event_types"];

/** What an endpoint can subscribe to. */
export const allEvents: Events = [
  "scrape.started",
  "scrape.progress",
  "scrape.completed",
  "scrape.failed",
  "scrape.canceled",
  "export.ready",
];

export const webhookCommands: readonly Command[] = [
  {
    name: "webhooks list",
    about: "List the webhook endpoints",
    words: "",
    options: json,
    async run() {
      return withClient(async ({ waypost, signal }) => {
        const endpoints: WebhookEndpoint[] = [];
        for await (const endpoint of waypost.webhooks.list({ signal })) endpoints.push(endpoint);
        const rows = endpoints.map((each) => [each.id, each.status, each.url, each.event_types.join(" ")]);
        return { data: { endpoints }, text: table(["ID", "STATUS", "URL", "EVENTS"], rows) };
      });
    },
  },
  {
    name: "webhooks create",
    about: "Make a webhook endpoint and show its secret once",
    words: "URL",
    options: { events: "Event types, separated by commas (all)", description: "What it is for", ...json },
    async run(values, words) {
      const [url] = words;
      if (url === undefined) throw new UsageProblem("Give the URL that events are sent to, https://…");
      const description = text(values, "description");
      const event_types = (list(values, "events") ?? allEvents) as Events;
      const body = { url, event_types, ...(description === undefined ? {} : { description }) };
      return withClient(async ({ waypost, signal }) => revealed(await waypost.webhooks.create(body, { signal })));
    },
  },
  {
    name: "webhooks show",
    about: "Show one webhook endpoint",
    words: "ENDPOINT_ID",
    options: json,
    async run(_, words) {
      const id = oneId(words, "whe", showsEndpoints);
      return withClient(async ({ waypost, signal }) => shown(await waypost.webhooks.get(id, { signal })));
    },
  },
  {
    name: "webhooks update",
    about: "Change a webhook endpoint; --status active resumes one that was paused or disabled",
    words: "ENDPOINT_ID",
    options: {
      url: "Where events are sent",
      events: "Event types, separated by commas",
      description: "What it is for",
      status: "active or paused",
      ...json,
    },
    async run(values, words) {
      const id = oneId(words, "whe", showsEndpoints);
      const changes = {
        url: text(values, "url"),
        event_types: list(values, "events"),
        description: text(values, "description"),
        status: text(values, "status"),
      };
      const given = Object.entries(changes).filter(([, value]) => value !== undefined);
      if (given.length === 0) throw new UsageProblem("Say what to change: --url, --events, --description or --status.");
      const body = Object.fromEntries(given) as UpdateWebhookEndpoint;
      return withClient(async ({ waypost, signal }) => shown(await waypost.webhooks.update(id, body, { signal })));
    },
  },
  {
    name: "webhooks delete",
    about: "Delete a webhook endpoint and end its pending deliveries",
    words: "ENDPOINT_ID",
    options: json,
    async run(_, words) {
      const id = oneId(words, "whe", showsEndpoints);
      const data = await withClient(({ waypost, signal }) => waypost.webhooks.remove(id, { signal }));
      return { data, text: `Deleted ${id}.` };
    },
  },
  {
    name: "webhooks rotate",
    about: "Make a new secret for an endpoint and show it once; the old one stays valid for 25 hours",
    words: "ENDPOINT_ID",
    options: { compromised: { flag: "Revoke the old secret at once" }, ...json },
    async run(values, words) {
      const id = oneId(words, "whe", showsEndpoints);
      const mode = values["compromised"] === true ? "compromise" : "normal";
      return withClient(async ({ waypost, signal }) =>
        revealed(await waypost.webhooks.rotateSecret(id, mode, { signal })),
      );
    },
  },
  {
    name: "webhooks test",
    about: "Send a webhook.test event to an active endpoint",
    words: "ENDPOINT_ID",
    options: json,
    async run(_, words) {
      const id = oneId(words, "whe", showsEndpoints);
      const delivery = await withClient(({ waypost, signal }) => waypost.webhooks.sendTest(id, { signal }));
      return {
        data: delivery,
        text: `Sending ${delivery.id}; \`waypost webhooks deliveries ${id}\` shows how it went.`,
      };
    },
  },
  {
    name: "webhooks deliveries",
    about: "List what was sent to an endpoint, newest first",
    words: "ENDPOINT_ID",
    options: { limit: "How many at most, 1 to 100 (25)", ...json },
    async run(values, words) {
      const id = oneId(words, "whe", showsEndpoints);
      const limit = wholeNumber(values, "limit", 1) ?? 25;
      return withClient(async ({ waypost, signal }) => {
        const { data: deliveries } = await waypost.webhooks.deliveries(id, { limit, signal }).page();
        return { data: { deliveries }, text: deliveryTable(deliveries) };
      });
    },
  },
  {
    name: "webhooks resend",
    about: "Send a delivery once more",
    words: "DELIVERY_ID",
    options: json,
    async run(_, words) {
      const id = oneId(words, "dlv", "`waypost webhooks deliveries ENDPOINT_ID` shows them.");
      const delivery = await withClient(({ waypost, signal }) => waypost.webhooks.resend(id, { signal }));
      return { data: delivery, text: `Sending ${delivery.id} again.` };
    },
  },
];

function shown(endpoint: WebhookEndpoint): Output {
  const { status, status_reason } = endpoint;
  const rows: [string, string][] = [
    ["Id", endpoint.id],
    ["URL", endpoint.url],
    ["Events", endpoint.event_types.join(" ")],
    ["Status", status_reason ? `${status}: ${status_reason}` : status],
    ["Secret version", String(endpoint.secret_version)],
    ["Created", endpoint.created_at],
  ];
  return { data: endpoint, text: facts(rows) };
}

function revealed(endpoint: WebhookEndpoint & { secret: string }): Output {
  const { text: rows } = shown(endpoint);
  return { data: endpoint, text: `${endpoint.secret}\n\nThis is the only time the secret is shown.\n\n${rows}` };
}

function deliveryTable(deliveries: readonly WebhookDelivery[]): string {
  const rows = deliveries.map((each) => {
    const last = each.attempts.at(-1);
    const outcome = last?.error ?? (last?.http_status ? `HTTP ${last.http_status}` : "");
    return [each.id, each.event_type, each.status, String(each.attempt_count), each.created_at, outcome];
  });
  return table(["ID", "EVENT", "STATUS", "ATTEMPTS", "CREATED", "LAST ANSWER"], rows);
}
