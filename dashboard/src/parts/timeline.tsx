import { useQuery } from "@tanstack/react-query";
import { eventsQuery, type StoredEvent } from "../api/events.ts";
import { useEnvironment } from "../api/environment.tsx";
import { Time } from "./time.tsx";

export type Moment = { at: string; title: string; about?: string };

type TimelineProps = {
  resourceId: string;
  /** What the resource itself tells; its events are put between. */
  moments: readonly Moment[];
};

/** What happened to a job or collection, in order. Events without a webhook are kept for an hour. */
export function Timeline({ resourceId, moments }: TimelineProps) {
  const { environment } = useEnvironment();
  const events = useQuery(eventsQuery(environment, resourceId));
  const all = [...moments, ...(events.data ?? []).map(momentOf)].toSorted((one, other) =>
    one.at.localeCompare(other.at),
  );
  return (
    <section className="card">
      <h2>Timeline</h2>
      <ol className="timeline">
        {all.map(({ at, title, about }, index) => (
          <li key={`${at} ${title} ${index}`}>
            <strong>{title}</strong>
            {about && <span className="soft">{about}</span>}
            <span className="faint">
              <Time at={at} />
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}

function momentOf({
  type,
  sequence,
  has_delivery: hasDelivery,
  result_count: results,
  created_at: at,
}: StoredEvent): Moment {
  const told = hasDelivery ? "sent to its webhook" : "on the event stream";
  return { at, title: type, about: `event ${sequence}, ${told}${results === null ? "" : `, ${results} results`}` };
}
