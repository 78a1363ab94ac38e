import type * as OpenTelemetry from "@opentelemetry/api";

export type Span = {
  /** Names this span as the parent of what follows from it. */
  traceparent: string;
  end(failure?: unknown): void;
};

type Kind = "server" | "consumer" | "producer";

export type Tracing = {
  /** Starts a span below `parent`; undefined when nobody collects spans. */
  start(name: string, kind: Kind, parent: string | null, requestId?: string): Span | undefined;
};

export const noTracing: Tracing = { start: () => undefined };

/** Where an OpenTelemetry SDK leaves its mark, whichever copy of the API it was loaded with. */
const registration = Symbol.for("opentelemetry.js.api.1");

/** The SDK that the operator loaded before the service (NODE_OPTIONS=--import …); without one nothing is loaded. */
export async function openTracing(): Promise<Tracing> {
  if (!(registration in globalThis)) return noTracing;
  const api = await import("@opentelemetry/api").catch(() => undefined);
  return api ? createTracing(api) : noTracing;
}

function createTracing(api: typeof OpenTelemetry): Tracing {
  const tracer = api.trace.getTracer("waypost");
  const kinds = { server: api.SpanKind.SERVER, consumer: api.SpanKind.CONSUMER, producer: api.SpanKind.PRODUCER };
  // An SDK that collects logs or metrics alone makes spans without an id.
  if (!api.isSpanContextValid(tracer.startSpan("waypost.start").spanContext())) return noTracing;

  function start(name: string, kind: Kind, parent: string | null, requestId?: string): Span {
    // An instrumentation of node:http has made the span of this request already.
    const active = kind === "server" ? api.trace.getActiveSpan() : undefined;
    if (active) return { traceparent: format(active.spanContext()), end() {} };

    const attributes = requestId === undefined ? {} : { "waypost.request_id": requestId };
    const span = tracer.startSpan(name, { kind: kinds[kind], attributes }, contextOf(parent));
    return {
      traceparent: format(span.spanContext()),
      end(failure) {
        if (failure !== undefined) span.setStatus({ code: api.SpanStatusCode.ERROR, message: messageOf(failure) });
        span.end();
      },
    };
  }

  function contextOf(parent: string | null): OpenTelemetry.Context {
    if (parent === null) return api.ROOT_CONTEXT;
    const [, traceId = "", spanId = "", flags = "00"] = parent.split("-");
    const traceFlags = Number.parseInt(flags, 16);
    return api.trace.setSpanContext(api.ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true });
  }

  return { start };
}

function format({ traceId, spanId, traceFlags }: OpenTelemetry.SpanContext): string {
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, "0")}`;
}

function messageOf(failure: unknown): string {
  return failure instanceof Error ? failure.message : String(failure);
}
