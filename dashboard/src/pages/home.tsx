import { useInfiniteQuery, useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { KeyRound, Search, Webhook } from "lucide-react";
import { useEnvironment } from "../api/environment.tsx";
import { scrapesQuery } from "../api/scrapes.ts";
import { sessionQuery } from "../api/session.ts";
import { usageQuery } from "../api/usage.ts";
import { Failure } from "../parts/failure.tsx";
import { JobTable } from "../parts/job-table.tsx";
import { Loading } from "../parts/loading.tsx";
import { Meter } from "../parts/meter.tsx";
import { PageHead } from "../parts/page-head.tsx";

/** What to do first, for the roles that may. */
const steps = [
  {
    to: "/playground",
    roles: ["owner", "member"],
    Icon: Search,
    title: "Try a search",
    text: "See what a program gets. Test searches are free.",
  },
  {
    to: "/keys",
    roles: ["owner"],
    Icon: KeyRound,
    title: "Create an API key",
    text: "For your program; it is shown once.",
  },
  {
    to: "/webhooks",
    roles: ["owner", "member"],
    Icon: Webhook,
    title: "Add a webhook",
    text: "Hear of finished jobs without asking.",
  },
] as const;

export function HomePage() {
  const { data: session } = useSuspenseQuery(sessionQuery);
  const usage = useQuery(usageQuery);
  return (
    <>
      <PageHead title={`Good to see you, ${session.person.name.split(" ")[0]}`} lead={session.organization.name} />
      {!session.organization.entitled && (
        <p className="notice warn">
          This organization may not use the live API. An operator changes that with{" "}
          <code>npx waypost org set --entitlement active</code>; tests work all the same.
        </p>
      )}
      <div className="steps">
        {steps
          .filter(({ roles }) => roles.some((role) => role === session.role))
          .map(({ to, Icon, title, text }) => (
            <Link key={to} to={to} className="card step">
              <Icon aria-hidden />
              <strong>{title}</strong>
              <span className="soft">{text}</span>
            </Link>
          ))}
      </div>
      <section className="stack">
        <h2>This month</h2>
        {usage.isPending && <Loading rows={3} />}
        {usage.isError && <Failure error={usage.error} onRetry={() => void usage.refetch()} />}
        {usage.data && <Meter usage={usage.data} />}
      </section>
      <LatestJobs />
    </>
  );
}

function LatestJobs() {
  const { environment } = useEnvironment();
  const jobs = useInfiniteQuery(scrapesQuery(environment, undefined));
  const latest = jobs.data?.pages[0]?.data.slice(0, 5) ?? [];
  return (
    <section className="stack">
      <div className="row between">
        <h2>Latest {environment} jobs</h2>
        <Link to="/jobs">All jobs</Link>
      </div>
      {jobs.isPending && <Loading rows={5} />}
      {jobs.isError && <Failure error={jobs.error} onRetry={() => void jobs.refetch()} />}
      {jobs.isSuccess && latest.length === 0 && <p className="soft">None yet. Create one in the playground.</p>}
      {latest.length > 0 && <JobTable jobs={latest} />}
    </section>
  );
}
