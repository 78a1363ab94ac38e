import assert from "node:assert/strict";
import { test } from "node:test";
import { readCsv } from "./tables/csv.ts";
import { detectFormat } from "./detect.ts";
import { readGeoJson } from "./geojson/geojson.ts";
import { read, readFile, temporaryFile } from "./read.ts";

test("a table is read in the encoding it has, and nothing of it becomes a replacement character", async (t) => {
  const text = "name;lat;lon\nCafé Müller;47,1;9,5\n";
  const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, "utf16le")]);
  for (const content of [Buffer.from(text), Buffer.from(text, "latin1"), utf16, utf16.swap16()]) {
    const { places } = await read(t, readCsv, Buffer.from(content));
    assert.deepEqual(
      places.map(({ name }) => name),
      ["Café Müller"],
    );
  }

  const mixed = Buffer.concat([
    Buffer.from("name,lat,lon\n"),
    Buffer.from("Ok,47,9\n".repeat(60_000)),
    Buffer.from([0xe9, 0x0a]),
  ]);
  await assert.rejects(read(t, readCsv, mixed), /begins as utf-8 and is something else at byte 480013;/);
});

test("a table in UTF-16 needs no byte order mark", async (t) => {
  const text = Buffer.from("name;lat;lon\nКафе Müller;47,1;9,5\n", "utf16le");
  for (const content of [text, Buffer.from(text).swap16()]) {
    const path = await temporaryFile(t, content);
    assert.equal(await detectFormat(path), "csv");
    assert.equal((await readFile(readCsv, path)).places[0]?.name, "Кафе Müller");
  }
});

test("a table in another encoding is refused instead of garbled", async (t) => {
  const heading = Buffer.from("name;lat;lon\n");
  const row = Buffer.from(";50,1;20,1\n");
  const names = {
    "Żabka, Mały Łoś": [0xaf, 0x61, 0x62, 0x6b, 0x61, 0x20, 0x4d, 0x61, 0xb3, 0x79, 0x20, 0xa3, 0x6f, 0x9c],
    Пушкин: [0xcf, 0xf3, 0xf8, 0xea, 0xe8, 0xed],
    カフェ: [0x83, 0x4a, 0x83, 0x74, 0x83, 0x46],
  };
  for (const [name, bytes] of Object.entries(names)) {
    const content = Buffer.concat([heading, Buffer.from(bytes), row]);
    await assert.rejects(
      read(t, readCsv, content),
      { name: "ImportProblem", message: /in none of the encodings/ },
      name,
    );
  }
  const latin = "L’Étoile “Ôté” – créée;1,1;1,1\nn°5 Col·legi £5 m² ¿Qué?;1,1;1,1\nÆØÅ Øl McDonald´s®;1,1;1,1\n";
  const dashes: Readonly<Record<string, number>> = { "’": 0x92, "“": 0x93, "”": 0x94, "–": 0x96 };
  const bytes = Buffer.from(Array.from(latin, (character) => dashes[character] ?? character.charCodeAt(0)));
  assert.equal((await read(t, readCsv, Buffer.concat([heading, bytes]))).places.length, 3);
});

test("a stray byte does not make another encoding of UTF-8: it stops the import with its offset", async (t) => {
  const stray = Buffer.from([0xe9]);
  const heading = "name,lat,lon\n";
  const marked = Buffer.concat([Buffer.from(`\ufeff${heading}Caf`), stray, Buffer.from(",47,9\n")]);
  const damaged = Buffer.concat([Buffer.from(`${heading}Café Müller,47,9\nCaf`), stray, Buffer.from(",47,9\n")]);
  const [before = "", after = ""] = JSON.stringify([{ type: "Feature", properties: { name: "Müller Caf?" } }]).split(
    "?",
  );
  const json = Buffer.concat([Buffer.from(before), stray, Buffer.from(after)]);
  const latin = Buffer.from(`${heading}CAFÉ®,47,9\n${"Käse Müller,47,9\n".repeat(9)}`, "latin1");

  await assert.rejects(read(t, readCsv, marked), { offset: 19, message: /is something else at byte 19;/ });
  await assert.rejects(read(t, readCsv, damaged), { offset: 35, message: /is something else at byte 35;/ });
  await assert.rejects(read(t, readGeoJson, json), { message: /begins at byte 1 is not UTF-8/ });
  const { places } = await read(t, readCsv, latin);
  assert.deepEqual([places[0]?.name, places[1]?.name], ["CAFÉ®", "Käse Müller"]);
});
