import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import type {
  FastifyBaseLogger,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from "fastify";
import { Type } from "../schema.ts";
import { InvalidRequest } from "../errors.ts";

/** The server as a `routes.ts` sees it: schemas give its handlers their types. */
export type HttpServer = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;

/** The header of calls that may be made safe to repeat. */
export const OptionalIdempotencyKey = Type.Object({
  "Idempotency-Key": Type.Optional(
    Type.String({
      minLength: 16,
      maxLength: 128,
      description:
        "After a timeout, send the same key with the same body again: the call is done and charged once, and you get its answer.",
    }),
  ),
});

/** The header of calls that must be safe to repeat. */
export const RequiredIdempotencyKey = Type.Object({
  "Idempotency-Key": Type.String({
    minLength: 16,
    maxLength: 128,
    pattern: "^[\\x21-\\x7e]*$",
    description:
      "printable ASCII without space, fresh for each intended call; send it with the same body again after a timeout",
  }),
});

export function readIdempotencyKey(request: FastifyRequest): string | undefined {
  const joined = request.headers["idempotency-key"];
  // Node sorts all headers anew to keep those apart that came twice, which takes 5 µs.
  if (joined === undefined) return undefined;
  const values = request.raw.headersDistinct["idempotency-key"] ?? [];
  if (values.length > 1) {
    throw InvalidRequest(
      { what: "The request headers are invalid" },
      { details: ["header /idempotency-key: must be given once"] },
    );
  }
  return values[0];
}

/** The key of a call whose schema has RequiredIdempotencyKey. */
export function requiredIdempotencyKey(request: FastifyRequest): string {
  const key = readIdempotencyKey(request);
  if (key === undefined) throw new Error("the schema of this route does not require an Idempotency-Key");
  return key;
}

/**
 * Aborts when the client ends its connection before it was answered, or has ended it already. Not `request.signal`,
 * which aborts as soon as the body has been read. The socket's end and not the response's: a response that waits behind
 * another one of its connection is never closed. Node answers nobody who has ended the sending half, so that is an end too.
 */
export function whenClientIsGone({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController();
  const { socket } = raw.req;
  const leave = () => gone.abort(new Error("the client closed its connection"));
  if (!socket.writable) leave();
  socket.once("end", leave).once("close", leave);
  raw.once("close", () => socket.off("end", leave).off("close", leave));
  return gone.signal;
}

/** Says whether an idempotent call repeated an earlier outcome. */
export function markReplay(reply: FastifyReply, { replayed }: { replayed: boolean }) {
  if (replayed) reply.header("Idempotent-Replayed", "true");
}
