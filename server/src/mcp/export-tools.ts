import { Type } from "../platform/schema.ts";
import { CreateExport, type Exports, withDownloadUrl } from "../domains/exports/index.ts";
import { pageInput, pageRequest } from "./schemas.ts";
import { creates, defineTool, destroys, reads, type Tool } from "./tool.ts";

export type ExportToolDeps = { exports: Exports };

const exportId = { export_id: Type.String() };

export function exportTools({ exports }: ExportToolDeps): Tool[] {
  return [
    defineTool({
      name: "create_export",
      title: "Export results to a file",
      about:
        "Writes stored records to a file that does not pass through your context. Name one of job_id, job_ids and collection_id; read get_export until it is ready.",
      operation: "createExport",
      hints: creates,
      input: CreateExport,
      async run({ principal, requestId, traceparent, origin }, { idempotency_key: idempotencyKey, ...request }) {
        const created = await exports.create(principal, request, { idempotencyKey, requestId, traceparent });
        return { export: withDownloadUrl(created.export, origin), replayed: created.replayed };
      },
    }),
    defineTool({
      name: "list_exports",
      title: "List exports",
      about: "Lists exports, newest first.",
      operation: "listExports",
      hints: reads,
      input: Type.Object(pageInput),
      async run({ principal, origin }, page) {
        const { items, nextCursor } = await exports.list(principal, pageRequest(page));
        return { exports: items.map((each) => withDownloadUrl(each, origin)), next_cursor: nextCursor };
      },
    }),
    defineTool({
      name: "get_export",
      title: "Read an export",
      about: "Reads the status of an export and, when it is ready, a download link that is good for 15 minutes.",
      operation: "getExport",
      hints: reads,
      input: Type.Object(exportId),
      run: async ({ principal, origin }, { export_id: id }) => ({
        export: withDownloadUrl(await exports.get(principal, id), origin),
      }),
    }),
    defineTool({
      name: "delete_export",
      title: "Delete an export",
      about: "Deletes an export and its file for good.",
      operation: "deleteExport",
      hints: destroys,
      input: Type.Object(exportId),
      run: async ({ principal }, { export_id: id }) => exports.remove(principal, id),
    }),
  ];
}
