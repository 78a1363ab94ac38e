import { isPoint } from "../reader.ts";

/** A point in well-known binary, of either byte order and dialect, with or without a height or a reference system. */
export function pointOf(geometry: unknown): [number, number] | undefined {
  if (!(geometry instanceof Uint8Array) || geometry.length < 21) return undefined;
  const view = new DataView(geometry.buffer, geometry.byteOffset, geometry.byteLength);
  const isLittle = view.getUint8(0) === 1;
  const type = view.getUint32(1, isLittle);
  // ISO counts heights and measures in thousands, PostGIS in the highest bits.
  if ((type & 0x1fff_ffff) % 1_000 !== 1) return undefined;
  const start = (type & 0x2000_0000) === 0 ? 5 : 9;
  if (geometry.length < start + 16) return undefined;
  const [longitude, latitude] = [view.getFloat64(start, isLittle), view.getFloat64(start + 8, isLittle)];
  return isPoint(latitude, longitude) ? [latitude, longitude] : undefined;
}
