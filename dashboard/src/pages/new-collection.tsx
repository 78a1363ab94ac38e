import { useMutation, useQuery, useQueryClient, useSuspenseQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type FormEvent, useEffect, useState } from "react";
import {
  type Area,
  type CollectionRequest,
  createCollection,
  type Estimate,
  estimateQuery,
} from "../api/collections.ts";
import { useEnvironment } from "../api/environment.tsx";
import { Problem } from "../api/problem.ts";
import { mayChange, sessionQuery } from "../api/session.ts";
import { hasCeiling, usageQuery } from "../api/usage.ts";
import { loadedMap } from "../map/loaded-map.tsx";
import { ActionButton } from "../parts/action-button.tsx";
import { useEntryState } from "../parts/entry-state.ts";
import { Failure } from "../parts/failure.tsx";
import { Field } from "../parts/field.tsx";
import { text } from "../parts/forms.ts";
import { NeedsRole } from "../parts/needs-role.tsx";
import { PageHead } from "../parts/page-head.tsx";
import { Tabs } from "../parts/tabs.tsx";

const AreaMap = loadedMap("area", "map area", async () => (await import("../map/area-map.tsx")).AreaMap);

type Way = "place" | "map";
type Draft = Omit<CollectionRequest, "area" | "max_units">;

const typingMs = 500;

export function NewCollectionPage() {
  const { data: session } = useSuspenseQuery(sessionQuery);
  return (
    <>
      <PageHead
        title="New collection"
        lead="Name what you look for and where. You see what it takes before you start it."
      />
      {mayChange(session.role) ? <CollectionForm /> : <NeedsRole what="Collecting needs" />}
    </>
  );
}

function CollectionForm() {
  const { environment } = useEnvironment();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const [way, setWay] = useEntryState<Way>("way", "place");
  const [draft, setDraft] = useEntryState<Draft>("draft", { q: "" });
  const [place, setPlace] = useEntryState("place", "");
  const [drawn, setDrawn] = useEntryState<Area | undefined>("drawn", undefined);
  const [ceiling, setCeiling] = useEntryState("ceiling", "");

  const area = way === "map" ? drawn : place.trim().length >= 2 ? { place: place.trim() } : undefined;
  const request = useSettled({ draft, area });
  const isCountable = request.draft.q.length >= 2 && request.area !== undefined;
  const estimate = useQuery({
    ...estimateQuery(environment, { ...countable(request.draft), area: request.area ?? { place: "" } }),
    enabled: isCountable,
  });
  const create = useMutation({
    mutationFn: (body: CollectionRequest) => createCollection(environment, body),
    async onSuccess({ id }) {
      await queryClient.invalidateQueries({ queryKey: ["collections"] });
      await navigate({ to: "/collections/$collectionId", params: { collectionId: id } });
    },
  });
  const units = Number(ceiling) || suggested(estimate.data);

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (area) create.mutate({ ...draft, area, max_units: units });
  }

  return (
    <form
      className="collection-form"
      onSubmit={submit}
      onChange={(event) => setDraft(readDraft(new FormData(event.currentTarget)))}
    >
      <div className="card form-side">
        <Field
          label="Query"
          name="q"
          required
          minLength={2}
          maxLength={200}
          placeholder="restaurants"
          defaultValue={draft.q}
          autoFocus
          hint="A kind of business, without a place."
          problem={problemOf(create.error, "/q")}
        />
        <div className="field">
          <span className="label">Area</span>
          <Tabs
            label="Area"
            value={way}
            onChange={(next) => setWay(next)}
            choices={[
              { value: "place", label: "By name" },
              { value: "map", label: "On the map" },
            ]}
          />
        </div>
        {way === "place" && (
          <Field
            label="Place"
            name="place"
            value={place}
            onChange={({ currentTarget }) => setPlace(currentTarget.value)}
            minLength={2}
            maxLength={200}
            placeholder="Vaduz, Liechtenstein"
            hint="A town, region or country; a town with its country after a comma."
            problem={problemOf(estimate.error, "/area/place") ?? problemOf(create.error, "/area/place")}
          />
        )}
        <div className="pair">
          <Field label="Language (hl)" name="hl" placeholder="en" maxLength={35} defaultValue={draft.hl} />
          <Field label="Country (gl)" name="gl" placeholder="li" maxLength={2} defaultValue={draft.gl} />
        </div>
        <label className="check">
          <input type="checkbox" name="extra" defaultChecked={draft.extra} />
          Contacts from the businesses’ websites
        </label>
        <EstimateCard
          estimate={isCountable ? estimate.data : undefined}
          isCounting={isCountable && estimate.isFetching}
        />
        <Field
          label="Ceiling in units"
          name="max_units"
          type="number"
          min={1}
          max={100_000}
          value={ceiling}
          onChange={({ currentTarget }) => setCeiling(currentTarget.value)}
          placeholder={String(suggested(estimate.data))}
          hint="It never takes more. What the ceiling leaves out is shown on the map."
          problem={problemOf(create.error, "/max_units")}
        />
        {create.isError && !isBesideField(create.error) && <Failure error={create.error} />}
        {estimate.isError && !isBesideField(estimate.error) && <Failure error={estimate.error} />}
        <ActionButton
          className="button primary"
          disabled={!area || draft.q.trim().length < 2}
          isBusy={create.isPending}
        >
          {environment === "test" ? "Start, free" : `Start, at most ${units.toLocaleString()} units`}
        </ActionButton>
      </div>
      <div className="map-side">
        <AreaMap
          key={way}
          bounds={way === "place" && isCountable ? estimate.data?.bounds : undefined}
          drawn={way === "map" ? drawn : undefined}
          onDraw={way === "map" ? setDrawn : undefined}
        />
      </div>
    </form>
  );
}

