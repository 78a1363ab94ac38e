import type { FastifyReply, FastifyRequest } from "fastify";
import { Type } from "../../../platform/schema.ts";
import { errorResponses } from "../../../platform/http/error-body.ts";
import type { HttpServer } from "../../../platform/http/server.ts";
import { LiveKeyRequired } from "../../api-keys/index.ts";
import { StreamLimitReached } from "./errors.ts";
import type { EventStreams, StreamSink } from "./streams.ts";

export const ResumeHeader = Type.Object({
  "Last-Event-ID": Type.Optional(
    Type.String({
      pattern: "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$",
      description: "the id of the last event you have seen: the stream goes on after it",
      examples: ["019a43b6-9a16-70c3-8d4e-3f1a2b5c6d7e"],
    }),
  ),
});

/** `isStillAllowed` checks the key of a request again. */
export function eventStreamRoutes(
  app: HttpServer,
  streams: Pick<EventStreams, "start" | "stop">,
  isStillAllowed: (request: FastifyRequest) => Promise<boolean>,
) {
  // Before the server waits for its connections to end: a stream would never end by itself.
  app.addHook("preClose", () => streams.stop());

  app.get("/events/stream", {
    exposeHeadRoute: false,
    schema: {
      operationId: "streamEvents",
      summary: "Follow the organization's events as server-sent events, without a public address",
      tags: ["Webhooks"],
      headers: ResumeHeader,
      response: {
        200: {
          description: "Frames without end: `stream.opened` with the signing secret, then one for each event.",
          content: { "text/event-stream": { schema: Type.String({ examples: [exampleFrames] }) } },
        },
        ...errorResponses(LiveKeyRequired, StreamLimitReached),
      },
    },
    async handler(request, reply) {
      streams.start({
        organizationId: request.principal.organizationId,
        lastEventId: request.headers["last-event-id"]?.toString(),
        isAllowed: () => isStillAllowed(request),
        sink: sinkOf(reply),
      });
      reply.hijack();
    },
  });
}

const exampleFrames = `retry: 1000
event: stream.opened
data: {"secret":"whsec_…","secret_version":1}

id: 019a43b6-9a16-70c3-8d4e-3f1a2b5c6d7e
event: scrape.started
data: {"headers":{"X-SVC-Signature":"v1=…"},"body":"{…}"}
`;

/** Writes frames to a reply, which the caller hijacks. */
export function sinkOf(reply: FastifyReply): StreamSink {
  const { raw } = reply;
  const closed = new AbortController();
  raw.once("close", () => closed.abort());
  const isOver = () => raw.destroyed || raw.writableEnded;
  // The connection ends with the stream: kept alive, it would hold up a server that closes.
  reply.headers({ "Content-Type": "text/event-stream; charset=utf-8", "X-Accel-Buffering": "no", Connection: "close" });
  const begin = () => {
    for (const [name, value] of Object.entries(reply.getHeaders())) if (value !== undefined) raw.setHeader(name, value);
    raw.writeHead(200);
  };
  return {
    closed: closed.signal,
    bufferedBytes: () => raw.writableLength,
    write(frame) {
      if (isOver()) return;
      if (!raw.headersSent) begin();
      raw.write(frame);
    },
    end() {
      if (!isOver()) raw.end();
    },
    cut: () => void raw.destroy(),
  };
}
