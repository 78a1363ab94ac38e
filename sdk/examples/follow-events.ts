// Follows the organization's events without a public address, for development. Needs a live key.
import { Waypost } from "@waypost/sdk";

const waypost = new Waypost();
const stop = new AbortController();
process.once("SIGINT", () => stop.abort());

try {
  const events = waypost.events.stream({ signal: stop.signal, onOpen: () => console.log("listening") });
  for await (const { event } of events) console.log(event.type, event.resource.id);
} catch (error) {
  if (!stop.signal.aborted) throw error;
}
