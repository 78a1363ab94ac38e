// Lists jobs page by page, and cancels those that still run.
import { Waypost } from "@waypost/sdk";

const waypost = new Waypost();
await waypost.scrapes.create({ input: { q: "test:slow" } }); // with a test key: runs for ten seconds

for await (const { data } of waypost.scrapes.list({ status: "running", limit: 50 }).pages()) {
  for (const { id } of data) {
    const { status } = await waypost.scrapes.cancel(id);
    console.log(id, status);
  }
}
