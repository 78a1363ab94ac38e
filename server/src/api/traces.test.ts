import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { context, trace } from "@opentelemetry/api";
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-base";
import { until } from "../../test/database-door.ts";
import { scriptedSource } from "../../test/scripted-source.ts";
import { startApi } from "../../test/harness.ts";
import { startWebhooks } from "../../test/webhooks.ts";
import { newUuid } from "../platform/ids.ts";
import { noTracing, openTracing, type Tracing } from "../platform/tracing.ts";

const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
const traceparent = `00-${traceId}-00f067aa0ba902b7-01`;

function keepLines() {
  const lines: Record<string, unknown>[] = [];
  const keep = (fields: object, message: string) => void lines.push({ ...fields, message });
  return { lines, log: { debug: keep, info: keep, warn: keep, error: keep } };
}

/** A job that is bound to an endpoint, from the request to its last delivery. */
async function runJob(t: TestContext, headers: Record<string, string>, tracing?: Tracing) {
  const { lines, log } = keepLines();
  const { source } = scriptedSource();
  const stage = await startWebhooks(t, { log, source, ...(tracing ? { tracing } : {}) });
  const endpoint = await stage.givenEndpoint();
  stage.givenWorker();
  const { body, text } = await stage.call("/api/v1/scrapes", {
    key: stage.key,
    json: { operation: "places.search", input: { q: "coffee in Vaduz", webhook_endpoint_id: endpoint.id } },
    headers: { "Idempotency-Key": newUuid(), ...headers },
  });
  await until(() => lines.some(({ message }) => message === "scrape.finished"));
  await stage.dispatcher.drain();

  assert.equal(stage.receiver.received.length, 2, text);
  const about = lines.filter((line) => line["request_id"] === body["request_id"]);
  return { about, sent: stage.receiver.received.map((each) => each.headers["traceparent"]) };
}

test("a trace goes from the request over the job to the delivery, and into every log line", async (t) => {
  const { about, sent } = await runJob(t, { traceparent });

  assert.deepEqual(sent, [traceparent, traceparent]);
  const messages = new Set(about.map(({ message }) => message));
  for (const message of ["request.finished", "scrape.finished", "webhook.attempted"]) assert.ok(messages.has(message));
  assert.deepEqual([...new Set(about.map((line) => line["trace_id"]))], [traceId]);
});

test("a traceparent that is not valid is ignored, and nothing is sent on", async (t) => {
  const { about, sent } = await runJob(t, { traceparent: `00-${"0".repeat(32)}-00f067aa0ba902b7-01` });

  assert.deepEqual(sent, [undefined, undefined]);
  assert.deepEqual([...new Set(about.map((line) => line["trace_id"]))], [undefined]);
});

test("a failed page and a failed run name the request and its trace", async (t) => {
  const { lines, log } = keepLines();
  const { source, told } = scriptedSource();
  told.script = async () => {
    throw new Error("the source broke");
  };
  const api = await startApi(t, { log, source });
  const { text: key } = await api.givenKey({ environment: "live" });
  const headersOf = () => ({ "Idempotency-Key": newUuid(), traceparent });
  const area = { bbox: [47.1, 9.5, 47.2, 9.6] };
  const collection = await api.call("/api/v1/collections", {
    key,
    json: { q: "coffee", area, max_units: 10 },
    headers: headersOf(),
  });
  const json = { operation: "places.search", input: { q: "coffee in Vaduz" } };
  const job = await api.call("/api/v1/scrapes", { key, json, headers: headersOf() });
  const pick = async (purpose?: string, params?: unknown) => {
    if (purpose === "job" && params !== undefined) throw new Error("no source can be picked");
    return source;
  };
  api.givenWorker({ sources: { pick, ready: async () => [source] } });
  const lineOf = (message: string) => lines.find((line) => line["message"] === message);
  await until(() => lineOf("collection.page_failed") !== undefined && lineOf("worker.run_failed") !== undefined);

  for (const [message, { body }] of [
    ["collection.page_failed", collection],
    ["worker.run_failed", job],
  ] as const) {
    assert.equal(lineOf(message)?.["request_id"], body["request_id"], message);
    assert.equal(lineOf(message)?.["trace_id"], traceId, message);
  }
});

test("with an OpenTelemetry SDK, request, job and deliveries are spans of the caller's trace", async (t) => {
  assert.equal(await openTracing(), noTracing);
  const exporter = new InMemorySpanExporter();
  trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }));
  t.after(() => {
    trace.disable();
    context.disable();
  });
  const tracing = await openTracing();
  assert.notEqual(tracing, noTracing);

  const { sent } = await runJob(t, { traceparent }, tracing);

  const spans = exporter.getFinishedSpans().filter((span) => span.spanContext().traceId === traceId);
  const named = (name: string) => spans.filter((span) => span.name === name);
  const [request, job] = [named("POST /api/v1/scrapes")[0], named("scrapes/live")[0]];
  assert.equal(request?.parentSpanContext?.spanId, traceparent.split("-")[2]);
  assert.equal(job?.parentSpanContext?.spanId, request?.spanContext().spanId);
  const deliveries = named("send webhook").map((span) => span.spanContext().spanId);
  assert.equal(deliveries.length, 2);
  assert.deepEqual(new Set(sent.map((header) => String(header).split("-")[2])), new Set(deliveries));
});
