import { useMutation, useQueryClient, useSuspenseQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { SearchRequest } from "@waypost/sdk";
import { MapPin, Search } from "lucide-react";
import { type FormEvent, useCallback, useState } from "react";
import { useEnvironment } from "../api/environment.tsx";
import { type Cost, createScrape, search } from "../api/scrapes.ts";
import { mayChange, sessionQuery } from "../api/session.ts";
import { hasCeiling } from "../api/usage.ts";
import { loadedMap } from "../map/loaded-map.tsx";
import { ActionButton } from "../parts/action-button.tsx";
import { BusinessTable } from "../parts/businesses.tsx";
import { Code } from "../parts/code.tsx";
import { CopyAs } from "../parts/copy-as.tsx";
import { Empty } from "../parts/empty.tsx";
import { useEntryState } from "../parts/entry-state.ts";
import { Failure } from "../parts/failure.tsx";
import { Field } from "../parts/field.tsx";
import { text } from "../parts/forms.ts";
import { Loading } from "../parts/loading.tsx";
import { PageHead } from "../parts/page-head.tsx";
import { Tabs } from "../parts/tabs.tsx";

const AroundMap = loadedMap("around", "map around", async () => (await import("../map/around-map.tsx")).AroundMap);
const BusinessMap = loadedMap("business", "map", async () => (await import("../map/business-map.tsx")).BusinessMap);

/** Try a query as a program would send it, see the answer, and take the call along. */
export function PlaygroundPage() {
  const { environment } = useEnvironment();
  const { data: session } = useSuspenseQuery(sessionQuery);
  const [request, setRequest] = useEntryState<SearchRequest>("request", { q: "coffee in Vaduz" });
  const [around, setAround] = useState(request.ll ?? "");
  const [isChoosing, setChoosing] = useState(false);
  const [view, setView] = useState<"list" | "map" | "json">("list");
  const [chosenId, setChosenId] = useState<string>();
  const find = useMutation({
    mutationFn: async (wanted: SearchRequest) => ({ environment, ...(await search(environment, wanted)) }),
  });
  // What one environment answered says nothing about the other.
  const answer = find.data?.environment === environment ? find.data : undefined;

  const moveTo = useCallback(
    (ll: string) => {
      setAround(ll);
      setRequest((last) => ({ ...last, ll }));
    },
    [setRequest],
  );

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const wanted = readRequest(new FormData(event.currentTarget));
    setRequest(wanted);
    find.mutate(wanted);
  }

  return (
    <>
      <PageHead title="Playground" lead="Ask as a program would. What you see is what the API answers." />
      <form
        className="card search-form"
        onSubmit={submit}
        onChange={(event) => setRequest(readRequest(new FormData(event.currentTarget)))}
      >
        <div className="search-line">
          <Field label="Query" name="q" required minLength={2} maxLength={200} defaultValue={request.q} autoFocus />
          <ActionButton className="button primary" disabled={!mayChange(session.role)} isBusy={find.isPending}>
            <Search aria-hidden />
            {find.isPending ? "Searching…" : environment === "live" ? "Search, 1 unit" : "Search, free"}
          </ActionButton>
        </div>
        <div className="search-options">
          <div className="with-button">
            <Field
              label="Around (ll)"
              name="ll"
              placeholder="@47.1410,9.5209,14z"
              maxLength={80}
              value={around}
              onChange={({ currentTarget }) => setAround(currentTarget.value)}
            />
            <button
              type="button"
              className="button icon"
              aria-label="Choose on the map"
              title="Choose on the map"
              aria-pressed={isChoosing}
              onClick={() => setChoosing(!isChoosing)}
            >
              <MapPin aria-hidden />
            </button>
          </div>
          <Field label="Language (hl)" name="hl" placeholder="en" maxLength={35} defaultValue={request.hl} />
          <Field label="Country (gl)" name="gl" placeholder="li" maxLength={2} defaultValue={request.gl} />
          <Field label="Page" name="page" type="number" min={1} max={10} placeholder="1" defaultValue={request.page} />
          <label className="check">
            <input type="checkbox" name="extra" defaultChecked={request.extra} />
            Reviews, photos, contacts
          </label>
        </div>
        {isChoosing && (
          <div className="stack">
            <AroundMap around={around} onMove={moveTo} />
            <span className="faint">
              The search looks around the middle of the map, the nearer the deeper you zoom. Move it, click on it, or
              use the arrow keys, + and −.
            </span>
          </div>
        )}
        <div className="row between">
          <span className="faint" aria-live="polite">
            {answer
              ? costText(answer.cost)
              : environment === "live"
                ? "A page costs one unit, also when it is empty."
                : "Test searches are simulated and cost nothing."}
          </span>
          <div className="row">
            <CreateJobButton request={request} />
            <CopyAs request={request} />
          </div>
        </div>
      </form>
      {!mayChange(session.role) && <p className="notice info">Viewers read; searching needs the role of a member.</p>}
      {find.isPending && <Loading rows={8} />}
      {find.isError && <Failure error={find.error} onRetry={() => find.mutate(request)} />}
      {!answer && !find.isPending && !find.isError && (
        <div className="card">
          <Empty Icon={Search} title="Ask for something, somewhere">
            <p>
              A kind of business and a place, such as “vegan restaurant in Monaco”, or a name. Press Enter to search.
            </p>
          </Empty>
        </div>
      )}
      {answer && (
        <>
          <div className="row between">
            <h2>
              {answer.result.total === 0 ? "Nothing found" : `${answer.result.total} businesses`}
              {answer.result.simulated && <span className="badge plain test">simulated</span>}
            </h2>
            <Tabs
              label="View"
              value={view}
              onChange={(next) => setView(next)}
              choices={[
                { value: "list", label: "List" },
                { value: "map", label: "Map" },
                { value: "json", label: "JSON" },
              ]}
            />
          </div>
          {answer.reading !== undefined && <p className="faint">Read as: {answer.reading}</p>}
          {answer.result.total === 0 && (
            <p className="soft">
              {answer.result.simulated
                ? "Simulated searches have none when the query begins with test:empty, and past their last page."
                : "The source looked and has none. Try a wider area, another word, or another language."}
            </p>
          )}
          {view === "list" && answer.result.total > 0 && (
            <BusinessTable
              businesses={answer.result.businesses}
              chosenId={chosenId}
              onChoose={({ businessId }) => {
                setChosenId(businessId);
                setView("map");
              }}
            />
          )}
          {view === "map" && (
            <BusinessMap businesses={answer.result.businesses} chosenId={chosenId} onChoose={setChosenId} />
          )}
          {view === "json" && <Code className="json" text={JSON.stringify(answer.result, null, 2)} />}
        </>
      )}
    </>
  );
}

