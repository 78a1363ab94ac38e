import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { makeTempFolder, removeFolder } from "../../test/temp-folder.ts";
import { createScratchFile } from "./scratch-file.ts";

test("what was appended is read again, in whole and in part, from a file that nobody else finds", async (t) => {
  const { file, folder } = await givenFile(t, { bytesMax: 100 });

  const first = await append(file, "coffee");
  const second = await append(file, "bakery");

  assert.equal(read(file, first, 6), "coffee");
  assert.equal(read(file, second, 6), "bakery");
  assert.equal(read(file, second + 2, 3), "ker");
  assert.equal(file.bytes(), 12);
  assert.deepEqual(await readdir(folder), []);
});

test("the oldest gives way, and what gave way is not taken for what lies there now", async (t) => {
  const { file } = await givenFile(t, { bytesMax: 10 });
  const first = await append(file, "aaaa");
  const second = await append(file, "bbbb");
  assert.equal(read(file, first, 4), "aaaa");
  assert.equal(file.isFull(), false);

  const third = await append(file, "cccc");

  assert.equal(file.isFull(), true);
  assert.equal(file.has(first), false);
  assert.equal(read(file, first, 4), undefined);
  assert.equal(read(file, second, 4), "bbbb");
  assert.equal(read(file, third, 4), "cccc");
  assert.ok(file.bytes() <= 10);
});

test("what is as long as the file may be is kept, what is longer is not", async (t) => {
  const { file } = await givenFile(t, { bytesMax: 10 });

  assert.equal(read(file, await append(file, "0123456789"), 10), "0123456789");
  assert.equal(await file.append(Buffer.from("0123456789a")), undefined);
});

test("it does not grow where too little would be left of the disk", async (t) => {
  const { file: scarce } = await givenFile(t, { bytesMax: 100, freeBytes: () => Promise.resolve(399) });
  const { file: enough } = await givenFile(t, { bytesMax: 100, freeBytes: () => Promise.resolve(400) });

  assert.equal(await scarce.append(Buffer.alloc(10)), undefined);
  assert.equal(scarce.bytes(), 0);
  assert.equal(await enough.append(Buffer.alloc(10)), 0);
});

test("after a failure it holds nothing, and is not taken for full", async (t) => {
  let isBroken = false;
  const freeBytes = async () => {
    if (isBroken) throw new Error("The disk is gone.");
    return Number.MAX_SAFE_INTEGER;
  };
  const { file } = await givenFile(t, { bytesMax: 64 * 1024 * 1024, freeBytes });
  const position = await append(file, "coffee");

  isBroken = true;
  assert.equal(await file.append(Buffer.alloc(17 * 1024 * 1024)), undefined);

  assert.equal(read(file, position, 6), undefined);
  assert.deepEqual([file.has(position), file.isFull(), file.bytes()], [false, false, 0]);
});

test("in a folder that cannot be written nothing is kept, and nothing fails", async (t) => {
  const { folder } = await givenFile(t, { bytesMax: 100 });
  const file = createScratchFile({ folder: join(folder, "no\0folder"), bytesMax: 100 });

  assert.equal(await file.append(Buffer.from("coffee")), undefined);
  assert.equal(file.read(0, Buffer.alloc(6)), false);
});

test("a disk that answers late is asked no more for a while", async (t) => {
  const { file } = await givenFile(t, { bytesMax: 100, slowMs: -1 });
  const position = await append(file, "coffee");

  assert.equal(read(file, position, 6), "coffee");
  assert.equal(read(file, position, 6), undefined);
  assert.equal(await file.append(Buffer.from("bakery")), undefined);
});

async function givenFile(t: TestContext, options: Omit<Parameters<typeof createScratchFile>[0], "folder">) {
  const folder = await makeTempFolder();
  const file = createScratchFile({ folder, ...options });
  t.after(async () => {
    await file.close();
    await removeFolder(folder);
  });
  return { file, folder };
}

async function append(file: ReturnType<typeof createScratchFile>, text: string): Promise<number> {
  const position = await file.append(Buffer.from(text));
  assert.ok(position !== undefined);
  return position;
}

function read(file: ReturnType<typeof createScratchFile>, position: number, length: number): string | undefined {
  const target = Buffer.alloc(length);
  return file.read(position, target) ? target.toString() : undefined;
}
