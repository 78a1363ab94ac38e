/** Wakes one waiter; a signal without a waiter wakes the next one at once. */
export function createWakeSignal() {
  let isSignaled = false;
  let wake: (() => void) | undefined;

  return {
    signal() {
      isSignaled = true;
      wake?.();
    },
    async wait(timeoutMs: number): Promise<void> {
      if (!isSignaled) {
        const { promise, resolve } = Promise.withResolvers<void>();
        wake = resolve;
        const timer = setTimeout(resolve, timeoutMs);
        await promise;
        clearTimeout(timer);
        wake = undefined;
      }
      isSignaled = false;
    },
  };
}
