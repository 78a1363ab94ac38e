import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { createOutbound } from "../../../platform/net/outbound.ts";
import { extentOfBoxes } from "../../../geography/extent.ts";
import { startHttp } from "../../../../test/local-servers.ts";
import { detectFormat, readItems } from "../../2-read/index.ts";
import { fetchParts, planParts } from "./parts.ts";
import { groupsTouching, openRemoteTable } from "./remote-table.ts";

const fixtures = new URL("../../2-read/parquet/fixtures/", import.meta.url);
const wholeEarth = extentOfBoxes([[-90, -180, 90, 180]]);

test("files of every writer say the same when their row groups are fetched as files of their own", async (t) => {
  const names = (await readdir(fixtures)).filter((name) => name.endsWith(".parquet"));
  const { port } = await startHttp(t, ({ url = "", headers }, response) => {
    const content = readFileSync(new URL(`.${url}`, fixtures));
    const [, first = "", last = ""] = /^bytes=(\d*)-(\d*)$/.exec(headers.range ?? "") ?? [];
    const from = first === "" ? content.length - Number(last) : Number(first);
    const part = content.subarray(from, first === "" ? content.length : Number(last) + 1);
    const range = `bytes ${from}-${from + part.length - 1}/${content.length}`;
    response.writeHead(206, { ETag: '"1"', "Content-Range": range }).end(part);
  });
  const outbound = createOutbound({ allow: ["127.0.0.0/8"] });
  t.after(() => outbound.close());
  const { signal } = new AbortController();
  const fetching = { outbound, signal, progress: () => undefined };

  assert.ok(names.length > 60);
  for (const name of names) {
    const folder = await mkdtemp(join(tmpdir(), "waypost-parts-"));
    t.after(() => rm(folder, { recursive: true, force: true }));
    const table = await openRemoteTable(`http://127.0.0.1:${port}/${name}`, fetching);
    const parts = planParts([{ table, groups: groupsTouching(table, wholeEarth) }]);
    const items: object[] = [];
    for await (const { path, format } of fetchParts(parts, folder, fetching))
      items.push(...(await itemsOf(path, format)));

    const path = new URL(name, fixtures).pathname;
    assert.deepEqual(items, await itemsOf(path, await detectFormat(path)), name);
  }

  async function itemsOf(path: string, format: Parameters<typeof readItems>[1]): Promise<object[]> {
    const items: object[] = [];
    for await (const item of readItems(path, format, { signal, dataSet: "parts" })) items.push(item);
    return items;
  }
});
