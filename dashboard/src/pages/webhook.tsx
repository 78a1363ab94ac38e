import { useMutation, useQuery, useQueryClient, useSuspenseQuery } from "@tanstack/react-query";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import type { WebhookDelivery, WebhookEndpoint } from "@waypost/sdk";
import { useState } from "react";
import { mayChange, sessionQuery } from "../api/session.ts";
import {
  deleteEndpoint,
  deliveriesQuery,
  endpointsQuery,
  resendDelivery,
  rotateSecret,
  sendTestEvent,
  setEndpointStatus,
} from "../api/webhooks.ts";
import { Code } from "../parts/code.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { Failure } from "../parts/failure.tsx";
import { Loading } from "../parts/loading.tsx";
import { PageHead } from "../parts/page-head.tsx";
import { RevealOnce } from "../parts/reveal-once.tsx";
import { StatusBadge } from "../parts/status-badge.tsx";
import { Time } from "../parts/time.tsx";

const route = getRouteApi("/signed-in/webhooks/$endpointId");

const reasons: Record<string, string> = {
  repeated_failures: "Five deliveries in a row failed for good. Mend the receiver, then activate the endpoint again.",
  non_public_target: "Its host resolved to an address that is not public. Point it to a public one, then activate it.",
  gone: "The receiver answered 410 Gone, which says that it wants no more.",
};

export function WebhookPage() {
  const { endpointId } = route.useParams();
  const endpoints = useQuery(endpointsQuery);
  const endpoint = endpoints.data?.find(({ id }) => id === endpointId);

  if (endpoints.isPending) return <Loading />;
  if (endpoints.isError) return <Failure error={endpoints.error} onRetry={() => void endpoints.refetch()} />;
  if (!endpoint) {
    return (
      <>
        <PageHead title="No such endpoint" lead="It was deleted, or never was." />
        <Link to="/webhooks">All endpoints</Link>
      </>
    );
  }
  return (
    <>
      <PageHead title={endpoint.description ?? "Webhook endpoint"} lead={<code>{endpoint.url}</code>} />
      <Health endpoint={endpoint} />
      <Actions endpoint={endpoint} />
      <Deliveries endpointId={endpointId} />
    </>
  );
}

function Health({ endpoint }: { endpoint: WebhookEndpoint }) {
  const { status, status_reason: reason, warned_at: warnedAt, secret_version: version } = endpoint;
  return (
    <>
      {reason && <p className="notice bad">{reasons[reason]}</p>}
      {warnedAt && !reason && (
        <p className="notice warn">
          Three deliveries in a row failed for good (<Time at={warnedAt} />
          ). After five the endpoint is disabled; any success clears this.
        </p>
      )}
      <div className="card">
        <dl className="row stats">
          <div className="stat">
            <dt>State</dt>
            <dd>
              <StatusBadge status={status} />
            </dd>
          </div>
          <div className="stat">
            <dt>Secret version</dt>
            <dd>{version}</dd>
          </div>
          <div className="stat">
            <dt>Id</dt>
            <dd>
              <code>{endpoint.id}</code>
            </dd>
          </div>
        </dl>
        <p className="faint">Hears of {endpoint.event_types.join(", ")}.</p>
      </div>
    </>
  );
}

