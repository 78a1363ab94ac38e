import { useSyncExternalStore } from "react";

const tickMs = 10_000;
/** English, as the sentences around it. */
const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
const whole = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });

const units: [Intl.RelativeTimeFormatUnit, number][] = [
  ["year", 31_536_000],
  ["month", 2_592_000],
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
  ["second", 1],
];

/** How long ago, as time goes by, with the exact time on hover. No live region tells that a moment is longer ago. */
export function Time({ at, none = "never" }: { at: string | null | undefined; none?: string }) {
  useSyncExternalStore(onTick, () => ticks);
  if (!at) return <span className="faint">{none}</span>;
  const date = new Date(at);
  return (
    <time dateTime={at} title={whole.format(date)} aria-live="off">
      {ago(date)}
    </time>
  );
}

function ago(date: Date): string {
  const seconds = (date.getTime() - Date.now()) / 1_000;
  const [unit, size] = units.find(([, length]) => Math.abs(seconds) >= length) ?? (["second", 1] as const);
  return relative.format(Math.round(seconds / size), unit);
}

let ticks = 0;
let timer: ReturnType<typeof setInterval> | undefined;
const listeners = new Set<() => void>();

/** One clock for all times of a page. */
function onTick(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    ticks += 1;
    for (const each of listeners) each();
  }, tickMs);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}
