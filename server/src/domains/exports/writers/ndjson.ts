import type { Sink, Writer } from "./writer.ts";

/** One stored record to a line, byte for byte. */
export function createNdjsonWriter(sink: Sink): Writer {
  return {
    write: ({ bytes }) => sink.write(bytes),
    async end() {},
  };
}
