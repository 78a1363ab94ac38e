import { isUtf8 } from "node:buffer";
import { charsetIn, decodeAs } from "../../platform/net/charset.ts";

/** The text of a page: by its byte order mark, its header, its own word, or its looks. */
export function decodeText(bytes: Buffer, contentType: string): string {
  const label = markOf(bytes) ?? charsetIn(contentType) ?? ownWordOf(bytes);
  const text = decodeAs(label ?? (isUtf8(bytes) ? "utf-8" : "windows-1252"), bytes);
  return label !== undefined && /^utf-?8$/i.test(label) && isMisread(text) ? decodeAs("windows-1252", bytes) : text;
}

/** A page that says UTF-8 and is Latin-1: more of its characters cannot be read than are beyond ASCII. One may be broken. */
function isMisread(text: string): boolean {
  const beyondAscii = text.match(/[^\x00-\x7f]/g) ?? []; // oxlint-disable-line no-control-regex -- the range is ASCII
  const unread = beyondAscii.filter((character) => character === "\ufffd").length;
  return unread * 2 > beyondAscii.length;
}

/** What a page says of itself. One whose word can be read byte by byte is not UTF-16, whatever it says (WHATWG). */
function ownWordOf(bytes: Buffer): string | undefined {
  const label = charsetIn(bytes.subarray(0, 2048).toString("latin1"));
  return label !== undefined && /^(utf-?16|unicode|ucs-2|iso-10646-ucs-2|csunicode)/i.test(label) ? undefined : label;
}

function markOf(bytes: Buffer): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return "utf-8";
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  return bytes[0] === 0xfe && bytes[1] === 0xff ? "utf-16be" : undefined;
}