function EstimateCard({ estimate, isCounting }: { estimate: Estimate | undefined; isCounting: boolean }) {
  const { environment } = useEnvironment();
  const usage = useQuery(usageQuery);
  return (
    <div className="estimate" role="status">
      <span className="label">Estimate</span>
      {!estimate && (
        <span className="soft">{isCounting ? "Counting…" : "Name a query and an area to see what it takes."}</span>
      )}
      {estimate && (
        <>
          <strong className="estimate-units">{unitsText(estimate, environment === "test")}</strong>
          <span className="soft">{businessesText(estimate, environment === "test")}</span>
        </>
      )}
      {environment === "live" && usage.data && (
        <span className="faint">
          {hasCeiling(usage.data.remaining)
            ? `${usage.data.remaining.toLocaleString()} units are left this month.`
            : `${usage.data.used.toLocaleString()} units are used this month.`}
        </span>
      )}
    </div>
  );
}

function unitsText({ units, is_complete: isComplete }: Estimate, isTest: boolean): string {
  if (isTest) return "Free";
  if (units === null) return "Unknown";
  return `${isComplete ? "" : "At least "}${units.toLocaleString()} ${units === 1 ? "unit" : "units"}`;
}

function businessesText({ businesses, is_complete: isComplete }: Estimate, isTest: boolean): string {
  if (isTest) return "Test collections are simulated.";
  if (businesses === null) return "This source cannot count beforehand; the ceiling protects you.";
  const counted = businesses.toLocaleString();
  return isComplete ? `${counted} businesses, counted without charge` : `More than ${counted} businesses`;
}

/** A tenth more than was counted: between counting and collecting, data may grow. */
function suggested(estimate: Estimate | undefined): number {
  const units = estimate?.units ?? 0;
  if (units === 0) return 100;
  const roomy = Math.ceil(units * 1.1) + 1;
  return Math.min(100_000, estimate?.is_complete ? roomy : roomy * 4);
}

/** The value once it has not changed for a moment, so that not every letter is counted. */
function useSettled<Value>(value: Value): Value {
  const current = JSON.stringify(value);
  const [settled, setSettled] = useState(current);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(current), typingMs);
    return () => clearTimeout(timer);
  }, [current]);
  return JSON.parse(settled) as Value;
}

function countable({ q, hl, gl }: Draft) {
  return { q, ...(hl ? { hl } : {}), ...(gl ? { gl } : {}) };
}

function readDraft(form: FormData): Draft {
  const [q, hl, gl] = ["q", "hl", "gl"].map((name) => text(form, name).trim());
  return {
    ...countable({ q: q ?? "", ...(hl ? { hl } : {}), ...(gl ? { gl } : {}) }),
    ...(form.has("extra") ? { extra: true } : {}),
  };
}

/** Whether a field says what is wrong. */
function isBesideField(error: unknown): boolean {
  return ["/q", "/area/place", "/max_units"].some((pointer) => problemOf(error, pointer) !== undefined);
}

function problemOf(error: unknown, pointer: string): string | undefined {
  return error instanceof Problem ? error.about(pointer) : undefined;
}
