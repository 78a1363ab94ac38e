import type { FastifyReply, FastifyRequest } from "fastify";
import { Type } from "../schema.ts";
import { InvalidRequest } from "../errors.ts";

export const waitSecondsMax = 25;

/** One preference of several: a comma inside a quoted value separates nothing. */
const preferencePattern = /(?:[^,"]|"(?:[^"\\]|\\.)*"?)+/gs;

export const preferHeader = {
  Prefer: Type.Optional(
    Type.String({
      description: `wait=<n>, n a whole number from 1 to ${waitSecondsMax}: how many seconds to wait for the end of the work. Other preferences are ignored.`,
      examples: ["wait=10"],
    }),
  ),
};

/** The seconds a caller is willing to wait (RFC 7240), undefined when it asks for no wait. */
export function readWait(request: FastifyRequest): number | undefined {
  const header = request.headers["prefer"];
  if (header === undefined) return undefined;
  for (const [preference] of [header].flat().join(",").matchAll(preferencePattern)) {
    const [name = "", value = ""] = (preference.split(";", 1)[0] ?? "").split(/=(.*)/s, 2);
    if (name.trim().toLowerCase() !== "wait") continue;
    // The first one counts, as the RFC says of a preference that is given twice.
    return waitSeconds(value.trim());
  }
  return undefined;
}

/** Runs before validation of the body, so that this header fails like any other bad header. */
export function checkWait(request: FastifyRequest, _reply: FastifyReply, done: (error?: Error) => void) {
  try {
    readWait(request);
    done();
  } catch (error) {
    done(error as Error);
  }
}

function waitSeconds(value: string): number {
  const [, digits] = /^"?(\d{1,2})"?$/.exec(value) ?? [];
  const seconds = Number(digits);
  if (seconds >= 1 && seconds <= waitSecondsMax) return seconds;
  throw InvalidRequest(
    { what: "The request headers are invalid" },
    { details: [`header /prefer: wait must be a whole number from 1 to ${waitSecondsMax}`] },
  );
}
