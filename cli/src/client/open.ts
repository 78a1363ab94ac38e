import type { ResponseFacts, Waypost } from "@waypost/sdk";
import { Interrupted, UsageProblem } from "../failures.ts";
import { onInterrupt } from "../interrupts.ts";
import { outputLost } from "../output.ts";
import { type Credentials, findCredentials } from "./credentials.ts";

export type Client = {
  waypost: Waypost;
  credentials: Credentials;
  /** Aborted by Ctrl-C, by signals, and when nothing more can be printed. */
  signal: AbortSignal;
  /** What the last answer said besides its data. */
  lastAnswer(): ResponseFacts | undefined;
};

/** Does something with the service. Loaded when needed: help and usage errors answer without the SDK. */
export async function withClient<Result>(
  work: (client: Client) => Promise<Result>,
  given?: Credentials,
): Promise<Result> {
  const { Waypost } = await import("@waypost/sdk");
  const credentials = given ?? (await findCredentials());
  const interruption = new AbortController();
  const interrupt = () => interruption.abort(new Interrupted("Interrupted. What was started on the service goes on."));
  const stopHearing = onInterrupt(interrupt);
  let last: ResponseFacts | undefined;
  try {
    const { url, apiKey } = credentials;
    const waypost = openAt(() => new Waypost({ apiKey, baseUrl: url, onResponse: (facts) => void (last = facts) }));
    const signal = AbortSignal.any([interruption.signal, outputLost]);
    return await work({ waypost, credentials, signal, lastAnswer: () => last });
  } finally {
    stopHearing();
  }
}

/** The SDK's own words for a bad address or key speak of its options; here they are settings. */
function openAt(create: () => Waypost): Waypost {
  try {
    return create();
  } catch (error) {
    throw new UsageProblem((error as Error).message.replaceAll("baseUrl", "WAYPOST_URL"));
  }
}
