import { pino } from "pino";

export type LogLevel = "debug" | "info" | "warn" | "error" | "silent";

/** What the parts of the service may say; pino is one that fits. */
export type Log = {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
};

export const silentLog: Log = { debug() {}, info() {}, warn() {}, error() {} };

/**
 * JSON lines on standard error; standard output belongs to the people who start the service.
 * Lines are written in batches, off the path of the request they tell of.
 */
export function createLog(level: LogLevel): { log: Log; flush(): void } {
  const destination = pino.destination({ dest: 2, sync: false, minLength: 4096 });
  const log = pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    destination,
  );
  const timer = setInterval(() => destination.flush(), 250);
  timer.unref();

  function flush() {
    clearInterval(timer);
    destination.flushSync();
  }

  return { log, flush };
}
