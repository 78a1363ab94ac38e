import { idFromUuid } from "../../platform/ids.ts";
import type { NewEvent } from "../webhooks/index.ts";
import type { Export } from "./export.ts";

/** Tells how an export ended, without rows and without the address of its file. */
export function exportEvent(ended: Export): NewEvent {
  const [jobId, ...more] = ended.subject.jobIds;
  return {
    organizationId: ended.organizationId,
    type: "export.ready",
    resource: { type: "export", id: ended.uuid },
    requestId: ended.requestId,
    traceparent: ended.traceparent,
    isSimulated: ended.environment === "test",
    endpointId: ended.webhookEndpointId,
    data: {
      export_id: ended.id,
      job_id: jobId !== undefined && more.length === 0 ? idFromUuid("job", jobId) : null,
      format: ended.format,
      status: ended.status,
      row_count: ended.file?.rowCount ?? null,
      size_bytes: ended.file?.sizeBytes ?? null,
      error_class: ended.errorCode,
    },
  };
}
