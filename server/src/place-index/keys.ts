import { hash } from "node:crypto";
import type { FoundByKey } from "./terms.ts";

/** 52 bits of a hash of type and text. Of ten million keys hardly two share one by chance. */
export function keyOf({ type, text }: FoundByKey): number {
  const bytes = hash("md5", `${type} ${text}`, "buffer");
  return bytes.readUIntBE(0, 6) * 16 + ((bytes[6] ?? 0) & 15);
}
