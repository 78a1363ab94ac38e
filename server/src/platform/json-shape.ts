/** How much structure a JSON text may have: what it costs to parse grows with that, and hardly with its bytes. */
export type ShapeLimits = {
  /** Lists and objects together. */
  containersMax: number;
  depthMax: number;
  keysMax: number;
};

/**
 * Why JSON would take long to parse: undefined when it would not. Brackets inside of texts count too: there are few.
 * Reading a megabyte takes a millisecond or two.
 */
export function excessIn(
  body: Buffer,
  { containersMax, depthMax, keysMax }: ShapeLimits,
): "too nested" | "too many keys" | undefined {
  let containers = 0;
  let depth = 0;
  let keys = 0;
  for (let index = 0; index < body.length; index += 1) {
    const byte = body[index];
    if (byte === openBracket || byte === openBrace) {
      containers += 1;
      depth += 1;
      if (containers > containersMax || depth > depthMax) return "too nested";
    } else if (byte === closeBracket || byte === closeBrace) depth -= 1;
    else if (byte === colon && body[index - 1] === quote) {
      keys += 1;
      if (keys > keysMax) return "too many keys";
    }
  }
  return undefined;
}

const [openBracket, closeBracket, openBrace, closeBrace, colon, quote] = [0x5b, 0x5d, 0x7b, 0x7d, 0x3a, 0x22];
