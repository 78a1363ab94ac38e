import { write as writeFile, writeSync } from "node:fs";

type DestinationOptions = {
  /** How much may wait while nothing can be written; lines beyond it are dropped. */
  waitingMax?: number;
  /** Is called once lines can be written again, with how many could not. */
  onDropped(lines: number): void;
};

/** Each write wakes a thread, which takes 2 µs for a read of a job, and 4 µs with 4 kB a write. */
const batchLength = 12 * 1024;
const intervalMs = 250;
/** How long the last lines may wait for a reader that is busy. */
const busyMs = 1_000;
const busyRetryMs = 10;

/**
 * Writes lines in batches, off the path of what they report. What cannot be written, because the disk of the log is full
 * or its reader is gone, waits for the next interval: a service whose log fails goes on serving.
 */
export function createLogDestination(
  descriptor: number,
  { waitingMax = 4 * 1024 * 1024, onDropped }: DestinationOptions,
) {
  let waiting: string[] = [];
  let waitingLength = 0;
  let dropped = 0;
  /** What is written, as far as it has not left. */
  let batch = Buffer.alloc(0);
  let isWriting = false;
  let hasFailed = false;
  const timer = setInterval(send, intervalMs);
  timer.unref();
  process.once("exit", flush);

  function write(line: string): void {
    if (waitingLength + line.length > waitingMax) {
      dropped += 1;
      return;
    }
    waiting.push(line);
    waitingLength += line.length;
    if (waitingLength >= batchLength && !hasFailed) send();
  }

  function send(): void {
    if (isWriting) return;
    if (batch.length === 0) batch = takeWaiting();
    if (batch.length === 0) return;
    isWriting = true;
    writeFile(descriptor, batch, 0, batch.length, null, (error, written) => {
      isWriting = false;
      hasFailed = error !== null;
      if (error) return;
      batch = batch.subarray(written);
      if (dropped > 0) tellDropped();
      if (batch.length > 0 || waitingLength >= batchLength) send();
    });
  }

  function takeWaiting(): Buffer<ArrayBuffer> {
    const taken = Buffer.from(waiting.join(""));
    waiting = [];
    waitingLength = 0;
    return taken;
  }

  function tellDropped(): void {
    const lines = dropped;
    dropped = 0;
    onDropped(lines);
  }

  /** Writes the last lines before the process ends, as far as they can be written. */
  function flush(): void {
    clearInterval(timer);
    process.off("exit", flush);
    let rest = isWriting ? takeWaiting() : Buffer.concat([batch, takeWaiting()]);
    const until = performance.now() + busyMs;
    while (rest.length > 0) {
      try {
        rest = rest.subarray(writeSync(descriptor, rest));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "EAGAIN" || performance.now() > until) return;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, busyRetryMs);
      }
    }
  }

  return { write, flush };
}
