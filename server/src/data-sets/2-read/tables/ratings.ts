import type { PlaceRecord } from "../../../places/record.ts";
import type { Columns, Values } from "./columns.ts";

type Ratings = Pick<PlaceRecord["details"], "rating" | "reviewCount" | "priceRange">;

const starsMax = 5;
const priceCharactersMax = 128;

/** What a table says of ratings and prices. Null where it has the column and says nothing: it is absent, not unsupported. */
export function ratingsOf(values: Values, columns: Columns): Ratings {
  const { rating, reviewCount, priceRange } = values;
  const has = (field: keyof Ratings & keyof Columns) => field in columns || values[field] !== undefined;
  return {
    ...(has("rating") ? { rating: starsIn(rating) } : {}),
    ...(has("reviewCount") ? { reviewCount: countIn(reviewCount) } : {}),
    ...(has("priceRange") ? { priceRange: priceRange?.trim().slice(0, priceCharactersMax) || null } : {}),
  };
}

function starsIn(text = ""): number | null {
  const stars = /^\d(?:[.,]\d{1,6})?$/.test(text.trim()) ? Number(text.trim().replace(",", ".")) : Number.NaN;
  return stars <= starsMax ? stars : null;
}

/** `1204`, `1,204`, `1204.0`; a group has three digits. */
function countIn(text = ""): number | null {
  const digits = text.trim().replace(/\.0$/, "");
  if (!/^\d{1,12}$|^\d{1,3}(?:[,.'\u2019\u00a0 ]\d{3}){1,3}$/.test(digits)) return null;
  return Number(digits.replaceAll(/\D/g, ""));
}
