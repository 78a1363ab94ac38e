import * as kinds from "../../../kinds/index.ts";
import { termsOf } from "../../../languages/index.ts";

/** Our kind for one of Overture's, as near as there is one. */
export function kindOfOverture(overtureId: string): kinds.OvertureKind | undefined {
  return kinds.kindOfOverture(overtureId, (phrase) => termsOf("en").get(phrase));
}
