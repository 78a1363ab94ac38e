/** Whoever read the output has left, as `head` does: no failure, but nothing more is wanted. */
export class ReaderGone extends Error {}

const lost = new AbortController();

/** Aborted when standard output takes nothing more. */
export const outputLost: AbortSignal = lost.signal;

// A stream's error is thrown unless somebody listens; `console.log` listens and forgets it.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  const message = `The output cannot be written: ${error.message}. What the command did is done, and what it had to say is lost.`;
  lost.abort(error.code === "EPIPE" ? new ReaderGone() : new Error(message, { cause: error }));
});
process.stderr.on("error", () => undefined);

/** Resolves when everything printed has been taken; rejects when it could not be. */
export async function flushOutput(): Promise<void> {
  await new Promise<void>((resolve) => process.stdout.write("", () => setImmediate(resolve)));
  if (outputLost.aborted && !(outputLost.reason instanceof ReaderGone)) throw outputLost.reason;
}