function CreateJobButton({ request }: { request: SearchRequest }) {
  const { environment } = useEnvironment();
  const { data: session } = useSuspenseQuery(sessionQuery);
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const create = useMutation({
    mutationFn: () => createScrape(environment, request),
    async onSuccess({ scrape }) {
      await queryClient.invalidateQueries({ queryKey: ["scrapes"] });
      await navigate({ to: "/jobs/$jobId", params: { jobId: scrape.id } });
    },
  });
  if (!mayChange(session.role)) return null;
  return (
    <>
      {create.isError && <Failure error={create.error} />}
      <ActionButton type="button" className="button" isBusy={create.isPending} onClick={() => create.mutate()}>
        Create a job
      </ActionButton>
    </>
  );
}

function costText({ charged, remaining }: Cost): string {
  const taken = `${charged} ${charged === 1 ? "unit" : "units"} charged`;
  return hasCeiling(remaining) ? `${taken}, ${remaining.toLocaleString()} left this month` : taken;
}

function readRequest(form: FormData): SearchRequest {
  const [q, ll, hl, gl, page] = ["q", "ll", "hl", "gl", "page"].map((name) => text(form, name).trim());
  return {
    q: q ?? "",
    ...(ll ? { ll } : {}),
    ...(hl ? { hl } : {}),
    ...(gl ? { gl } : {}),
    ...(page ? { page: Number(page) } : {}),
    ...(form.has("extra") ? { extra: true } : {}),
  };
}
