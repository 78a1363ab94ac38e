import { timerMsMax } from "./retry.ts";

/** A deadline that moves on while something comes. */
export type IdleWatch = ReturnType<typeof createIdleWatch>;

export function createIdleWatch(outer: AbortSignal | undefined) {
  const controller = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let allowedMs = 0;

  /** From now on so long; without an end when it is longer than a timer runs. */
  function allow(ms: number) {
    clearTimeout(timer);
    allowedMs = ms;
    timer = ms > timerMsMax ? undefined : setTimeout(() => controller.abort(), ms);
  }

  const signal = outer ? AbortSignal.any([outer, controller.signal]) : controller.signal;

  /** Ends a wait with the signal: Node 20 leaves a read pending when it is aborted after the last byte has come. */
  function end<Result>(step: Promise<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      const stop = () => reject(signal.reason);
      if (signal.aborted) stop();
      signal.addEventListener("abort", stop, { once: true });
      void step.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
    });
  }

  return {
    outer,
    signal,
    allow,
    end,
    stop: () => clearTimeout(timer),
    /** How long was allowed, when it was too long; undefined when it was not. */
    exceededMs: () => (controller.signal.aborted ? allowedMs : undefined),
  };
}
