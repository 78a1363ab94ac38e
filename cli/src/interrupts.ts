/** How long the same Ctrl-C may take to arrive by the other way. */
const echoMs = 500;

/**
 * Hears of Ctrl-C and SIGTERM; a second one ends the process at once. One that comes right after the first is the first
 * again: the terminal sends Ctrl-C to the launcher too, which passes it on. Returns how to stop hearing; after an
 * interruption nothing stops it, so that the command can say how it ended.
 */
export function onInterrupt(handle: () => void): () => void {
  let heardAt: number | undefined;

  function hear(signal: NodeJS.Signals) {
    if (heardAt === undefined) {
      heardAt = performance.now();
      handle();
    } else if (performance.now() - heardAt > echoMs) {
      stop();
      process.kill(process.pid, signal);
    }
  }

  function stop() {
    process.off("SIGINT", hear).off("SIGTERM", hear);
  }

  process.on("SIGINT", hear).on("SIGTERM", hear);
  return () => {
    if (heardAt === undefined) stop();
  };
}
