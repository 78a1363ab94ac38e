import * as kinds from "../../../kinds/index.ts";
import { termsOf } from "../../../languages/index.ts";

/** Our category for one of Overture's, as near as there is one. */
export function categoryOfOverture(overtureId: string): string | undefined {
  return kinds.categoryOfOverture(overtureId, inEnglish);
}

/** Whether our category says what Overture's says, so that it can stand for it. */
export function isKnownOverture(overtureId: string): boolean {
  return kinds.isKnownOverture(overtureId, inEnglish);
}

function inEnglish(phrase: string): readonly string[] | undefined {
  return termsOf("en").get(phrase);
}
