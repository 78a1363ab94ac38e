import type { Static, TSchema } from "typebox";
import { Type } from "../schema.ts";
import { schemaVersion } from "../contract.ts";
import { idPattern } from "../ids.ts";
import { ListPage } from "../pages.ts";

export const RequestId = Type.String({
  pattern: idPattern("req"),
  description: "Names this request in the service's log; also sent as X-Request-Id.",
});

export const SchemaVersion = Type.Literal(schemaVersion);

/** The shape of every success. Its type is the data's alone: handlers return that, and the app wraps it. */
export function envelope<Data extends TSchema>(data: Data) {
  return Type.Unsafe<Static<Data>>(
    Type.Object({ data, request_id: RequestId, schema_version: SchemaVersion }, { additionalProperties: false }),
  );
}

/** The shape of every list. Its type is the page's: handlers return that, and the app wraps it. */
export function listEnvelope<Item extends TSchema>(item: Item) {
  return Type.Unsafe<ListPage<Static<Item>>>(
    Type.Object(
      {
        data: Type.Array(item),
        pagination: Type.Object(
          {
            next_cursor: Type.Union([Type.String(), Type.Null()], {
              description: "Send it as cursor to read on; null on the last page.",
            }),
          },
          { additionalProperties: false },
        ),
        request_id: RequestId,
        schema_version: SchemaVersion,
      },
      { additionalProperties: false },
    ),
  );
}

/** What a handler returned, in the envelope it is sent in. */
export function inEnvelope(data: unknown, requestId: string): object {
  const frame = { request_id: requestId, schema_version: schemaVersion };
  if (!(data instanceof ListPage)) return { data, ...frame };
  return { data: data.items, pagination: { next_cursor: data.nextCursor }, ...frame };
}

type RecordsPage = { recordTexts: readonly string[] };

/** A success whose records are text already, and are sent as they are stored. */
export function recordsText({ data, request_id: requestId }: { data: RecordsPage; request_id: string }): string {
  const { recordTexts, ...rest } = data;
  const { head, tail } = envelopeEnds(requestId);
  return `${head}{"records":[${recordTexts.join(",")}],${JSON.stringify(rest).slice(1)}${tail}`;
}

/** Writes successes whose data has a text already, alone or in a list. */
export function textOf<Item>(write: (item: Item) => string) {
  return function text(body: { data: Item | readonly Item[]; request_id: string; pagination?: object }): string {
    const { data, request_id: requestId, pagination } = body;
    const { head, tail } = envelopeEnds(requestId);
    if (!isList(data)) return head + write(data) + tail;
    return `${head}[${data.map(write).join(",")}],"pagination":${JSON.stringify(pagination)}${tail}`;
  };
}

function isList<Item>(data: Item | readonly Item[]): data is readonly Item[] {
  return Array.isArray(data);
}

/** The two ends of a success, for those who write the data between them themselves. */
export function envelopeEnds(requestId: string): { head: string; tail: string } {
  return { head: '{"data":', tail: `,"request_id":"${requestId}","schema_version":"${schemaVersion}"}` };
}
