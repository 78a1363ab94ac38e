import { useQuery } from "@tanstack/react-query";
import { Database } from "lucide-react";
import { type Catalog, catalogQuery } from "../api/catalog.ts";
import { loadedMap } from "../map/loaded-map.tsx";
import { Code } from "../parts/code.tsx";
import { Empty } from "../parts/empty.tsx";
import { Failure } from "../parts/failure.tsx";
import { Loading } from "../parts/loading.tsx";
import { PageHead } from "../parts/page-head.tsx";
import { StatusBadge } from "../parts/status-badge.tsx";
import { Time } from "../parts/time.tsx";
import { Table } from "../parts/table.tsx";

const CatalogMap = loadedMap("catalog", "map", async () => (await import("../map/catalog-map.tsx")).CatalogMap);

export function CatalogPage() {
  const catalog = useQuery(catalogQuery);
  return (
    <>
      <PageHead title="Catalog" lead="What live searches are answered from, on this installation." />
      {catalog.isPending && <Loading rows={6} />}
      {catalog.isError && <Failure error={catalog.error} onRetry={() => void catalog.refetch()} />}
      {catalog.data && (
        <>
          <SourceCard source={catalog.data.source} />
          <Imports imports={catalog.data.imports} />
          {catalog.data.bounds && (
            <section className="stack">
              <h2>Coverage</h2>
              <CatalogMap key={lastImportOf(catalog.data)} bounds={catalog.data.bounds} />
            </section>
          )}
          <DataSets catalog={catalog.data} />
        </>
      )}
    </>
  );
}

/** A map is made again after an import, because it keeps the tiles that it has. */
function lastImportOf({ data_sets: sets }: Catalog): string {
  return sets.map(({ imported_at: at }) => at).reduce((one, other) => (one > other ? one : other), "");
}

const phases = { reading: "reading the file", storing: "storing and indexing" } as const;

function Imports({ imports }: { imports: Catalog["imports"] }) {
  return imports.map(({ name, phase, started_at: at, percent, rows }) => (
    <div key={name} className="notice info" role="status">
      <strong>{name} is being imported</strong>
      <span>
        {phases[phase]}
        {percent !== null && `, ${percent} %`}
        {rows !== null && `, ${rows.toLocaleString()} records so far`}, started <Time at={at} />. Searches see the old
        data until it is done.
      </span>
      <progress
        className="meter"
        aria-label={`Import of ${name}`}
        {...(percent === null ? {} : { max: 100, value: percent })}
      />
    </div>
  ));
}

function SourceCard({ source }: { source: Catalog["source"] }) {
  if (!source) {
    return (
      <p className="notice warn">
        No source answers live searches now. Fill the catalog with <code>npx waypost catalog add liechtenstein</code>,
        or set WAYPOST_SOURCE to auto.
      </p>
    );
  }
  return (
    <section className="card">
      <div className="row between">
        <h2>Source of live searches</h2>
        <StatusBadge status={source.status} />
      </div>
      <p>
        <strong>{source.name}</strong>
        {source.is_local ? ", this installation’s own data." : ", over the network."} {source.covers}
      </p>
      {source.status === "paused" && (
        <p className="notice warn">
          It is disabled for {source.retry_after_seconds ?? 30} s after several failures. Then one search tries it
          again.
        </p>
      )}
    </section>
  );
}

function DataSets({ catalog: { data_sets: sets } }: { catalog: Catalog }) {
  if (sets.length === 0) {
    return (
      <div className="card">
        <Empty Icon={Database} title="The catalog is empty">
          <p>
            It is the service’s own place index: fast, free of other people’s limits, and yours. An operator fills it,
            for example with a country from OpenStreetMap:
          </p>
          <Code text="npx waypost catalog add liechtenstein" />
        </Empty>
      </div>
    );
  }
  return (
    <div className="card flush table-scroll">
      <Table
        columns={[
          "Data set",
          "As of",
          "Imported",
          { name: "Places", isNumber: true },
          { name: "Closed", isNumber: true },
          { name: "Areas", isNumber: true },
        ]}
      >
        {sets.map((set) => (
          <tr key={set.name}>
            <td>
              <strong>{set.name}</strong>
            </td>
            <td>{set.observed_at === null ? "unknown" : <Time at={set.observed_at} />}</td>
            <td>
              <Time at={set.imported_at} />
            </td>
            <td className="number">{set.places.toLocaleString()}</td>
            <td className="number">{set.closed.toLocaleString()}</td>
            <td className="number">{set.areas.toLocaleString()}</td>
          </tr>
        ))}
      </Table>
    </div>
  );
}
