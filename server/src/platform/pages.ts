import { createHmac, timingSafeEqual } from "node:crypto";
import { InvalidRequest } from "./errors.ts";

/** How many items of a list a caller wants, and from where on. */
export type PageRequest = { limit: number; cursor?: string | undefined };

/** One page of a list, and where the next begins. */
export class ListPage<Item> {
  readonly items: readonly Item[];
  readonly nextCursor: string | null;

  constructor(items: readonly Item[], nextCursor: string | null) {
    this.items = items;
    this.nextCursor = nextCursor;
  }
}

const macBytes = 16;

/**
 * Opaque marks of how far a list has been read. A mark is signed and bound to one list, so that a
 * client can neither make one up nor use it elsewhere.
 */
export function createCursors(secret: string) {
  // A key of its own: the secret also serves other purposes, and no signature may serve two.
  const key = createHmac("sha256", secret).update("list cursors").digest();

  function write(list: string, position: string): string {
    const text = Buffer.from(position, "utf8");
    return Buffer.concat([sign(list, text), text]).toString("base64url");
  }

  /** The position a cursor of this list stands for. */
  function read(list: string, cursor: string): string {
    const bytes = Buffer.from(cursor, "base64url");
    const mac = bytes.subarray(0, macBytes);
    const text = bytes.subarray(macBytes);
    // Comparing the text as well: base64 has several spellings of the same bytes.
    const isOurs =
      mac.length === macBytes && bytes.toString("base64url") === cursor && timingSafeEqual(mac, sign(list, text));
    if (!isOurs) {
      throw InvalidRequest(
        { what: "The query parameters are invalid" },
        { details: ["query /cursor: must be a next_cursor of this very list"] },
      );
    }
    return text.toString("utf8");
  }

  function sign(list: string, text: Buffer): Buffer {
    return createHmac("sha256", key).update(list).update("\0").update(text).digest().subarray(0, macBytes);
  }

  /** The position that a page begins after; undefined for the first page. */
  function positionBefore(list: string, { cursor }: PageRequest): string | undefined {
    return cursor === undefined ? undefined : read(list, cursor);
  }

  /** Makes a page of what was found when one item more than the limit was looked for. */
  function page<Item>(list: string, found: readonly Item[], limit: number, positionOf: (item: Item) => string) {
    const items = found.slice(0, limit);
    const last = found.length > limit ? items.at(-1) : undefined;
    return new ListPage(items, last === undefined ? null : write(list, positionOf(last)));
  }

  return { write, read, positionBefore, page };
}

export type Cursors = ReturnType<typeof createCursors>;
