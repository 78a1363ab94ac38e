import { openIndexFolder } from "./folder.ts";

/** The file that the searches of this machine read, for one command; undefined where there is none yet. */
export async function openCurrent(indexFolder: string) {
  const folder = openIndexFolder(indexFolder);
  const name = folder.current();
  if (name === undefined) return undefined;
  // The code of searches, which no other command needs.
  const { openReader, placeIndexOf } = await import("../reader.ts");
  const reader = openReader(folder.pathOf(name));
  const stop = new Int32Array(new SharedArrayBuffer(4));
  const index = placeIndexOf(async (ask, { until, signal }) => {
    signal.throwIfAborted();
    return reader.answer(ask, { until, stop });
  });
  return { index, close: () => reader.close() };
}
