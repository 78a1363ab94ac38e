/** The longest that a source may ask us to stay away. */
export const restSecondsMax = 3600;

/**
 * How long an answer asks us to stay away, in seconds; undefined when its `Retry-After` does not say. A
 * date counts from the answer's own, so that a clock that differs from ours does not matter.
 */
export function retryAfterIn(headers: Readonly<Record<string, string>>, now: Date): number | undefined {
  const text = headers["retry-after"]?.trim() ?? "";
  if (/^\d{1,9}$/.test(text)) return restWithin(Number(text));
  const until = dateIn(text);
  if (until === undefined) return undefined;
  return restWithin((until - (dateIn(headers["date"]) ?? now.getTime())) / 1000);
}

/** Within what a source may ask for, and at least a second. */
export function restWithin(seconds: number): number {
  return Math.min(Math.max(Math.ceil(seconds), 1), restSecondsMax);
}

/** HTTP dates end in GMT; what else `Date.parse` takes for a date is none. */
function dateIn(text = ""): number | undefined {
  const time = /^[A-Z][a-z]+, .* GMT$/.test(text.trim()) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}
