import { Type } from "../platform/schema.ts";
import type { HttpServer } from "../platform/http/server.ts";
import type { Metrics } from "./metrics.ts";

export type HealthReport = {
  /** What stands in the way of serving; empty when the process is ready. */
  problems: string[];
  /** What an operator should mend although the process serves. */
  warnings: string[];
};

export type Health = { check(): Promise<HealthReport> };

const Healthy = Type.Object({ status: Type.Literal("ok") });
const Ready = Type.Object({
  status: Type.Enum(["ready", "not_ready"]),
  problems: Type.Array(Type.String()),
  warnings: Type.Array(Type.String()),
});

export function healthRoutes(app: HttpServer, health: Health, metrics: Metrics) {
  app.get("/healthz", {
    schema: {
      operationId: "getHealth",
      summary: "The process answers",
      tags: ["Operation"],
      security: [],
      response: { 200: Healthy },
    },
    config: { public: true },
    handler: async () => ({ status: "ok" as const }),
  });

  app.get("/readyz", {
    schema: {
      operationId: "getReadiness",
      summary:
        "The process can serve: the database answers, takes writes and is migrated, the disk has room, data is loaded",
      tags: ["Operation"],
      security: [],
      response: { 200: Ready, 503: Ready },
    },
    config: { public: true },
    async handler(_request, reply) {
      const report = await health.check();
      const isReady = report.problems.length === 0;
      reply.code(isReady ? 200 : 503);
      return { status: isReady ? ("ready" as const) : ("not_ready" as const), ...report };
    },
  });

  app.get("/metrics", {
    schema: {
      operationId: "getMetrics",
      summary: "Figures for Prometheus",
      tags: ["Operation"],
      security: [],
      response: {
        200: {
          description: "The figures in Prometheus' text format.",
          content: { "text/plain": { schema: Type.String({ examples: ["waypost_up 1"] }) } },
        },
      },
    },
    config: { public: true },
    async handler(_request, reply) {
      reply.header("Content-Type", metrics.contentType);
      return metrics.text();
    },
  });
}
