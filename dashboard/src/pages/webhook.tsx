import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import type { WebhookEndpoint } from "@waypost/sdk";
import { mayChange, sessionQuery } from "../api/session.ts";
import { endpointsQuery } from "../api/webhooks.ts";
import { Deliveries } from "../parts/deliveries.tsx";
import { EndpointActions } from "../parts/endpoint-actions.tsx";
import { Failure } from "../parts/failure.tsx";
import { Loading } from "../parts/loading.tsx";
import { NeedsRole } from "../parts/needs-role.tsx";
import { PageHead } from "../parts/page-head.tsx";
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
  const { data: session } = useSuspenseQuery(sessionQuery);
  const mayRead = mayChange(session.role);
  const endpoints = useQuery({ ...endpointsQuery, enabled: mayRead });
  const endpoint = endpoints.data?.find(({ id }) => id === endpointId);

  if (!mayRead) {
    return (
      <>
        <PageHead title="Webhook endpoint" />
        <NeedsRole what="Webhooks need" />
      </>
    );
  }
  if (endpoints.isPending) return <Loading />;
  // One that was read before stays: it may be showing a secret, which nothing shows again.
  if (endpoints.isLoadingError) {
    return (
      <>
        <PageHead title="The endpoint cannot be shown now" />
        <Failure error={endpoints.error} onRetry={() => void endpoints.refetch()} />
      </>
    );
  }
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
      <PageHead title={endpoint.description?.trim() || "Webhook endpoint"} lead={<code>{endpoint.url}</code>} />
      {endpoints.isError && <Failure error={endpoints.error} onRetry={() => void endpoints.refetch()} />}
      <Health endpoint={endpoint} />
      <EndpointActions endpoint={endpoint} />
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
