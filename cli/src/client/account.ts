import { createInterface } from "node:readline/promises";
import { text as readAll } from "node:stream/consumers";
import { Writable } from "node:stream";
import type { Command, Values } from "../command.ts";
import { Interrupted, UsageProblem } from "../failures.ts";
import { defaultUrl, removeCredentials, storeCredentials } from "./credentials.ts";
import { withClient } from "./open.ts";
import { text } from "./words.ts";

const json = { json: { flag: "Print JSON" } };

export const accountCommands: readonly Command[] = [
  {
    name: "login",
    about: "Store an API key for the client's commands, in a file that only you can read",
    words: "",
    options: { url: `Where the service is (WAYPOST_URL, or ${defaultUrl})`, ...json },
    async run(values) {
      const url = addressOf(values);
      const apiKey = (await readKey()).trim();
      if (!/^svc_(live|test)_[0-9A-Za-z]{8}_[0-9A-Za-z]{38}$/.test(apiKey)) {
        throw new UsageProblem("That is not an API key: one begins with svc_live_ or svc_test_. Nothing was stored.");
      }
      await withClient(
        async ({ waypost, signal }) => {
          const { isWaypostError } = await import("@waypost/sdk");
          await waypost.scrapes
            .list({ limit: 1, signal })
            .page()
            .catch((error: unknown) => {
              // A key that may not read jobs is still a key.
              if (!isWaypostError(error, "insufficient_scope", "entitlement_required")) throw error;
            });
        },
        { url, apiKey },
      );
      const path = await storeCredentials({ url, apiKey });
      const environment = apiKey.startsWith("svc_live_") ? "live" : "test";
      return { data: { url, environment, path }, text: `Stored the ${environment} key for ${url} in ${path}.` };
    },
  },
  {
    name: "logout",
    about: "Remove the stored API key from this machine; it goes on working elsewhere",
    words: "",
    options: json,
    async run() {
      const removed = await removeCredentials();
      return { data: { removed }, text: removed ? "Removed the stored key." : "There was no stored key." };
    },
  },
];

/** Where to log in; an empty setting is none, as for every other command. */
export function addressOf(values: Values, environment = process.env): string {
  return text(values, "url") || environment["WAYPOST_URL"] || defaultUrl;
}

/** From a pipe as it is; from a terminal without showing what is typed. */
export async function readKey(input: NodeJS.ReadStream = process.stdin): Promise<string> {
  if (!input.isTTY) return readAll(input);
  process.stderr.write("API key (not shown): ");
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const reader = createInterface({ input, output: silent, terminal: true });
  const leaving = new AbortController();
  // A terminal that is read key by key sends no signal, and a closed reader leaves its question open for ever.
  reader.once("SIGINT", () => leaving.abort()).once("close", () => leaving.abort());
  try {
    return await reader.question("", { signal: leaving.signal });
  } catch (error) {
    throw leaving.signal.aborted ? new Interrupted("Interrupted. Nothing was stored.") : error;
  } finally {
    reader.close();
    process.stderr.write("\n");
  }
}
