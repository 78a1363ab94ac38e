/** The character encoding that a `Content-Type` or the head of a page names. */
export function charsetIn(text: string): string | undefined {
  return /charset\s{0,3}=\s{0,3}["']?\s{0,3}([\w.:-]{1,40})/i.exec(text)?.[1];
}

/** The text of bytes in an encoding, without a byte order mark. */
export function decodeAs(label: string, bytes: Buffer): string {
  try {
    return new TextDecoder(label).decode(bytes);
  } catch {
    return new TextDecoder("utf-8").decode(bytes); // an encoding that nobody has heard of
  }
}
