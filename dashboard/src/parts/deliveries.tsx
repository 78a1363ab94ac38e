import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { WebhookDelivery } from "@waypost/sdk";
import { deliveriesQuery, resendDelivery } from "../api/webhooks.ts";
import { ActionButton } from "./action-button.tsx";
import { Code } from "./code.tsx";
import { Failure } from "./failure.tsx";
import { Loading } from "./loading.tsx";
import { StatusBadge } from "./status-badge.tsx";
import { Time } from "./time.tsx";

/** What was sent to an endpoint lately, with each attempt and what was answered. */
export function Deliveries({ endpointId }: { endpointId: string }) {
  const deliveries = useQuery(deliveriesQuery(endpointId));
  if (deliveries.isPending) return <Loading />;
  const failure = deliveries.isError && <Failure error={deliveries.error} onRetry={() => void deliveries.refetch()} />;
  if (deliveries.isLoadingError) return failure;
  return (
    <section className="stack">
      <h2>Recent deliveries</h2>
      {failure}
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
      <div>
        <ActionButton type="button" className="button" isBusy={resend.isPending} onClick={() => resend.mutate()}>
          Send again
        </ActionButton>
      </div>
    </details>
  );
}
