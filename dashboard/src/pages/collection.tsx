import { useInfiniteQuery, useMutation, useQuery, useQueryClient, useSuspenseQuery } from "@tanstack/react-query";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { Pause, Play, X } from "lucide-react";
import { useState } from "react";
import {
  areaName,
  type Collection,
  collectionQuery,
  collectionResultsQuery,
  controlCollection,
  coverageQuery,
  deleteCollection,
  hasEnded,
  isOpen,
  mapResultsQuery,
} from "../api/collections.ts";
import { useEnvironment } from "../api/environment.tsx";
import type { Business } from "../api/scrapes.ts";
import { isMissing } from "../api/problem.ts";
import { mayChange, sessionQuery } from "../api/session.ts";
import { loadedMap } from "../map/loaded-map.tsx";
import { ActionButton } from "../parts/action-button.tsx";
import { BusinessTable } from "../parts/businesses.tsx";
import { Completeness } from "../parts/completeness.tsx";
import { Confirm, type Question } from "../parts/confirm.tsx";
import { DeleteButton } from "../parts/delete-button.tsx";
import { ExportSelect } from "../parts/export-select.tsx";
import { Failure } from "../parts/failure.tsx";
import { Loading } from "../parts/loading.tsx";
import { PageHead } from "../parts/page-head.tsx";
import { StatusBadge } from "../parts/status-badge.tsx";
import { Time } from "../parts/time.tsx";

const CoverageMap = loadedMap(
  "coverage",
  "map coverage",
  async () => (await import("../map/coverage-map.tsx")).CoverageMap,
);

/** One and the same, so that the map does not draw again. */
const noBusinesses: readonly Business[] = [];

const route = getRouteApi("/signed-in/collections/$collectionId");

export function CollectionPage() {
  const { collectionId } = route.useParams();
  const { environment } = useEnvironment();
  const collection = useQuery(collectionQuery(environment, collectionId));

  if (collection.isPending) return <Loading rows={12} />;
  if (collection.isError && isMissing(collection.error)) {
    return (
      <>
        <PageHead title="No such collection" lead="It may belong to the other environment, or its time has passed." />
        <Failure error={collection.error} />
        <Link to="/collections">All collections</Link>
      </>
    );
  }
  if (collection.isLoadingError) {
    return (
      <>
        <PageHead title="The collection cannot be shown now" />
        <Failure error={collection.error} onRetry={() => void collection.refetch()} />
      </>
    );
  }
  return (
    <>
      <PageHead
        title={collection.data.q}
        lead={
          <>
            {areaName(collection.data.area)} · <StatusBadge status={collection.data.status} /> · started{" "}
            <Time at={collection.data.started_at} none="not yet" />
          </>
        }
      >
        <Controls collection={collection.data} />
      </PageHead>
      {collection.isError && <Failure error={collection.error} onRetry={() => void collection.refetch()} />}
      <Reason collection={collection.data} />
      {collection.data.query_reading !== null && <p className="faint">Read as: {collection.data.query_reading}</p>}
      <CoverageAndResults collection={collection.data} />
    </>
  );
}

function Controls({ collection }: { collection: Collection }) {
  const { environment } = useEnvironment();
  const { data: session } = useSuspenseQuery(sessionQuery);
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const [question, setQuestion] = useState<Question>();
  const control = useMutation({
    mutationFn: (verb: "pause" | "resume" | "cancel") => controlCollection(environment, collection.id, verb),
    onSuccess: (changed) => queryClient.setQueryData(collectionQuery(environment, collection.id).queryKey, changed),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ["collections"] }),
  });
  if (!mayChange(session.role)) return null;

  const askToCancel = () =>
    setQuestion({
      title: "Cancel this collection?",
      lead: "What was collected so far stays, and so does its charge. A canceled collection cannot go on; pause it to go on later.",
      verb: "Cancel for good",
      work: () => control.mutateAsync("cancel"),
    });

  return (
    <>
      {control.isError && !question && <Failure error={control.error} />}
      {collection.progress.businesses > 0 && hasEnded(collection) && (
        <ExportSelect of={{ collection_id: collection.id }} />
      )}
      {isOpen(collection) && (
        <ActionButton
          type="button"
          className="button"
          isBusy={control.isPending}
          onClick={() => control.mutate("pause")}
        >
          <Pause aria-hidden />
          Pause
        </ActionButton>
      )}
      {collection.status === "paused" && (
        <ActionButton
          type="button"
          className="button primary"
          isBusy={control.isPending}
          onClick={() => control.mutate("resume")}
        >
          <Play aria-hidden />
          Resume
        </ActionButton>
      )}
      {!hasEnded(collection) && (
        <ActionButton type="button" className="button danger" isBusy={control.isPending} onClick={askToCancel}>
          <X aria-hidden />
          Cancel collection
        </ActionButton>
      )}
      {hasEnded(collection) && (
        <DeleteButton
          noun="collection"
          lead="Its results go, and so does every export that holds them. What it cost stays charged."
          work={() => deleteCollection(environment, collection.id)}
          afterwards={async () => {
            await navigate({ to: "/collections" });
            await queryClient.invalidateQueries({ queryKey: ["collections"] });
          }}
        />
      )}
      <Confirm question={question} onClose={() => setQuestion(undefined)} />
    </>
  );
}

