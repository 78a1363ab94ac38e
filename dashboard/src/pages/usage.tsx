import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type ActorUsage, type LedgerEntry, type Usage, usageQuery } from "../api/usage.ts";
import { Failure } from "../parts/failure.tsx";
import { Loading } from "../parts/loading.tsx";
import { Meter } from "../parts/meter.tsx";
import { PageHead } from "../parts/page-head.tsx";
import { Time } from "../parts/time.tsx";
import { UsageChart } from "../parts/usage-chart.tsx";
import { Table } from "../parts/table.tsx";

export function UsagePage() {
  const usage = useQuery(usageQuery);
  return (
    <>
      <PageHead
        title="Usage"
        lead="A live search, a job, and each page of a collection costs one unit. Searches and pages that fail cost nothing; tests are free."
      />
      {usage.isPending && <Loading rows={10} />}
      {usage.isError && <Failure error={usage.error} onRetry={() => void usage.refetch()} />}
      {usage.data && (
        <>
          <Meter usage={usage.data} />
          <Days usage={usage.data} />
          <Actors actors={usage.data.actors} />
          <Ledger entries={usage.data.ledger} />
        </>
      )}
    </>
  );
}

function Days({ usage: { days } }: { usage: Usage }) {
  const used = days.filter(({ searches, jobs, other }) => searches + jobs + other !== 0).toReversed();
  return (
    <section className="card">
      <h2>Units per day, last {days.length} days (UTC)</h2>
      <UsageChart days={days} />
      {used.length > 0 && (
        <details>
          <summary>As a table</summary>
          <Table
            columns={[
              "Day",
              { name: "Searches", isNumber: true },
              { name: "Jobs", isNumber: true },
              { name: "Collections", isNumber: true },
            ]}
          >
            {used.map(({ day, searches, jobs, other }) => (
              <tr key={day}>
                <td>{day}</td>
                <td className="number">{searches.toLocaleString()}</td>
                <td className="number">{jobs.toLocaleString()}</td>
                <td className="number">{other.toLocaleString()}</td>
              </tr>
            ))}
          </Table>
        </details>
      )}
    </section>
  );
}

const operationNames = { search: "Searches", job: "Jobs", collection: "Collections", other: "Other" } as const;

function Actors({ actors }: { actors: readonly ActorUsage[] }) {
  const most = Math.max(1, ...actors.map(({ units }) => units));
  if (actors.length === 0) return null;
  return (
    <section className="stack">
      <h2>By operation and key, last 30 days</h2>
      <div className="card flush table-scroll">
        <Table
          columns={[
            "Operation",
            "Key or person",
            { name: "Units", isNumber: true },
            { name: "Share", isUnnamed: true },
          ]}
        >
          {actors.map(({ operation, actor, units }) => (
            <tr key={`${operation} ${actor?.id}`}>
              <td>{operationNames[operation]}</td>
              <td>
                {actor ? actor.name : <span className="faint">not recorded</span>}
                {actor?.kind === "person" && <span className="faint"> in the dashboard</span>}
                {actor?.masked && (
                  <div className="faint">
                    <code>{actor.masked}</code>
                  </div>
                )}
              </td>
              <td className="number">{units.toLocaleString()}</td>
              <td className="share">
                <progress className="meter" max={most} value={units} aria-label={`${units} units`} />
              </td>
            </tr>
          ))}
        </Table>
      </div>
    </section>
  );
}

const kinds: Record<LedgerEntry["kind"], string> = { charge: "charged", reserve: "charged", release: "refunded" };

function Ledger({ entries }: { entries: readonly LedgerEntry[] }) {
  return (
    <section className="stack">
      <h2>Ledger</h2>
      {entries.length === 0 && (
        <p className="soft">
          Nothing was charged yet. Switch to Live in the <Link to="/playground">playground</Link> and search.
        </p>
      )}
      {entries.length > 0 && (
        <div className="card flush table-scroll">
          <Table columns={["When", "What for", "Entry", { name: "Units", isNumber: true }]}>
            {entries.map((entry) => (
              <tr key={`${entry.kind} ${entry.reference}`}>
                <td>
                  <Time at={entry.created_at} />
                </td>
                <td>
                  <Reference reference={entry.reference} />
                </td>
                <td>{kinds[entry.kind]}</td>
                <td className="number">{entry.units}</td>
              </tr>
            ))}
          </Table>
        </div>
      )}
    </section>
  );
}

function Reference({ reference }: { reference: string }) {
  const [collectionId] = /^col_\w+/.exec(reference) ?? [];
  if (collectionId) {
    return (
      <Link to="/collections/$collectionId" params={{ collectionId }}>
        {collectionId}
      </Link>
    );
  }
  if (!reference.startsWith("job_")) return "Search";
  return (
    <Link to="/jobs/$jobId" params={{ jobId: reference }}>
      {reference}
    </Link>
  );
}
