// Makes a webhook endpoint, binds a job to it, and shows what was delivered. Needs a live key.
import { Waypost } from "@waypost/sdk";

const waypost = new Waypost();
const url = process.env["RECEIVER_URL"] ?? "https://example.com/waypost";

const endpoint = await waypost.webhooks.create({ url, event_types: ["scrape.completed", "scrape.failed"] });
console.log(`${endpoint.id}: keep its secret, ${endpoint.secret}; it is not shown again`);

await waypost.scrapes.create({ input: { q: "coffee in Vaduz", webhook_endpoint_id: endpoint.id } });
await waypost.webhooks.sendTest(endpoint.id);

for await (const { event_type, status } of waypost.webhooks.deliveries(endpoint.id)) console.log(event_type, status);
