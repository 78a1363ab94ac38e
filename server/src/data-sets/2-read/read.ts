import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import type { AreaRecord, RecordItem, PlaceRecord } from "../../places/record.ts";
import type { ReadOptions } from "./reader.ts";

type AnyReader<Options> = (path: string, options: Options) => AsyncGenerator<RecordItem, void, undefined>;

/** Puts bytes into a file and reads it, in a test. */
export async function read<Options extends ReadOptions>(
  t: TestContext,
  reader: AnyReader<Options>,
  content: Buffer | string,
  options: Partial<Options> = {},
) {
  return readFile(reader, await temporaryFile(t, content), options);
}

export async function readFile<Options extends ReadOptions>(
  reader: AnyReader<Options>,
  path: string,
  options: Partial<Options> = {},
) {
  const places: PlaceRecord[] = [];
  const areas: AreaRecord[] = [];
  const whole = { signal: new AbortController().signal, ...options } as Options; // a signal is all a reader must have
  for await (const item of reader(path, whole)) {
    if ("place" in item) places.push(item.place);
    else areas.push(item.area);
  }
  return { places, areas };
}

export async function temporaryFile(t: TestContext, content: Buffer | string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "waypost-import-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, "file");
  await writeFile(path, content);
  return path;
}
