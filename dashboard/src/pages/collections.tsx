import { useInfiniteQuery, useSuspenseQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Grid2x2Check, Plus } from "lucide-react";
import { areaName, type Collection, collectionsQuery } from "../api/collections.ts";
import { useEnvironment } from "../api/environment.tsx";
import { mayChange, sessionQuery } from "../api/session.ts";
import { ActionButton } from "../parts/action-button.tsx";
import { Empty } from "../parts/empty.tsx";
import { Failure } from "../parts/failure.tsx";
import { Loading } from "../parts/loading.tsx";
import { PageHead } from "../parts/page-head.tsx";
import { StatusBadge } from "../parts/status-badge.tsx";
import { Time } from "../parts/time.tsx";

export function CollectionsPage() {
  const { environment } = useEnvironment();
  const { data: session } = useSuspenseQuery(sessionQuery);
  const collections = useInfiniteQuery(collectionsQuery(environment));
  const all = collections.data?.pages.flatMap(({ data }) => data) ?? [];
  return (
    <>
      <PageHead
        title="Collections"
        lead="Everything for a query in an area, with a map that shows which parts are complete."
      >
        {mayChange(session.role) && (
          <Link to="/collections/new" className="button primary">
            <Plus aria-hidden />
            New collection
          </Link>
        )}
      </PageHead>
      {collections.isPending && <Loading />}
      {collections.isError && <Failure error={collections.error} onRetry={() => void collections.refetch()} />}
      {collections.isSuccess && all.length === 0 && (
        <div className="card">
          <Empty Icon={Grid2x2Check} title="No collections yet">
            <p>
              A search shows the best twenty. A collection reads a whole town or region, cell by cell, splits the cells
              where there is more, and tells you what it could not read.
            </p>
          </Empty>
        </div>
      )}
      {all.length > 0 && (
        <div className="collection-list">
          {all.map((collection) => (
            <CollectionCard key={collection.id} collection={collection} />
          ))}
        </div>
      )}
      {collections.hasNextPage && (
        <div>
          <ActionButton
            type="button"
            className="button"
            isBusy={collections.isFetchingNextPage}
            onClick={() => void collections.fetchNextPage()}
          >
            Load older collections
          </ActionButton>
        </div>
      )}
    </>
  );
}

function CollectionCard({ collection }: { collection: Collection }) {
  const { progress } = collection;
  return (
    <Link to="/collections/$collectionId" params={{ collectionId: collection.id }} className="card collection-card">
      <div className="row between">
        <strong>
          <bdi>{collection.q}</bdi>
        </strong>
        <StatusBadge status={collection.status} />
      </div>
      <span className="soft">
        <bdi>{areaName(collection.area)}</bdi>
      </span>
      <progress
        className={`meter ${collection.status}`}
        max={Math.max(1, progress.cells_total)}
        value={progress.cells_done}
        aria-label={`${progress.cells_done} of ${progress.cells_total} cells read`}
      />
      <span className="faint row between">
        <span>
          {progress.businesses.toLocaleString()} businesses, {progress.units_charged.toLocaleString()} units
        </span>
        <Time at={collection.created_at} />
      </span>
    </Link>
  );
}
