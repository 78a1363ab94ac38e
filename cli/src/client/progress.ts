import { orSay } from "../failures.ts";

const lineMs = 10_000;

type Watched<Thing> = {
  wait(onUpdate: (thing: Thing) => void): Promise<Thing>;
  line(thing: Thing): string;
  /** How to come back to it when the wait fails. */
  goesOn: string;
  /** Whether it is known to be there before it has been read. */
  isKnown: boolean;
  /** With --json, standard error has nothing but the error. */
  isQuiet: boolean;
};

/** Waits for the end of something with a line that shows how it stands. */
export async function watch<Thing>({ wait, line, goesOn, isKnown, isQuiet }: Watched<Thing>): Promise<Thing> {
  const progress = createProgressLine();
  let isThere = isKnown;
  try {
    return await orSay(
      () => (isThere ? goesOn : undefined),
      () =>
        wait((thing) => {
          isThere = true;
          if (!isQuiet) progress.show(line(thing));
        }),
    );
  } finally {
    progress.done();
  }
}

/** A line that redraws itself on a terminal; elsewhere each new state once, and now and then. On standard error. */
function createProgressLine(stream = process.stderr) {
  let last = "";
  let printedAt = 0;

  function show(line: string) {
    if (stream.isTTY) {
      stream.write(`\r\u001b[2K${line}`);
    } else if (line !== last || performance.now() - printedAt > lineMs) {
      stream.write(`${line}\n`);
      printedAt = performance.now();
    }
    last = line;
  }

  function done() {
    if (stream.isTTY && last) stream.write("\r\u001b[2K");
    last = "";
  }

  return { show, done };
}
