import type { Static } from "typebox";
import { type IdPrefix, idPattern } from "../ids.ts";
import { Type } from "../schema.ts";

/** What the deletion of a thing answers. */
export const deleted = (prefix: IdPrefix) =>
  Type.Object(
    { id: Type.String({ pattern: idPattern(prefix) }), deleted: Type.Literal(true) },
    { additionalProperties: false },
  );
export type Deleted = Static<ReturnType<typeof deleted>>;
