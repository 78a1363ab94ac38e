import { createHash } from "node:crypto";

/** A named piece of an archive. Its chunks must be read to the end before the next part comes. */
export type Part = { name: string; columns?: readonly string[]; chunks: AsyncIterable<Buffer> };

/** The archive is cut short, or its bytes are not those that were written. */
export class DamagedArchive extends Error {
  constructor() {
    super("The backup is damaged: its contents differ from what was written, or its end is missing. Use another one.");
    this.name = "DamagedArchive";
  }
}

type Digest = { name: string; bytes: number; sha256: string };
type Header = { part: Omit<Part, "chunks"> } | { digests: Digest[] };

const frameBytesMax = 16 * 1024 * 1024;

/**
 * Layout: frames of 4 bytes of length and that many bytes. A part is a header in JSON, its data and
 * an empty frame; the last header has the digests of all parts.
 */
export async function* packParts(parts: AsyncIterable<Part>): AsyncGenerator<Buffer> {
  const digests: Digest[] = [];
  for await (const { chunks, ...part } of parts) {
    yield* frame(header({ part }));
    const measure = createMeasure();
    for await (const chunk of chunks) {
      if (chunk.length === 0) continue; // an empty frame ends a part
      measure.add(chunk);
      yield* frame(chunk);
    }
    yield* frame(Buffer.alloc(0));
    digests.push({ name: part.name, ...measure.result() });
  }
  yield* frame(header({ digests }));
}

/** Throws DamagedArchive after the last part when any was not as written: act on none before the end. */
export async function* unpackParts(bytes: AsyncIterable<Buffer>): AsyncGenerator<Part> {
  const frames = readFrames(bytes);
  const found: Digest[] = [];
  for (;;) {
    const next = await frames.next();
    if (next.done) throw new DamagedArchive();
    const head = parseHeader(next.value);
    if ("digests" in head) {
      if (JSON.stringify(head.digests) !== JSON.stringify(found)) throw new DamagedArchive();
      return;
    }
    const measure = createMeasure();
    yield { ...head.part, chunks: readPart(frames, measure) };
    found.push({ name: head.part.name, ...measure.result() });
  }
}

type Measure = ReturnType<typeof createMeasure>;

function createMeasure() {
  const hash = createHash("sha256");
  let bytes = 0;
  return {
    add(chunk: Buffer) {
      hash.update(chunk);
      bytes += chunk.length;
    },
    result: () => ({ bytes, sha256: hash.digest("hex") }),
  };
}

async function* readPart(frames: AsyncGenerator<Buffer>, measure: Measure): AsyncGenerator<Buffer> {
  for (;;) {
    const next = await frames.next();
    if (next.done) throw new DamagedArchive();
    if (next.value.length === 0) return;
    measure.add(next.value);
    yield next.value;
  }
}

function* frame(bytes: Buffer): Generator<Buffer> {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  yield length;
  if (bytes.length > 0) yield bytes;
}

async function* readFrames(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let held: Buffer = Buffer.alloc(0);
  for await (const chunk of bytes) {
    held = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
    for (;;) {
      if (held.length < 4) break;
      const length = held.readUInt32BE();
      if (length > frameBytesMax) throw new DamagedArchive();
      if (held.length < 4 + length) break;
      yield held.subarray(4, 4 + length);
      held = held.subarray(4 + length);
    }
  }
  if (held.length > 0) throw new DamagedArchive();
}

function header(value: Header): Buffer {
  return Buffer.from(JSON.stringify(value));
}

function parseHeader(bytes: Buffer): Header {
  try {
    return JSON.parse(bytes.toString("utf8")) as Header; // written by header() above
  } catch {
    throw new DamagedArchive();
  }
}
