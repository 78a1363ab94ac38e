const sizeMax = 512;
const plain = /^[\x20-\x7e]$/;

/** A text as a display string of RFC 9651, in ASCII and no longer than headers should be. */
export function displayString(text: string): string {
  let written = '%"';
  for (const character of text) {
    const isPlain = plain.test(character) && character !== "%" && character !== '"';
    const escaped = isPlain ? character : Array.from(Buffer.from(character), percent).join("");
    if (written.length + escaped.length + 1 > sizeMax) break;
    written += escaped;
  }
  return `${written}"`;
}

function percent(byte: number): string {
  return `%${byte.toString(16).padStart(2, "0")}`;
}
