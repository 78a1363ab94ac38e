import { useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { ListChecks } from "lucide-react";
import { useEnvironment } from "../api/environment.tsx";
import { type Scrape, scrapesQuery } from "../api/scrapes.ts";
import { Empty } from "../parts/empty.tsx";
import { Failure } from "../parts/failure.tsx";
import { Loading } from "../parts/loading.tsx";
import { PageHead } from "../parts/page-head.tsx";
import { StatusBadge } from "../parts/status-badge.tsx";
import { Time } from "../parts/time.tsx";

const route = getRouteApi("/signed-in/jobs");

export const jobStatuses = ["queued", "running", "succeeded", "partial", "failed", "canceled"] as const;

export function JobsPage() {
  const { environment } = useEnvironment();
  const { status } = route.useSearch();
  const jobs = useInfiniteQuery({ ...scrapesQuery(environment, status), refetchInterval: 5_000 });
  const all = jobs.data?.pages.flatMap(({ data }) => data) ?? [];

  return (
    <>
      <PageHead title="Jobs" lead="A job collects one source page and survives any process that dies." />
      <nav className="filters" aria-label="State">
        <Link to="/jobs" search={{}} activeOptions={{ includeSearch: true, exact: true }}>
          All
        </Link>
        {jobStatuses.map((each) => (
          <Link key={each} to="/jobs" search={{ status: each }} activeOptions={{ includeSearch: true }}>
            {each}
          </Link>
        ))}
      </nav>
      {jobs.isPending && <Loading />}
      {jobs.isError && <Failure error={jobs.error} onRetry={() => void jobs.refetch()} />}
      {jobs.isSuccess && all.length === 0 && (
        <div className="card">
          <Empty Icon={ListChecks} title={status ? `No job is ${status}` : "No jobs yet"}>
            <p>
              Try a query in the <Link to="/playground">playground</Link> and create a job from it, or send one from a
              program. Jobs are kept for 30 days unless the operator says otherwise.
            </p>
          </Empty>
        </div>
      )}
      {all.length > 0 && (
        <div className="card flush table-scroll">
          <table className="table">
            <thead>
              <tr>
                <th scope="col">Query</th>
                <th scope="col">State</th>
                <th scope="col" className="number">
                  Results
                </th>
                <th scope="col">Created</th>
                <th scope="col">Took</th>
              </tr>
            </thead>
            <tbody>
              {all.map((job) => (
                <tr key={job.id}>
                  <td>
                    <Link to="/jobs/$jobId" params={{ jobId: job.id }}>
                      {job.input.q}
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
            </tbody>
          </table>
        </div>
      )}
      {jobs.hasNextPage && (
        <div>
          <button
            type="button"
            className="button"
            disabled={jobs.isFetchingNextPage}
            onClick={() => void jobs.fetchNextPage()}
          >
            Load older jobs
          </button>
        </div>
      )}
    </>
  );
}

export function duration({ started_at: startedAt, finished_at: finishedAt }: Scrape): string {
  if (!startedAt || !finishedAt) return "–";
  const ms = Date.parse(finishedAt) - Date.parse(startedAt);
  return ms < 1_000 ? `${ms} ms` : `${(ms / 1_000).toFixed(1)} s`;
}
