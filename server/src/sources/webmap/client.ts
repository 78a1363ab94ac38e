import { isAscii, isUtf8 } from "node:buffer";
import type { Clock } from "../../platform/clock.ts";
import type { CounterFactory } from "../../platform/meters.ts";
import { charsetIn, decodeAs } from "../../platform/net/charset.ts";
import type { Outbound, OutboundResponse } from "../../platform/net/outbound.ts";
import type { RequestLimiter } from "../request-limiter.ts";
import { checkShape, parseEnvelope } from "./envelope.ts";
import { failureOfRequest, refusalIn, WebmapFailure } from "./failures.ts";
import type { Samples } from "./samples.ts";

type ClientOptions = {
  outbound: Outbound;
  proxy: string | undefined;
  limiter: RequestLimiter;
  samples: Samples;
  clock: Clock;
  counter: CounterFactory;
};

/** What a request is for, as it is counted. */
export type Kind = "search" | "detail";

const requestMs = 10_000;
/**
 * An answer of 20 businesses has 200 to 450 KB. With the bounds of its shape, parsing and reading this
 * many bytes of the worst JSON takes less than 50 ms, so it is done here and not on a thread of its own.
 */
const bytesMax = 1.5 * 1024 * 1024;

/** One identity, one request after another at the operator's rate; every answer classified and counted. */
export function createClient({ outbound, proxy, limiter, samples, clock, counter }: ClientOptions) {
  const headers = { "user-agent": "Waypost/0.1", accept: "application/json", "accept-encoding": "gzip" };
  const answers = counter("waypost_webmap_answers_total", "Answers of the web map, by what they were.", [
    "request",
    "class",
  ]);

  /**
   * Asks once, and hands the data to `read`, which names the class of the answer or throws one. A question whose turn
   * comes later than its patience is refused at once.
   */
  async function ask<Result extends { verdict: string }>(
    kind: Kind,
    url: string,
    signal: AbortSignal,
    read: (root: unknown) => Result,
    patienceMs?: number,
  ): Promise<Result> {
    async function askOnce(): Promise<Result> {
      let body = "";
      try {
        const response = await fetchAnswer(url, signal);
        body = textOf(response);
        const refusal = refusalIn(response, body, clock.now());
        if (refusal) throw refusal;
        if (response.truncated) throw new WebmapFailure("too_large");
        checkShape(response.body);
        const result = read(parseEnvelope(body));
        answers({ request: kind, class: result.verdict });
        return result;
      } catch (error) {
        signal.throwIfAborted();
        const failure = error instanceof WebmapFailure ? error : new WebmapFailure("layout_unknown", { cause: error });
        answers({ request: kind, class: failure.refusal });
        if (failure.refusal === "layout_unknown") await samples.keep(body);
        throw failure;
      }
    }

    return limiter.run(signal, askOnce, patienceMs);
  }

  function fetchAnswer(url: string, signal: AbortSignal): Promise<OutboundResponse> {
    return outbound
      .request({
        url,
        headers,
        deadlineMs: requestMs,
        bytesMax,
        signal,
        protocols: ["https:", "http:"],
        keepAlive: true,
        ...(proxy === undefined ? {} : { proxy }),
      })
      .catch((error: unknown) => {
        throw failureOfRequest(error);
      });
  }

  return { ask };
}

/** Other encodings hardly ever make good UTF-8, and the name of one may be a server's or proxy's mere habit. */
function textOf({ headers, body }: OutboundResponse): string {
  const named = charsetIn(headers["content-type"] ?? "") ?? "utf-8";
  return decodeAs(!isAscii(body) && isUtf8(body) ? "utf-8" : named, body);
}

export type Client = ReturnType<typeof createClient>;
