import { createHmac } from "node:crypto";
import type { StreamedEvent } from "@waypost/sdk";
import type { Command } from "../command.ts";
import { Interrupted, UsageProblem } from "../failures.ts";
import { printable } from "../terminal.ts";
import { withClient } from "./open.ts";
import { allEvents } from "./webhooks.ts";
import { list, text } from "./words.ts";

const forwardTimeoutMs = 10_000;

export const listenCommands: readonly Command[] = [
  {
    name: "webhooks listen",
    about: "Follow the organization's events, and forward them, signed, to a program on this machine",
    words: "",
    options: {
      "forward-to": "Where to POST each event, such as http://localhost:3000/hook (nowhere: only print)",
      events: "Only these event types, separated by commas (all)",
      json: { flag: "Print each event's body as a line of JSON" },
    },
    async run(values) {
      const target = targetOf(text(values, "forward-to"));
      const types = typesOf(list(values, "events"));
      const isJson = values["json"] === true;
      await withClient(async ({ waypost, signal }) => {
        let secret: string | undefined;
        const events = waypost.events.stream({
          signal,
          onOpen(connection) {
            if (secret === undefined) announce(connection.secret, target, isJson);
            else console.error("Connected again.");
            // Each connection has a secret of its own; the program keeps the first one.
            secret ??= connection.secret;
          },
          onDisconnect: () => console.error("The connection was lost; connecting again."),
        });
        for await (const streamed of events) {
          if (types && !types.includes(streamed.event.type)) continue;
          const outcome = target ? await forward(target, streamed, secret ?? streamed.secret, signal) : "";
          console.log(isJson ? streamed.body : line(streamed, outcome));
        }
      }).catch((error: unknown) => {
        // Listening has no other end.
        if (!(error instanceof Interrupted)) throw error;
      });
      return undefined;
    },
  },
];

function typesOf(types: string[] | undefined): string[] | undefined {
  const known: readonly string[] = [...allEvents, "webhook.test"];
  if (types && !(types.length > 0 && types.every((type) => known.includes(type)))) {
    throw new UsageProblem(`--events takes one or more of ${known.join(", ")}.`);
  }
  return types;
}

function targetOf(url: string | undefined): URL | undefined {
  if (url === undefined) return undefined;
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw new UsageProblem(`--forward-to takes an http or https address such as http://localhost:3000/hook.`);
  }
  return new URL(url);
}

function announce(secret: string, target: URL | undefined, isJson: boolean) {
  const lines = [
    target ? `Forwarding events to ${target.href}. Ctrl-C ends it.` : "Listening for events. Ctrl-C ends it.",
    `They are signed with ${secret}`,
  ];
  for (const each of lines) (isJson ? console.error : console.log)(each);
}

/** Sends an event on as a delivery would, and resolves to how it went. */
async function forward(target: URL, { headers, body }: StreamedEvent, secret: string, signal: AbortSignal) {
  try {
    const response = await fetch(target, {
      method: "POST",
      headers: signedHeaders(headers, body, secret, new Date()),
      body,
      redirect: "manual",
      signal: AbortSignal.any([signal, AbortSignal.timeout(forwardTimeoutMs)]),
    });
    await response.body?.cancel();
    return String(response.status);
  } catch (error) {
    signal.throwIfAborted();
    const { code } = ((error as Error).cause ?? {}) as { code?: string };
    return `failed: ${code ?? (error as Error).message}`;
  }
}

/** The headers of the delivery, signed again with the secret that was printed. */
function signedHeaders(headers: Record<string, string>, body: string, secret: string, now: Date) {
  const timestamp = String(Math.floor(now.getTime() / 1_000));
  const id = headers["webhook-id"] ?? "";
  const decoded = Buffer.from(secret.slice("whsec_".length), "base64");
  return {
    ...headers,
    "X-SVC-Timestamp": timestamp,
    "X-SVC-Signature": `v1=${createHmac("sha256", secret).update(`${timestamp}.${body}`).digest("hex")}`,
    "webhook-timestamp": timestamp,
    "webhook-signature": `v1,${createHmac("sha256", decoded).update(`${id}.${timestamp}.${body}`).digest("base64")}`,
  };
}

function line({ event }: StreamedEvent, outcome: string): string {
  const { data } = event;
  const subject = "job_id" in data && data.job_id ? data.job_id : event.resource.id;
  return [event.created_at, event.type, subject, outcome].filter(Boolean).map(printable).join("  ");
}
