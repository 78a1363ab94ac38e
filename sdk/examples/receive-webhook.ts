// Receives webhooks: proves each one before it believes it, answers at once, handles each event once.
import { createServer } from "node:http";
import { buffer } from "node:stream/consumers";
import { verifyWebhook, WebhookVerificationError } from "@waypost/sdk";

// While a secret is being rotated: the new one and the old one, separated by a space.
const secrets = (process.env["WAYPOST_WEBHOOK_SECRET"] ?? "").split(" ");
const handled = new Set<string>(); // keep it in your database

const server = createServer((request, response) => {
  void receive(request, response);
});
server.listen(Number(process.env["PORT"] ?? 3000), "127.0.0.1", () => console.log("listening", server.address()));

async function receive(...[request, response]: Parameters<NonNullable<Parameters<typeof createServer>[1]>>) {
  try {
    const event = await verifyWebhook(await buffer(request), request.headers, secrets);
    response.writeHead(204).end();
    if (handled.has(event.id)) return;
    handled.add(event.id);
    const { type, data } = event;
    if (type === "scrape.completed" && "job_id" in data) console.log(data.job_id, data.status, data.result_count);
    else console.log(type);
  } catch (error) {
    response.writeHead(error instanceof WebhookVerificationError ? 400 : 500).end();
  }
}
