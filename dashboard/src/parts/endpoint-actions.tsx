import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { WebhookEndpoint } from "@waypost/sdk";
import { useState } from "react";
import { deleteEndpoint, endpointsQuery, rotateSecret, sendTestEvent, setEndpointStatus } from "../api/webhooks.ts";
import { ActionButton } from "./action-button.tsx";
import { Confirm, type Question } from "./confirm.tsx";
import { Dialog } from "./dialog.tsx";
import { Failure } from "./failure.tsx";
import { RevealOnce } from "./reveal-once.tsx";

/** What can be done to an endpoint, by those who see it. */
export function EndpointActions({ endpoint }: { endpoint: WebhookEndpoint }) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const [isRotating, setRotating] = useState(false);
  const [question, setQuestion] = useState<Question>();
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
      setRotating(false);
      setSecret(rotated.secret);
      void refresh();
    },
  });
  function stopRotating() {
    setRotating(false);
    rotate.reset();
  }
  const askToDelete = () =>
    setQuestion({
      title: "Delete this endpoint?",
      lead: "Deliveries that wait are ended. This cannot be undone.",
      verb: "Delete endpoint",
      work: () => deleteEndpoint(endpoint.id),
      async afterwards() {
        await queryClient.invalidateQueries(endpointsQuery);
        await navigate({ to: "/webhooks" });
      },
    });

  const isActive = endpoint.status === "active";
  const failed = [setStatus, test].find(({ isError }) => isError);
  return (
    <>
      {failed && <Failure error={failed.error} />}
      <div className="row">
        <ActionButton
          type="button"
          className="button"
          disabled={!isActive}
          isBusy={test.isPending}
          onClick={() => test.mutate()}
        >
          Send a test event
        </ActionButton>
        <ActionButton
          type="button"
          className="button"
          isBusy={setStatus.isPending}
          onClick={() => setStatus.mutate(isActive ? "paused" : "active")}
        >
          {isActive ? "Pause" : "Activate"}
        </ActionButton>
        <button type="button" className="button" onClick={() => setRotating(true)}>
          Rotate secret
        </button>
        <button type="button" className="button danger" onClick={askToDelete}>
          Delete
        </button>
      </div>
      {test.isSuccess && (
        <p className="notice good" role="status">
          A test event is on its way; it appears below.
        </p>
      )}
      <Dialog
        isOpen={isRotating}
        onClose={stopRotating}
        title="Rotate the signing secret"
        lead="Both ways make a new secret, which is shown once."
      >
        {rotate.isError && <Failure error={rotate.error} />}
        <div className="choice">
          <h3>Normal</h3>
          <p className="soft">
            The previous secret stays valid for at least 25 hours and until its deliveries have drained. Change your
            program within that time; nothing is lost.
          </p>
          <ActionButton
            type="button"
            className="button primary"
            isBusy={rotate.isPending}
            onClick={() => rotate.mutate("normal")}
          >
            Rotate normally
          </ActionButton>
        </div>
        <div className="choice">
          <h3>Compromised</h3>
          <p className="soft">
            The previous secret stops at once, and what has not been delivered is signed with the new one. Your program
            refuses deliveries until it has the new secret; they are retried.
          </p>
          <ActionButton
            type="button"
            className="button danger"
            isBusy={rotate.isPending}
            onClick={() => rotate.mutate("compromise")}
          >
            The secret leaked: revoke it
          </ActionButton>
        </div>
      </Dialog>
      <Confirm question={question} onClose={() => setQuestion(undefined)} />
      <RevealOnce
        title="The new signing secret"
        lead="Your program checks X-SVC-Signature with it."
        secret={secret}
        onClose={() => setSecret(undefined)}
      />
    </>
  );
}
