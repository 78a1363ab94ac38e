import { WaypostError } from "./errors.ts";

export type Frame = { id?: string; event?: string; data?: string; retryMs?: number };

const frameCharactersMax = 1_000_000;

/** Reads the frames of an event stream (https://html.spec.whatwg.org/multipage/server-sent-events.html). */
export async function* framesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Frame> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of chunks) {
    text += decoder.decode(chunk, { stream: true });
    // The last carriage return may be half of a line's end.
    const isHalf = text.endsWith("\r");
    const lines = (isHalf ? text.slice(0, -1) : text).replaceAll(/\r\n?/g, "\n");
    const parts = lines.split("\n\n");
    text = (parts.pop() ?? "") + (isHalf ? "\r" : "");
    if (text.length > frameCharactersMax) throw brokenStream();
    for (const part of parts) {
      const frame = parse(part);
      if (frame) yield frame;
    }
  }
}

/** What answers, and is no event stream of Waypost's: coming back to it would not help. */
export function brokenStream(cause?: unknown): WaypostError<"unexpected_answer"> {
  const message = "What answers is not Waypost's event stream; check baseUrl and what stands before the service.";
  return new WaypostError({ code: "unexpected_answer", message, cause });
}

/** Undefined for comments alone, which keep the connection alive. */
function parse(text: string): Frame | undefined {
  const frame: Frame = {};
  for (const line of text.split("\n")) {
    const [, name = "", value = ""] = /^([^:]+)(?:: ?(.*))?$/s.exec(line) ?? [];
    if (name === "id") frame.id = value;
    if (name === "event") frame.event = value;
    if (name === "data") frame.data = frame.data === undefined ? value : `${frame.data}\n${value}`;
    if (name === "retry" && /^\d{1,6}$/.test(value)) frame.retryMs = Number(value);
  }
  return Object.keys(frame).length > 0 ? frame : undefined;
}
