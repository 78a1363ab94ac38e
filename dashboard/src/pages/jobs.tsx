import { useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { ListChecks } from "lucide-react";
import { useEnvironment } from "../api/environment.tsx";
import { scrapesQuery } from "../api/scrapes.ts";
import { ActionButton } from "../parts/action-button.tsx";
import { Empty } from "../parts/empty.tsx";
import { Failure } from "../parts/failure.tsx";
import { JobTable } from "../parts/job-table.tsx";
import { Loading } from "../parts/loading.tsx";
import { PageHead } from "../parts/page-head.tsx";

const route = getRouteApi("/signed-in/jobs");

export const jobStatuses = ["queued", "running", "succeeded", "partial", "failed", "canceled"] as const;

export function JobsPage() {
  const { environment } = useEnvironment();
  const { status } = route.useSearch();
  const jobs = useInfiniteQuery(scrapesQuery(environment, status));
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
      {all.length > 0 && <JobTable jobs={all} />}
      {jobs.hasNextPage && (
        <div>
          <ActionButton
            type="button"
            className="button"
            isBusy={jobs.isFetchingNextPage}
            onClick={() => void jobs.fetchNextPage()}
          >
            Load older jobs
          </ActionButton>
        </div>
      )}
    </>
  );
}
