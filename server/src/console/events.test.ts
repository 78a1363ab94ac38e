import assert from "node:assert/strict";
import { test } from "node:test";
import { givenPerson } from "../../test/console.ts";
import { startWebhooks } from "../../test/webhooks.ts";
import { idFromUuid } from "../platform/ids.ts";

test("a session follows the events of its organization alone, and no longer when it has ended", async (t) => {
  const started = await startWebhooks(t, { streams: { heartbeatMs: 50, pollMs: 20 } });
  const { address, organizationId, givenOrganization, givenEvent } = started;
  const viewer = await givenPerson(started, "viewer", organizationId);
  const abort = new AbortController();
  t.after(() => abort.abort());
  const response = await fetch(`${address}/console/api/events`, {
    headers: { cookie: viewer.cookie },
    signal: abort.signal,
  });
  const reader = (response.body ?? assert.fail("no body")).pipeThrough(new TextDecoderStream()).getReader();
  let text = (await reader.read()).value ?? "";

  await givenEvent(null, { organizationId: await givenOrganization() });
  const { resource } = await givenEvent(null);
  while (!text.includes("scrape.started")) text += (await reader.read()).value ?? assert.fail("the stream ended");
  await viewer.call("/session", { method: "DELETE" });
  for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) text += chunk.value;

  assert.equal(response.headers.get("content-type"), "text/event-stream; charset=utf-8");
  assert.equal(text.match(/^event: /gm)?.length, 1);
  assert.ok(text.includes(resource.id));
  assert.doesNotMatch(text, /secret/);
});

test("without a session there is no stream; the history of a job is its organization's alone", async (t) => {
  const started = await startWebhooks(t);
  const { call, organizationId, givenOrganization, givenEvent } = started;
  const viewer = await givenPerson(started, "viewer", organizationId);
  const stranger = await givenPerson(started, "owner", await givenOrganization());
  const { resource } = await givenEvent(null);
  const path = `/events/${idFromUuid("job", resource.id)}`;

  const refused = await call("/console/api/events");
  const own = await viewer.call(path);

  assert.equal(refused.status, 401);
  assert.deepEqual(
    own.body["data"].map(({ type, sequence }: { type: string; sequence: number }) => [type, sequence]),
    [["scrape.started", 1]],
  );
  assert.deepEqual((await stranger.call(path)).body["data"], []);
  assert.deepEqual((await viewer.call("/events/anything")).body["data"], []);
});
