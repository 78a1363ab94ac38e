import { join } from "node:path";
import type { TestContext } from "node:test";
import { createFollowing } from "../src/place-index/file/follow.ts";
import { openIndexFolder } from "../src/place-index/file/folder.ts";
import type { PlaceIndex } from "../src/place-index/port.ts";
import { openReader, placeIndexOf } from "../src/place-index/reader.ts";
import { silentLog } from "../src/platform/log.ts";
import type { Reads } from "../src/platform/postgres/replica-reads.ts";
import { makeTempFolder, removeFolder } from "./temp-folder.ts";

/** The index of a catalog in this thread, which is brought up to date before each question. */
export async function givenPlaceIndex(t: Pick<TestContext, "after">, db: Reads): Promise<PlaceIndex> {
  const path = await makeTempFolder();
  const folder = openIndexFolder(join(path, "index"));
  const following = createFollowing({ folder, db, log: silentLog, report: () => undefined });
  const stop = new Int32Array(new SharedArrayBuffer(4));
  let opened: { name: string; reader: ReturnType<typeof openReader> } | undefined;
  let stepping = Promise.resolve();
  t.after(async () => {
    await stepping;
    opened?.reader.close();
    following.close();
    await removeFolder(path);
  });

  function currentReader(): ReturnType<typeof openReader> {
    const name = folder.current();
    if (name === undefined) throw new Error("The catalog has no places.");
    if (opened?.name !== name) {
      opened?.reader.close();
      opened = { name, reader: openReader(folder.pathOf(name)) };
    }
    return opened.reader;
  }

  return placeIndexOf(async (ask, { signal, until }) => {
    signal.throwIfAborted();
    const step = stepping.then(() => following.step(signal));
    stepping = step.catch(() => undefined);
    await step;
    return currentReader().answer(ask, { until, stop });
  });
}
