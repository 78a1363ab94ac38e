import { Link } from "@tanstack/react-router";
import type { Scrape } from "../api/scrapes.ts";
import { StatusBadge } from "./status-badge.tsx";
import { Time } from "./time.tsx";
import { Table } from "./table.tsx";

/** Jobs, each a line that leads to its page. */
export function JobTable({ jobs }: { jobs: readonly Scrape[] }) {
  return (
    <div className="card flush table-scroll">
      <Table columns={["Query", "State", { name: "Results", isNumber: true }, "Created", "Took"]}>
        {jobs.map((job) => (
          <tr key={job.id}>
            <td>
              <Link to="/jobs/$jobId" params={{ jobId: job.id }}>
                <bdi>{job.input.q}</bdi>
              </Link>
              <div className="faint">
                {job.operation}
                {job.input.page && job.input.page > 1 ? `, page ${job.input.page}` : ""}
              </div>
            </td>
            <td>
              <StatusBadge status={job.status} />
              {job.error_code && <div className="faint">{job.error_code}</div>}
            </td>
            <td className="number">{job.result_count ?? "–"}</td>
            <td>
              <Time at={job.created_at} />
            </td>
            <td>{duration(job)}</td>
          </tr>
        ))}
      </Table>
    </div>
  );
}

export function duration({ started_at: startedAt, finished_at: finishedAt }: Scrape): string {
  if (!startedAt || !finishedAt) return "–";
  const ms = Date.parse(finishedAt) - Date.parse(startedAt);
  return ms < 1_000 ? `${ms} ms` : `${(ms / 1_000).toFixed(1)} s`;
}
