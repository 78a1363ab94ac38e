import type { FastifyReply } from "fastify";

const pools = [32, 64, 128].map((kilobytes) => ({ size: kilobytes * 1024, free: [] as Buffer[] }));
const freeBytesMax = 4 * 1024 * 1024;

/**
 * A buffer for the body of one answer, to be filled to its end. It serves another answer once this one has left:
 * with new memory for each, V8 marked its whole heap after every thousand answers of 41 kB.
 */
export function answerBuffer({ raw, request }: FastifyReply, bytes: number): Buffer {
  // At most twice as long as its answer, so that the bound on unread answers bounds the memory that they hold.
  const pool = pools.find(({ size }) => bytes > size / 2 && bytes <= size);
  if (!pool) return Buffer.allocUnsafe(bytes);
  const { size, free } = pool;
  const buffer = free.pop() ?? Buffer.allocUnsafeSlow(size);
  raw.once("finish", () => {
    if (!request.socket.destroyed && free.length * size < freeBytesMax) free.push(buffer);
  });
  return buffer.subarray(0, bytes);
}
