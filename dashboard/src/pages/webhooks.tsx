import { useMutation, useQuery, useQueryClient, useSuspenseQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { WebhookEndpointWithSecret } from "@waypost/sdk";
import { Plus, Webhook } from "lucide-react";
import { type FormEvent, useState } from "react";
import { Problem } from "../api/problem.ts";
import { mayChange, sessionQuery } from "../api/session.ts";
import { createEndpoint, endpointsQuery } from "../api/webhooks.ts";
import { ActionButton } from "../parts/action-button.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { Empty } from "../parts/empty.tsx";
import { Failure } from "../parts/failure.tsx";
import { Field } from "../parts/field.tsx";
import { text } from "../parts/forms.ts";
import { Loading } from "../parts/loading.tsx";
import { NeedsRole } from "../parts/needs-role.tsx";
import { PageHead } from "../parts/page-head.tsx";
import { RevealOnce } from "../parts/reveal-once.tsx";
import { StatusBadge } from "../parts/status-badge.tsx";
import { Time } from "../parts/time.tsx";
import { Table } from "../parts/table.tsx";

export function WebhooksPage() {
  const { data: session } = useSuspenseQuery(sessionQuery);
  const mayRead = mayChange(session.role);
  const endpoints = useQuery({ ...endpointsQuery, enabled: mayRead });
  const queryClient = useQueryClient();
  const [isCreating, setCreating] = useState(false);
  const [created, setCreated] = useState<WebhookEndpointWithSecret>();

  function done(endpoint: WebhookEndpointWithSecret) {
    setCreating(false);
    setCreated(endpoint);
    void queryClient.invalidateQueries(endpointsQuery);
  }

  return (
    <>
      <PageHead
        title="Webhooks"
        lead="Signed notifications about live jobs, collections and exports, sent to your own HTTPS address. They carry no rows."
      >
        {mayRead && (
          <button type="button" className="button primary" onClick={() => setCreating(true)}>
            <Plus aria-hidden />
            Add endpoint
          </button>
        )}
      </PageHead>
      {!mayRead && <NeedsRole what="Webhooks need" />}
      {mayRead && endpoints.isPending && <Loading />}
      {endpoints.isError && <Failure error={endpoints.error} onRetry={() => void endpoints.refetch()} />}
      {endpoints.data?.length === 0 && (
        <div className="card">
          <Empty Icon={Webhook} title="No endpoints yet">
            <p>
              Add the address of a program of yours. Name the endpoint when you create a job, and it hears when the job
              starts, progresses and ends. Nothing public yet? <code>waypost webhooks listen</code> brings the events to
              your own machine.
            </p>
          </Empty>
        </div>
      )}
      {endpoints.data && endpoints.data.length > 0 && (
        <div className="card flush table-scroll">
          <Table columns={["Endpoint", "State", "Events", "Created"]}>
            {endpoints.data.map((endpoint) => (
              <tr key={endpoint.id}>
                <td>
                  <Link to="/webhooks/$endpointId" params={{ endpointId: endpoint.id }}>
                    {endpoint.url}
                  </Link>
                  <div className="faint">{endpoint.description?.trim() || endpoint.id}</div>
                </td>
                <td>
                  <StatusBadge status={endpoint.status} />
                  {endpoint.warned_at && <div className="faint">warned about failures</div>}
                </td>
                <td>{endpoint.event_types.length === 6 ? "all six types" : endpoint.event_types.join(", ")}</td>
                <td>
                  <Time at={endpoint.created_at} />
                </td>
              </tr>
            ))}
          </Table>
        </div>
      )}
      {isCreating && <CreateDialog onClose={() => setCreating(false)} onDone={done} />}
      <RevealOnce
        title="The signing secret"
        lead="Your program checks X-SVC-Signature with it before it trusts a delivery."
        secret={created?.secret}
        onClose={() => setCreated(undefined)}
      />
    </>
  );
}

type CreateDialogProps = { onClose(): void; onDone(endpoint: WebhookEndpointWithSecret): void };

function CreateDialog({ onClose, onDone }: CreateDialogProps) {
  const create = useMutation({ mutationFn: createEndpoint, onSuccess: onDone });
  const problem = create.error instanceof Problem ? create.error : undefined;
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    create.mutate({ url: text(form, "url"), description: text(form, "description").trim() });
  }
  return (
    <Dialog isOpen onClose={onClose} title="Add an endpoint" lead="It subscribes to all six event types.">
      <form className="stack" onSubmit={submit} noValidate>
        {create.isError && !problem?.details.length && <Failure error={create.error} />}
        <Field
          label="Address"
          name="url"
          type="url"
          required
          autoFocus
          placeholder="https://example.com/waypost-events"
          hint="HTTPS, reachable from the public internet."
          problem={problem?.about("/url")}
        />
        <Field label="Description" name="description" maxLength={200} problem={problem?.about("/description")} />
        <div className="row end">
          <ActionButton className="button primary" isBusy={create.isPending}>
            Add endpoint
          </ActionButton>
        </div>
      </form>
    </Dialog>
  );
}
