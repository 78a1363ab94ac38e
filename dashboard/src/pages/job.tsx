import { useMutation, useQuery, useQueryClient, useSuspenseQuery } from "@tanstack/react-query";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { useEnvironment } from "../api/environment.tsx";
import { createExport, exportFormats } from "../api/exports.ts";
import { cancelScrape, isTerminal, resultsQuery, type Scrape, scrapeQuery } from "../api/scrapes.ts";
import { mayChange, sessionQuery } from "../api/session.ts";
import { BusinessTable } from "../parts/businesses.tsx";
import { Failure } from "../parts/failure.tsx";
import { Loading } from "../parts/loading.tsx";
import { PageHead } from "../parts/page-head.tsx";
import { StatusBadge } from "../parts/status-badge.tsx";
import { Time } from "../parts/time.tsx";
import { duration } from "./jobs.tsx";

const route = getRouteApi("/signed-in/jobs/$jobId");

export function JobPage() {
  const { jobId } = route.useParams();
  const { environment } = useEnvironment();
  const job = useQuery(scrapeQuery(environment, jobId));

  if (job.isPending) return <Loading />;
  if (job.isError) {
    return (
      <>
        <PageHead title="No such job" lead="It may belong to the other environment, or its time has passed." />
        <Failure error={job.error} />
        <Link to="/jobs">All jobs</Link>
      </>
    );
  }
  return (
    <>
      <PageHead title={job.data.input.q} lead={<code>{job.data.id}</code>}>
        <ExportButton job={job.data} />
        <CancelButton job={job.data} />
      </PageHead>
      <Facts job={job.data} />
      <Results job={job.data} />
    </>
  );
}

function CancelButton({ job }: { job: Scrape }) {
  const { environment } = useEnvironment();
  const { data: session } = useSuspenseQuery(sessionQuery);
  const queryClient = useQueryClient();
  const cancel = useMutation({
    mutationFn: () => cancelScrape(environment, job.id),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ["scrape"] }),
  });
  if (isTerminal(job) || !mayChange(session.role)) return null;
  return (
    <>
      {cancel.isError && <Failure error={cancel.error} />}
      <button type="button" className="button danger" disabled={cancel.isPending} onClick={() => cancel.mutate()}>
        Cancel job
      </button>
    </>
  );
}

/** Offers the formats; the file then appears among the exports. */
function ExportButton({ job }: { job: Scrape }) {
  const { environment } = useEnvironment();
  const { data: session } = useSuspenseQuery(sessionQuery);
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const create = useMutation({
    mutationFn: (format: string) => createExport(environment, { job_id: job.id, format }),
    async onSuccess() {
      await queryClient.invalidateQueries({ queryKey: ["exports"] });
      await navigate({ to: "/exports" });
    },
  });
  if (!isTerminal(job) || !job.result_count || !mayChange(session.role)) return null;
  return (
    <>
      {create.isError && <Failure error={create.error} />}
      <select
        className="input fit"
        aria-label="Export as"
        value=""
        disabled={create.isPending}
        onChange={({ currentTarget }) => create.mutate(currentTarget.value)}
      >
        <option value="" disabled>
          Export as…
        </option>
        {exportFormats.map((format) => (
          <option key={format}>{format}</option>
        ))}
      </select>
    </>
  );
}

const explanations: Record<string, string> = {
  source_failed: "The source answered, and not with a usable page.",
  source_unavailable: "The source could not be reached, or is limiting the rate of requests.",
  source_timeout: "The source took too long.",
  internal_error: "Something of our own failed; the log has it.",
  worker_lost: "The workers that ran this job died, too often to try again.",
};

function Facts({ job }: { job: Scrape }) {
  return (
    <>
      {job.error_code && (
        <p className={`notice ${job.status === "failed" ? "bad" : "warn"}`}>
          <strong>{job.error_code}</strong>
          {explanations[job.error_code]}
          {job.status === "partial" && " What was collected is below."}
        </p>
      )}
      <div className="card">
        <dl className="row stats" aria-live="polite">
          <div className="stat">
            <dt>State</dt>
            <dd>
              <StatusBadge status={job.status} />
            </dd>
          </div>
          <div className="stat">
            <dt>Results</dt>
            <dd>{job.result_count ?? 0}</dd>
          </div>
          <div className="stat">
            <dt>Pages</dt>
            <dd>
              {job.progress.completed_queries} of {job.progress.total_queries}
            </dd>
          </div>
          <div className="stat">
            <dt>Created</dt>
            <dd>
              <Time at={job.created_at} />
            </dd>
          </div>
          <div className="stat">
            <dt>Took</dt>
            <dd>{duration(job)}</dd>
          </div>
          {job.next_attempt_at && (
            <div className="stat">
              <dt>Next attempt</dt>
              <dd>
                <Time at={job.next_attempt_at} />
              </dd>
            </div>
          )}
        </dl>
      </div>
    </>
  );
}

function Results({ job }: { job: Scrape }) {
  const { environment } = useEnvironment();
  const results = useQuery(resultsQuery(environment, job));
  if (results.isPending) return <Loading rows={8} />;
  if (results.isError) return <Failure error={results.error} onRetry={() => void results.refetch()} />;
  if (results.data.length === 0) {
    return (
      <p className="soft">
        {isTerminal(job)
          ? "The source had nothing for this query. It was looked for, so it cost its unit."
          : "Waiting…"}
      </p>
    );
  }
  return <BusinessTable businesses={results.data} />;
}
