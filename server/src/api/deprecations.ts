import type { FastifyReply, FastifyRequest, RouteOptions } from "fastify";
import type { HttpServer } from "../platform/http/server.ts";

/** Something that will go: an operation, or one field of its body or query. */
export type Deprecation = {
  operationId: string;
  /** The name of a body property or query parameter; absent when the whole operation goes. */
  field?: string;
  /** Days in UTC, `2027-01-31`: when it was announced, and when it stops working. */
  deprecated: string;
  sunset: string;
  /** Where to read what to do instead. */
  link?: string;
};

/** What is deprecated today. An entry here marks the API reference and sends the headers. */
export const deprecations: readonly Deprecation[] = [];

const noticeDaysMin = 180;

/**
 * Announces what will go: `Deprecation` (RFC 9745) and `Sunset` (RFC 8594) on the answers of a
 * deprecated operation, and on those to requests that use a deprecated field.
 */
export function announceDeprecations(app: HttpServer, list: readonly Deprecation[]) {
  for (const { operationId, deprecated, sunset } of list) {
    const noticeDays = (Date.parse(sunset) - Date.parse(deprecated)) / 86_400_000;
    if (!(noticeDays >= noticeDaysMin))
      throw new Error(`${operationId} needs ${noticeDaysMin} days between announcement and sunset`);
  }

  app.addHook("onRoute", (route: RouteOptions) => {
    const own = list.filter(({ operationId }) => operationId === route.schema?.operationId);
    if (own.length === 0 || !route.schema) return;
    if (own.some(({ field }) => field === undefined)) route.schema.deprecated = true;
    const notes = own.flatMap(({ field, sunset }) =>
      field === undefined ? [] : [`\`${field}\` stops working on ${sunset}.`],
    );
    route.schema.description = [route.schema.description, ...notes].filter(Boolean).join(" ");
    const announce = (request: FastifyRequest, reply: FastifyReply, done: () => void) => {
      const used = own.find(({ field }) => field === undefined || isUsed(request, field));
      if (used) reply.headers(headersOf(used));
      done();
    };
    route.preHandler = [...[route.preHandler ?? []].flat(), announce];
  });
}

function isUsed({ body, query }: FastifyRequest, field: string): boolean {
  return [body, query].some((part) => typeof part === "object" && part !== null && Object.hasOwn(part, field));
}

function headersOf({ deprecated, sunset, link }: Deprecation): Record<string, string> {
  return {
    Deprecation: `@${Date.parse(deprecated) / 1_000}`,
    Sunset: new Date(sunset).toUTCString(),
    ...(link === undefined ? {} : { Link: `<${link}>; rel="deprecation"` }),
  };
}
