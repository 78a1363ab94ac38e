import { useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Download, FileDown } from "lucide-react";
import { useEnvironment } from "../api/environment.tsx";
import { deleteExport, type Export, exportsQuery, readDownloadLink } from "../api/exports.ts";
import { ActionButton } from "../parts/action-button.tsx";
import { DeleteButton } from "../parts/delete-button.tsx";
import { Empty } from "../parts/empty.tsx";
import { Failure } from "../parts/failure.tsx";
import { Loading } from "../parts/loading.tsx";
import { PageHead } from "../parts/page-head.tsx";
import { StatusBadge } from "../parts/status-badge.tsx";
import { Time } from "../parts/time.tsx";
import { Table } from "../parts/table.tsx";

export function ExportsPage() {
  const { environment } = useEnvironment();
  const exports = useInfiniteQuery(exportsQuery(environment));
  const all = exports.data?.pages.flatMap(({ data }) => data) ?? [];
  return (
    <>
      <PageHead
        title="Exports"
        lead="Results of jobs and collections as files. They cost no units and are kept for a while."
      />
      {exports.isPending && <Loading />}
      {exports.isError && <Failure error={exports.error} onRetry={() => void exports.refetch()} />}
      {exports.isSuccess && all.length === 0 && (
        <div className="card">
          <Empty Icon={FileDown} title="No exports yet">
            <p>
              Open one of the <Link to="/jobs">jobs</Link> and choose Export: CSV, Excel, JSON, GeoJSON or Parquet.
            </p>
          </Empty>
        </div>
      )}
      {all.length > 0 && (
        <div className="card flush table-scroll">
          <Table
            columns={[
              "Of",
              "Format",
              "State",
              { name: "Rows", isNumber: true },
              { name: "Size", isNumber: true },
              "Created",
              "Kept until",
              "File",
            ]}
          >
            {all.map((each) => (
              <ExportRow key={each.id} exported={each} />
            ))}
          </Table>
        </div>
      )}
      {exports.hasNextPage && (
        <div>
          <ActionButton
            type="button"
            className="button"
            isBusy={exports.isFetchingNextPage}
            onClick={() => void exports.fetchNextPage()}
          >
            Load older exports
          </ActionButton>
        </div>
      )}
    </>
  );
}

const reasons: Record<NonNullable<Export["error_code"]>, string> = {
  storage_unavailable: "The storage of files was away for too long. Export it again.",
  storage_full: "There was no room left for the file. Tell whoever runs the service.",
  worker_lost: "The workers that made the file died, too often to try again.",
  internal_error: "Something of our own failed; the log has it.",
};

function ExportRow({ exported }: { exported: Export }) {
  const { environment } = useEnvironment();
  const queryClient = useQueryClient();
  return (
    <tr>
      <td>
        {exported.job_id ? (
          <Link to="/jobs/$jobId" params={{ jobId: exported.job_id }}>
            <code>{exported.job_id}</code>
          </Link>
        ) : (
          <ExportedFrom exported={exported} />
        )}
      </td>
      <td>{exported.format}</td>
      <td>
        <StatusBadge status={exported.status} />
        {exported.error_code && <div className="faint">{reasons[exported.error_code]}</div>}
      </td>
      <td className="number">{exported.row_count?.toLocaleString() ?? "–"}</td>
      <td className="number">{exported.size_bytes === null ? "–" : size(exported.size_bytes)}</td>
      <td>
        <Time at={exported.created_at} />
      </td>
      <td>
        <Time at={exported.expires_at} none="–" />
      </td>
      <td>
        <div className="row">
          <DownloadButton exported={exported} />
          <DeleteButton
            noun="export"
            lead="Its file goes, and its download links stop working. What it was made of stays."
            work={() => deleteExport(environment, exported.id)}
            afterwards={() => queryClient.invalidateQueries({ queryKey: ["exports"] })}
          />
        </div>
      </td>
    </tr>
  );
}

function ExportedFrom({ exported: { collection_id: id, job_ids: jobs } }: { exported: Export }) {
  if (!id) return `${jobs.length} jobs`;
  return (
    <Link to="/collections/$collectionId" params={{ collectionId: id }}>
      <code>{id}</code>
    </Link>
  );
}

/** The link is read when it is wanted, because it is good for minutes only. */
function DownloadButton({ exported }: { exported: Export }) {
  const { environment } = useEnvironment();
  const queryClient = useQueryClient();
  const download = useMutation({
    mutationFn: () => readDownloadLink(environment, exported.id),
    onSuccess(link) {
      if (link) location.assign(link);
      else void queryClient.invalidateQueries({ queryKey: ["exports"] });
    },
  });
  if (exported.status !== "ready") return "–";
  return (
    <>
      <ActionButton type="button" className="button" isBusy={download.isPending} onClick={() => download.mutate()}>
        <Download aria-hidden />
        Download
      </ActionButton>
      {download.isError && <Failure error={download.error} />}
    </>
  );
}

function size(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  return bytes < 1_000_000 ? `${(bytes / 1_000).toFixed(1)} KB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