function Actions({ endpoint }: { endpoint: WebhookEndpoint }) {
  const { data: session } = useSuspenseQuery(sessionQuery);
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const [asking, setAsking] = useState<"rotate" | "delete">();
  const [secret, setSecret] = useState<string>();
  const refresh = () => queryClient.invalidateQueries();
  const setStatus = useMutation({
    mutationFn: (status: "active" | "paused") => setEndpointStatus(endpoint.id, status),
    onSettled: refresh,
  });
  const test = useMutation({ mutationFn: () => sendTestEvent(endpoint.id), onSettled: refresh });
  const rotate = useMutation({
    mutationFn: (mode: "normal" | "compromise") => rotateSecret(endpoint.id, mode),
    onSuccess(rotated) {
      setAsking(undefined);
      setSecret(rotated.secret);
      void refresh();
    },
  });
  const remove = useMutation({
    mutationFn: () => deleteEndpoint(endpoint.id),
    async onSuccess() {
      await queryClient.invalidateQueries(endpointsQuery);
      await navigate({ to: "/webhooks" });
    },
  });
  if (!mayChange(session.role)) return null;

  const isActive = endpoint.status === "active";
  const failed = [setStatus, test, rotate, remove].find(({ isError }) => isError);
  return (
    <>
      {failed && <Failure error={failed.error} />}
      <div className="row">
        <button type="button" className="button" disabled={!isActive || test.isPending} onClick={() => test.mutate()}>
          Send a test event
        </button>
        <button
          type="button"
          className="button"
          disabled={setStatus.isPending}
          onClick={() => setStatus.mutate(isActive ? "paused" : "active")}
        >
          {isActive ? "Pause" : "Activate"}
        </button>
        <button type="button" className="button" onClick={() => setAsking("rotate")}>
          Rotate secret
        </button>
        <button type="button" className="button danger" onClick={() => setAsking("delete")}>
          Delete
        </button>
      </div>
      {test.isSuccess && (
        <p className="notice good" role="status">
          A test event is on its way; it appears below.
        </p>
      )}
      <Dialog
        isOpen={asking === "rotate"}
        onClose={() => setAsking(undefined)}
        title="Rotate the signing secret"
        lead="Both ways make a new secret, which is shown once."
      >
        <div className="choice">
          <h3>Normal</h3>
          <p className="soft">
            The previous secret stays valid for at least 25 hours and until its deliveries have drained. Change your
            program within that time; nothing is lost.
          </p>
          <button type="button" className="button primary" onClick={() => rotate.mutate("normal")}>
            Rotate normally
          </button>
        </div>
        <div className="choice">
          <h3>Compromised</h3>
          <p className="soft">
            The previous secret stops at once, and what has not been delivered is signed with the new one. Your program
            refuses deliveries until it has the new secret; they are retried.
          </p>
          <button type="button" className="button danger" onClick={() => rotate.mutate("compromise")}>
            The secret leaked: revoke it
          </button>
        </div>
      </Dialog>
      <Dialog
        isOpen={asking === "delete"}
        onClose={() => setAsking(undefined)}
        title="Delete this endpoint?"
        lead="Deliveries that wait are ended. This cannot be undone."
      >
        <div className="row end">
          <button type="button" className="button danger" disabled={remove.isPending} onClick={() => remove.mutate()}>
            Delete endpoint
          </button>
        </div>
      </Dialog>
      <RevealOnce
        title="The new signing secret"
        lead="Your program checks X-SVC-Signature with it."
        secret={secret}
        onClose={() => setSecret(undefined)}
      />
    </>
  );
}

function Deliveries({ endpointId }: { endpointId: string }) {
  const deliveries = useQuery(deliveriesQuery(endpointId));
  if (deliveries.isPending) return <Loading />;
  if (deliveries.isError) return <Failure error={deliveries.error} onRetry={() => void deliveries.refetch()} />;
  return (
    <section className="stack">
      <h2>Recent deliveries</h2>
      {deliveries.data.length === 0 && (
        <p className="soft">None yet. Send a test event, or create a job that names this endpoint.</p>
      )}
      {deliveries.data.map((delivery) => (
        <DeliveryCard key={delivery.id} delivery={delivery} />
      ))}
    </section>
  );
}

function DeliveryCard({ delivery }: { delivery: WebhookDelivery }) {
  const { data: session } = useSuspenseQuery(sessionQuery);
  const queryClient = useQueryClient();
  const resend = useMutation({
    mutationFn: () => resendDelivery(delivery.id),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ["webhook-deliveries"] }),
  });
  return (
    <details className="card delivery">
      <summary>
        <StatusBadge status={delivery.status} />
        <strong>{delivery.event_type}</strong>
        <span className="faint">
          {delivery.attempt_count} of 7 attempts · <Time at={delivery.created_at} />
        </span>
      </summary>
      {resend.isError && <Failure error={resend.error} />}
      <dl className="facts">
        <dt>Event</dt>
        <dd>
          <code>{delivery.event_id}</code>
        </dd>
        <dt>Resource</dt>
        <dd>
          <code>
            {delivery.resource.type} {delivery.resource.id} #{delivery.resource.sequence}
          </code>
        </dd>
        {delivery.next_attempt_at && (
          <>
            <dt>Next attempt</dt>
            <dd>
              <Time at={delivery.next_attempt_at} />
            </dd>
          </>
        )}
      </dl>
      <ol className="stack">
        {delivery.attempts.map((attempt, index) => (
          <li key={index} className="attempt">
            <div className="row">
              <span className={`badge plain ${attempt.error === null ? "good" : "bad"}`}>
                {attempt.http_status ?? attempt.error}
              </span>
              <span>
                Attempt {attempt.number}
                {attempt.resend && ", sent by hand"}
              </span>
              <span className="faint">
                <Time at={attempt.started_at} /> · {attempt.latency_ms} ms · secret {attempt.secret_version}
              </span>
            </div>
            {attempt.response && <Code text={attempt.response} />}
          </li>
        ))}
      </ol>
      {mayChange(session.role) && (
        <div>
          <button type="button" className="button" disabled={resend.isPending} onClick={() => resend.mutate()}>
            Send again
          </button>
        </div>
      )}
    </details>
  );
}
