import { styleText } from "node:util";
import { pino } from "pino";
import { createLogDestination } from "./log-destination.ts";

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
 * Lines on standard error, for people when it is a terminal and as JSON otherwise; standard output
 * belongs to the people who start the service.
 */
export function createLog(level: LogLevel, isTerminal = process.stderr.isTTY): { log: Log; flush(): void } {
  const options = {
    level,
    base: null,
    timestamp: createTimestamp(),
    formatters: { level: (label: string) => ({ level: label }) },
  };
  if (isTerminal) {
    const write = (line: string) => void process.stderr.write(`${readableLine(line)}\n`);
    return { log: pino(options, { write }), flush() {} };
  }
  const destination = createLogDestination(2, {
    onDropped: (lines) => log.warn({ lines }, "log.lines_dropped"),
  });
  const log = pino(options, destination);
  return { log, flush: destination.flush };
}

/** The time as pino writes it. Lines of the same millisecond share the text, which takes 1.3 µs to make. */
function createTimestamp(): () => string {
  let writtenAt = Number.NaN;
  let text = "";
  return () => {
    const now = Date.now();
    if (now !== writtenAt) text = `,"time":"${new Date(now).toISOString()}"`;
    writtenAt = now;
    return text;
  };
}

const colors = { debug: "gray", info: "green", warn: "yellow", error: "red" } as const;

/** A line of JSON as a person reads it: time of day, level, what happened, and the fields that are not empty. */
export function readableLine(line: string, isColored = true): string {
  const { level, time, msg, err, ...fields } = JSON.parse(line) as Record<string, unknown>;
  const label = String(level) as keyof typeof colors;
  const rest = Object.entries(fields).map(([name, value]) => `${name}=${shown(value)}`);
  const error = err as { stack?: string; message?: string } | undefined;
  const cause = error ? `\n    ${escapeControls(error.stack ?? error.message ?? "")}` : "";
  const painted = isColored && label in colors ? styleText(colors[label], label.padEnd(5)) : label.padEnd(5);
  return `${String(time).slice(11, 23)} ${painted} ${escapeControls(String(msg))} ${rest.join(" ")}`.trimEnd() + cause;
}

function shown(value: unknown): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return /^[\w./:@+-]*$/.test(text) ? text : escapeControls(JSON.stringify(value));
}

/** Text of strangers must not act on the terminal that shows it; line breaks of a stack stay. */
function escapeControls(text: string): string {
  return text.replaceAll(
    /[^\P{Cc}\n]|\p{Bidi_Control}/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
