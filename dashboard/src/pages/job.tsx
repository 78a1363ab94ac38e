import { useQuery, useQueryClient, useSuspenseQuery } from "@tanstack/react-query";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { type Environment, useEnvironment } from "../api/environment.tsx";
import { cancelScrape, deleteScrape, isTerminal, resultsQuery, type Scrape, scrapeQuery } from "../api/scrapes.ts";
import { isMissing } from "../api/problem.ts";
import { mayChange, sessionQuery } from "../api/session.ts";
import { loadedMap } from "../map/loaded-map.tsx";
import { BusinessTable } from "../parts/businesses.tsx";
import { Confirm, type Question } from "../parts/confirm.tsx";
import { DeleteButton } from "../parts/delete-button.tsx";
import { ExportSelect } from "../parts/export-select.tsx";
import { Failure } from "../parts/failure.tsx";
import { Loading } from "../parts/loading.tsx";
import { PageHead } from "../parts/page-head.tsx";
import { StatusBadge } from "../parts/status-badge.tsx";
import { Time } from "../parts/time.tsx";
import { Tabs } from "../parts/tabs.tsx";
import { type Moment, Timeline } from "../parts/timeline.tsx";
import { duration } from "../parts/job-table.tsx";

const BusinessMap = loadedMap("business", "map", async () => (await import("../map/business-map.tsx")).BusinessMap);

const route = getRouteApi("/signed-in/jobs/$jobId");

export function JobPage() {
  const { jobId } = route.useParams();
  const { environment } = useEnvironment();
  const job = useQuery(scrapeQuery(environment, jobId));

  if (job.isPending) return <Loading />;
  if (job.isError && isMissing(job.error)) {
    return (
      <>
        <PageHead title="No such job" lead="It may belong to the other environment, or its time has passed." />
        <Failure error={job.error} />
        <Link to="/jobs">All jobs</Link>
      </>
    );
  }
  if (job.isLoadingError) {
    return (
      <>
        <PageHead title="The job cannot be shown now" />
        <Failure error={job.error} onRetry={() => void job.refetch()} />
      </>
    );
  }
  return (
    <>
      <PageHead title={job.data.input.q} lead={<code>{job.data.id}</code>}>
        <Actions job={job.data} />
      </PageHead>
      {job.isError && <Failure error={job.error} onRetry={() => void job.refetch()} />}
      <Facts job={job.data} />
      <Results job={job.data} />
      <Timeline resourceId={job.data.id} moments={momentsOf(job.data)} />
    </>
  );
}

function Actions({ job }: { job: Scrape }) {
  const { environment } = useEnvironment();
  const { data: session } = useSuspenseQuery(sessionQuery);
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const [question, setQuestion] = useState<Question>();
  if (!mayChange(session.role)) return null;

  const askToCancel = () =>
    setQuestion({
      title: "Cancel this job?",
      lead: "What was collected so far stays. A canceled job cannot go on; only a new one can.",
      verb: "Cancel for good",
      work: () => cancelScrape(environment, job.id),
      afterwards: () => queryClient.invalidateQueries({ queryKey: ["scrape"] }),
    });

  return (
    <>
      {isTerminal(job) && job.result_count ? <ExportSelect of={{ job_id: job.id }} /> : null}
      {isTerminal(job) && (
        <DeleteButton
          noun="job"
          lead="Its results go, and so does every export that holds them. What it cost stays charged."
          work={() => deleteScrape(environment, job.id)}
          afterwards={async () => {
            await navigate({ to: "/jobs" });
            await queryClient.invalidateQueries({ queryKey: ["scrapes"] });
          }}
        />
      )}
      {!isTerminal(job) && (
        <button type="button" className="button danger" onClick={askToCancel}>
          Cancel job
        </button>
      )}
      <Confirm question={question} onClose={() => setQuestion(undefined)} />
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
      {job.query_reading !== null && <p className="faint">Read as: {job.query_reading}</p>}
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

const whyEmpty: Record<Scrape["status"], string> = {
  queued: "Waiting…",
  running: "Waiting…",
  succeeded: "The source had nothing for this query.",
  partial: "The source answered in part, and with nothing that could be stored.",
  failed: "The job failed before anything was stored.",
  canceled: "The job was canceled before anything was stored.",
};

/** A live job is charged when it is created, whatever becomes of it. */
const costs: Record<Environment, string> = { live: "It cost its unit.", test: "Test jobs cost nothing." };

function Results({ job }: { job: Scrape }) {
  const { environment } = useEnvironment();
  const [view, setView] = useState<"list" | "map">("list");
  const results = useQuery(resultsQuery(environment, job));
  if (results.isPending) return <Loading rows={8} />;
  if (results.isLoadingError) return <Failure error={results.error} onRetry={() => void results.refetch()} />;
  if (results.data.length === 0) {
    return (
      <p className="soft">
        {whyEmpty[job.status]} {isTerminal(job) && costs[environment]}
      </p>
    );
  }
  return (
    <section className="stack">
      <div className="row between">
        <h2>Results</h2>
        <Tabs
          label="View"
          value={view}
          onChange={(next) => setView(next)}
          choices={[
            { value: "list", label: "List" },
            { value: "map", label: "Map" },
          ]}
        />
      </div>
      {view === "list" && <BusinessTable businesses={results.data} />}
      {view === "map" && <BusinessMap businesses={results.data} />}
    </section>
  );
}

function momentsOf({ created_at: created, started_at: started, finished_at: finished, status }: Scrape): Moment[] {
  return [
    { at: created, title: "Created" },
    ...(started ? [{ at: started, title: "Started" }] : []),
    ...(finished ? [{ at: finished, title: `Ended: ${status}` }] : []),
  ];
}
