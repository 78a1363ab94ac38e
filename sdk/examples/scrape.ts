// Creates a durable job, waits for its end and reads every record.
import { Waypost } from "@waypost/sdk";

const waypost = new Waypost();

const job = await waypost.scrapes.create({ input: { q: "coffee in Vaduz", extra: true } });
console.log(`created ${job.id}`);

const ended = await waypost.scrapes.wait(job.id, {
  signal: AbortSignal.timeout(120_000),
  onUpdate: ({ status }) => console.log(status),
});
if (ended.status === "failed") throw new Error(`The job failed: ${ended.error_code}`);

let count = 0;
for await (const { place } of waypost.scrapes.results(job.id, { limit: 10 })) {
  count += 1;
  console.log(count, place.name, place.emails);
}
