import { once } from "node:events";
import { PassThrough } from "node:stream";
import { ZipFile } from "yazl";
import type { Business } from "../../businesses/index.ts";
import { type Column, columnsOf } from "./columns.ts";
import {
  aboutSheet,
  contentTypes,
  rootRelations,
  sheetHead,
  sheetTail,
  styles,
  workbook,
  workbookRelations,
} from "./xlsx-parts.ts";
import { cellXml, headRow } from "./xlsx-cells.ts";
import { createAttributionCollector, type FileContext, type Sink, type Writer } from "./writer.ts";

/** What a spreadsheet can show in one sheet, its head included. */
const sheetRowsMax = 1_048_576;

/** A workbook whose sheets are streamed: `Businesses`, more of the same when it is full, and `About`. */
export function createXlsxWriter(sink: Sink, context: FileContext, rowsMax = sheetRowsMax): Writer {
  const columns = columnsOf(context.columns);
  const attribution = createAttributionCollector();
  const zip = new ZipFile();
  const pumped = pump(zip, sink);
  // The next write, or the end of the file, throws the error.
  pumped.catch(() => undefined);
  let sheet: PassThrough | undefined;
  let sheets = 0;
  let rows = 0;

  async function put(text: string): Promise<void> {
    sheet ??= await openSheet();
    if (!sheet.write(text)) await Promise.race([once(sheet, "drain"), pumped]);
  }

  async function openSheet(): Promise<PassThrough> {
    sheets += 1;
    rows = 1;
    const opened = new PassThrough({ highWaterMark: 1 << 20 });
    zip.addReadStream(opened, `xl/worksheets/sheet${sheets}.xml`, { compressionLevel: 1 });
    opened.write(sheetHead(columns) + headRow(columns));
    return opened;
  }

  function closeSheet() {
    sheet?.end(sheetTail);
    sheet = undefined;
  }

  return {
    async write(batch) {
      attribution.add(batch);
      let text = "";
      for (const business of batch.businesses()) {
        if (rows === rowsMax) {
          await put(text);
          text = "";
          closeSheet();
        }
        sheet ??= await openSheet();
        rows += 1;
        text += rowXml(columns, business, rows);
      }
      await put(text);
    },
    async end() {
      await put("");
      closeSheet();
      const names = Array.from({ length: sheets }, (_, index) =>
        index === 0 ? "Businesses" : `Businesses ${index + 1}`,
      );
      const add = (text: string, path: string) => zip.addBuffer(Buffer.from(text), path);
      add(aboutSheet(context, attribution.list()), `xl/worksheets/sheet${sheets + 1}.xml`);
      names.push("About");
      add(workbook(names), "xl/workbook.xml");
      add(workbookRelations(names.length), "xl/_rels/workbook.xml.rels");
      add(styles, "xl/styles.xml");
      add(rootRelations, "_rels/.rels");
      add(contentTypes(names.length), "[Content_Types].xml");
      zip.end();
      await pumped;
    },
  };
}

async function pump(zip: ZipFile, sink: Sink): Promise<void> {
  const failed = new Promise<never>((_, reject) => zip.on("error", reject));
  const copied = (async () => {
    for await (const chunk of zip.outputStream) await sink.write(chunk as Buffer);
  })();
  await Promise.race([copied, failed]);
}

function rowXml(columns: readonly Column[], business: Business, row: number): string {
  let xml = `<row r="${row}">`;
  for (const [index, { type, read, readForSpreadsheet = read }] of columns.entries()) {
    const value = readForSpreadsheet(business);
    if (value !== null) xml += cellXml(index, row, type, value);
  }
  return `${xml}</row>`;
}
