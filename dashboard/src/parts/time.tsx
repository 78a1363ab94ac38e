const relative = new Intl.RelativeTimeFormat(undefined, { numeric: "auto" });
const whole = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });

const units: [Intl.RelativeTimeFormatUnit, number][] = [
  ["year", 31_536_000],
  ["month", 2_592_000],
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
  ["second", 1],
];

/** How long ago, with the exact time on hover. */
export function Time({ at, none = "never" }: { at: string | null | undefined; none?: string }) {
  if (!at) return <span className="faint">{none}</span>;
  const date = new Date(at);
  return (
    <time dateTime={at} title={whole.format(date)}>
      {ago(date)}
    </time>
  );
}

function ago(date: Date): string {
  const seconds = (date.getTime() - Date.now()) / 1_000;
  const [unit, size] = units.find(([, length]) => Math.abs(seconds) >= length) ?? (["second", 1] as const);
  return relative.format(Math.round(seconds / size), unit);
}
