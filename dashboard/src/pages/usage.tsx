import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type LedgerEntry, type Usage, usageQuery } from "../api/usage.ts";
import { Failure } from "../parts/failure.tsx";
import { Loading } from "../parts/loading.tsx";
import { Meter } from "../parts/meter.tsx";
import { PageHead } from "../parts/page-head.tsx";
import { Time } from "../parts/time.tsx";
import { UsageChart } from "../parts/usage-chart.tsx";

export function UsagePage() {
  const usage = useQuery(usageQuery);
  return (
    <>
      <PageHead title="Usage" lead="A live search or job costs one unit. Failed pages are refunded; tests are free." />
      {usage.isPending && <Loading rows={10} />}
      {usage.isError && <Failure error={usage.error} onRetry={() => void usage.refetch()} />}
      {usage.isSuccess && (
        <>
          <Meter usage={usage.data} />
          <Days usage={usage.data} />
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
          <table className="table">
            <thead>
              <tr>
                <th scope="col">Day</th>
                <th scope="col" className="number">
                  Searches
                </th>
                <th scope="col" className="number">
                  Jobs
                </th>
              </tr>
            </thead>
            <tbody>
              {used.map(({ day, searches, jobs }) => (
                <tr key={day}>
                  <td>{day}</td>
                  <td className="number">{searches.toLocaleString()}</td>
                  <td className="number">{jobs.toLocaleString()}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </details>
      )}
      <p className="faint">The ledger knows what a unit paid for, not which key asked for it.</p>
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
          <table className="table">
            <thead>
              <tr>
                <th scope="col">When</th>
                <th scope="col">What for</th>
                <th scope="col">Entry</th>
                <th scope="col" className="number">
                  Units
                </th>
              </tr>
            </thead>
            <tbody>
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
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}

function Reference({ reference }: { reference: string }) {
  if (!reference.startsWith("job_")) return "Search";
  return (
    <Link to="/jobs/$jobId" params={{ jobId: reference }}>
      {reference}
    </Link>
  );
}
