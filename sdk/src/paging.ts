import type { CallOptions } from "./options.ts";
import { listPage } from "./shape.ts";
import type { Transport } from "./transport.ts";
import type { ListPage } from "./types.ts";

/** A list that is read page by page: iterate over it for every item, or over `pages()`. Each iteration starts over. */
export type Paged<Item, Page> = AsyncIterable<Item> & {
  /** Reads one page: the first, or the one of the cursor given. */
  page(): Promise<Page>;
  /** Reads the pages one after the other, from the same one on. */
  pages(): AsyncIterable<Page>;
};

type Reader<Item, Page> = {
  read(cursor: string | undefined): Promise<Page>;
  items(page: Page): readonly Item[];
  /** The cursor to go on with; null at the end. May wait until going on makes sense. */
  next(page: Page): Promise<string | null> | string | null;
};

export function paged<Item, Page>(first: string | undefined, reader: Reader<Item, Page>): Paged<Item, Page> {
  async function* pages() {
    let cursor: string | null | undefined = first;
    do {
      const page: Page = await reader.read(cursor);
      yield page;
      cursor = await reader.next(page);
    } while (cursor !== null);
  }

  return {
    page: () => reader.read(first),
    pages,
    async *[Symbol.asyncIterator]() {
      for await (const page of pages()) yield* reader.items(page);
    },
  };
}

export type ListOptions = CallOptions & { limit?: number | undefined; cursor?: string | undefined };
type Filters = Record<string, string | undefined>;

/** A list of the API, whose pages all have one shape. */
export function listOf<Item>(
  send: Transport["send"],
  path: string,
  options: ListOptions,
  filters: Filters = {},
): Paged<Item, ListPage<Item>> {
  const { limit } = options;
  return paged(options.cursor, {
    read(cursor) {
      const query = { ...filters, limit, cursor };
      return send<ListPage<Item>>({ method: "GET", path, query, answer: listPage, options });
    },
    items: ({ data }) => data,
    next: ({ pagination }) => pagination.next_cursor,
  });
}
