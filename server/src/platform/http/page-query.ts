import type { Static } from "typebox";
import { Type } from "../schema.ts";
import type { PageRequest } from "../pages.ts";

export const pageDefault = 25;

/** What the text of `limit` stands for. The API reference tells it, because clients are generated from that. */
export const limitValue = { type: "integer", minimum: 1, maximum: 100 } as const;

/** The query parameters of a list. Both arrive as text; nothing is coerced by the framework. */
export const pageParameters = {
  limit: Type.Optional(
    Type.String({
      pattern: "^(?:[1-9][0-9]?|100)$",
      description: `a whole number from 1 to 100; ${pageDefault} when absent`,
    }),
  ),
  cursor: Type.Optional(
    Type.String({ minLength: 1, maxLength: 512, description: "the next_cursor of the page before" }),
  ),
};

export const PageQuery = Type.Object(pageParameters, { additionalProperties: false });
export type PageQuery = Static<typeof PageQuery>;

export function readPage({ limit, cursor }: PageQuery): PageRequest {
  return { limit: limit === undefined ? pageDefault : Number(limit), cursor };
}
