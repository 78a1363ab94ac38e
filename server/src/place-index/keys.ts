import { hash } from "node:crypto";
import { type KeyType, keyTypes } from "./schema.ts";
import type { FoundByKey } from "./terms.ts";

/** 50 bits of a hash of the text, and the type. Of ten million texts hardly two share one by chance. */
export function keyOf({ type, text }: FoundByKey): number {
  const bytes = hash("md5", text, "buffer");
  const number = bytes.readUIntBE(0, 6) * 4 + ((bytes[6] ?? 0) & 3);
  return number * keyTypes.length + keyTypes.indexOf(type);
}

export function typeOfKey(key: number): KeyType {
  return keyTypes[key % keyTypes.length] ?? "name";
}
