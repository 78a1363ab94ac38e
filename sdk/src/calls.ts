import type { CreateOptions } from "./options.ts";

/** A path with an id in it. An id that is none would reach another route. */
export function pathOf(collection: string, id: string, rest = ""): string {
  if (typeof id !== "string" || !/^\w+$/.test(id)) throw new TypeError(`${JSON.stringify(id)} is not an id.`);
  return `${collection}/${id}${rest}`;
}

export function idempotencyKeyOf({ idempotencyKey }: CreateOptions = {}): string {
  if (idempotencyKey === undefined) return crypto.randomUUID();
  if (!/^[\u0021-\u007e]{16,128}$/.test(idempotencyKey)) {
    throw new TypeError("idempotencyKey must be 16 to 128 printable ASCII characters without space.");
  }
  return idempotencyKey;
}
