const lineMs = 10_000;

/** A line that redraws itself on a terminal; elsewhere each new state once, and now and then. On standard error. */
export function createProgressLine(stream = process.stderr) {
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
