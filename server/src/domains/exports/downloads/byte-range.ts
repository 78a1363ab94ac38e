import type { ByteRange } from "../storage/storage.ts";

/** Which bytes a client wants, as it says it (RFC 9110, sections 13 and 14). */
export type WantedBytes = {
  /** Such as `bytes=100-`. */
  range: string | undefined;
  /** The range counts only for the file with this tag. */
  ifRange: string | undefined;
};

type Chosen = { kind: "whole" } | { kind: "part"; part: ByteRange } | { kind: "unsatisfiable" };

/** What of a file to send. Several ranges at once, and what is no range at all, get the whole file. */
export function chooseBytes(
  { range, ifRange }: WantedBytes,
  { sizeBytes, etag }: { sizeBytes: number; etag: string },
): Chosen {
  const [, first, last] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(range ?? "") ?? [];
  if (first === undefined || last === undefined || (first === "" && last === "")) return { kind: "whole" };
  if (ifRange !== undefined && ifRange !== etag) return { kind: "whole" };

  if (first === "") {
    if (Number(last) === 0 || sizeBytes === 0) return { kind: "unsatisfiable" };
    return { kind: "part", part: { start: Math.max(0, sizeBytes - Number(last)), end: sizeBytes - 1 } };
  }
  const start = Number(first);
  const end = last === "" ? sizeBytes - 1 : Math.min(Number(last), sizeBytes - 1);
  if (last !== "" && Number(last) < start) return { kind: "whole" };
  return start < sizeBytes ? { kind: "part", part: { start, end } } : { kind: "unsatisfiable" };
}

/** Whether the client proves, by the tag of the file, that it has the beginning already. */
export function isResumption({ range, ifRange }: WantedBytes, etag: string): boolean {
  return ifRange === etag && /^bytes=[1-9]\d*-/.test(range ?? "");
}