type Sentence = readonly [title: string, sentence: string];

const reasons: Record<NonNullable<Collection["status_reason"]>, Sentence> = {
  requested: ["Stopped by a person", "Nothing is charged while it rests; what is stored stays."],
  max_units_reached: ["The ceiling was reached", "The map shows what was left out; a new collection can go on there."],
  allowance_exhausted: ["The month’s allowance is used up", "Resume it when there are units again."],
  source_unavailable: ["The source kept failing in some cells", "The map shows which."],
};

/** Ends that the same reason has another meaning for. */
const endReasons: Partial<Record<Collection["status"], Sentence>> = {
  canceled: ["Canceled by a person", "It cannot go on; what is stored stays."],
  failed: ["The source gave no page at all", "Nothing was charged. The map shows where it was asked."],
};

function Reason({ collection: { status, status_reason: reason } }: { collection: Collection }) {
  if (!reason) return null;
  const [title, sentence] = endReasons[status] ?? reasons[reason];
  return (
    <p className={`notice ${status === "failed" ? "bad" : "warn"}`}>
      <strong>{title}</strong>
      {sentence}
    </p>
  );
}

const whyEmpty: Record<Collection["status"], string> = {
  queued: "Nothing stored yet.",
  running: "Nothing stored yet.",
  paused: "Nothing stored yet.",
  succeeded: "The source has none in this area.",
  partial: "The source has none in the cells that were read.",
  failed: "The source gave no page, so nothing was stored.",
  canceled: "The collection was canceled before anything was stored.",
};

function CoverageAndResults({ collection }: { collection: Collection }) {
  const { environment } = useEnvironment();
  const coverage = useQuery(coverageQuery(environment, collection));
  const results = useInfiniteQuery(collectionResultsQuery(environment, collection));
  const onMap = useQuery(mapResultsQuery(environment, collection));
  const businesses = results.data?.pages.flatMap(({ records }) => records) ?? [];
  return (
    <>
      {coverage.isPending && <Loading rows={12} />}
      {coverage.isError && <Failure error={coverage.error} onRetry={() => void coverage.refetch()} />}
      {coverage.data && (
        <div className="coverage-layout">
          <CoverageMap cells={coverage.data.cells} businesses={onMap.data ?? noBusinesses} />
          <Completeness collection={collection} cells={coverage.data.cells} />
        </div>
      )}
      {coverage.data?.isWhole === false && (
        <p className="faint">The map shows the first {coverage.data.cells.length.toLocaleString()} cells.</p>
      )}
      <section className="stack">
        <div className="row between">
          <h2>Results</h2>
          <span className="faint">
            {businesses.length.toLocaleString()} of {collection.progress.businesses.toLocaleString()} shown
          </span>
        </div>
        {results.isError && <Failure error={results.error} onRetry={() => void results.refetch()} />}
        {results.isSuccess && businesses.length === 0 && <p className="soft">{whyEmpty[collection.status]}</p>}
        {businesses.length > 0 && <BusinessTable businesses={businesses} />}
        <div className="row">
          {results.hasNextPage && (
            <ActionButton
              type="button"
              className="button"
              isBusy={results.isFetchingNextPage}
              onClick={() => void results.fetchNextPage()}
            >
              Show more
            </ActionButton>
          )}
          {!hasEnded(collection) && (
            <button type="button" className="button" onClick={() => void results.refetch()}>
              Read again
            </button>
          )}
        </div>
      </section>
    </>
  );
}
