import { useMutation, useQuery, useQueryClient, useSuspenseQuery } from "@tanstack/react-query";
import { KeyRound, Plus } from "lucide-react";
import { type FormEvent, useState } from "react";
import { type ApiKey, createKey, keysQuery, type RevealedKey, revokeKey, rotateKey } from "../api/keys.ts";
import { Problem } from "../api/problem.ts";
import { sessionQuery } from "../api/session.ts";
import { ActionButton } from "../parts/action-button.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { Empty } from "../parts/empty.tsx";
import { Failure } from "../parts/failure.tsx";
import { Field } from "../parts/field.tsx";
import { text } from "../parts/forms.ts";
import { Loading } from "../parts/loading.tsx";
import { PageHead } from "../parts/page-head.tsx";
import { RevealOnce } from "../parts/reveal-once.tsx";
import { StatusBadge } from "../parts/status-badge.tsx";
import { Time } from "../parts/time.tsx";
import { Table } from "../parts/table.tsx";

type Asking = { about: "create" } | { about: "rotate" | "revoke"; key: ApiKey } | undefined;

export function KeysPage() {
  const { data: session } = useSuspenseQuery(sessionQuery);
  const keys = useQuery(keysQuery);
  const queryClient = useQueryClient();
  const [asking, setAsking] = useState<Asking>();
  const [revealed, setRevealed] = useState<RevealedKey>();
  const isOwner = session.role === "owner";

  function done(result: ApiKey | RevealedKey) {
    setAsking(undefined);
    if ("key" in result) setRevealed(result);
    void queryClient.invalidateQueries(keysQuery);
  }

  return (
    <>
      <PageHead
        title="API keys"
        lead="Programs send a key with every request. Keys created here are live, hold every scope and do not expire."
      >
        {isOwner && (
          <button type="button" className="button primary" onClick={() => setAsking({ about: "create" })}>
            <Plus aria-hidden />
            Create key
          </button>
        )}
      </PageHead>
      {!isOwner && <p className="notice info">Only owners create, rotate and revoke keys.</p>}
      {keys.isPending && <Loading />}
      {keys.isError && <Failure error={keys.error} onRetry={() => void keys.refetch()} />}
      {keys.data?.length === 0 && (
        <div className="card">
          <Empty Icon={KeyRound} title="No keys yet">
            <p>Create one and send it in the header API-KEY.</p>
          </Empty>
        </div>
      )}
      {keys.data && keys.data.length > 0 && (
        <div className="card flush table-scroll">
          <Table columns={["Name", "Key", "State", "Last use", "Created", { name: "Actions", isUnnamed: true }]}>
            {keys.data.map((key) => (
              <KeyRow key={key.id} apiKey={key} isOwner={isOwner} onAsk={setAsking} />
            ))}
          </Table>
        </div>
      )}
      <CreateDialog isOpen={asking?.about === "create"} onClose={() => setAsking(undefined)} onDone={done} />
      {asking?.about === "rotate" && (
        <RotateDialog apiKey={asking.key} onClose={() => setAsking(undefined)} onDone={done} />
      )}
      {asking?.about === "revoke" && (
        <RevokeDialog apiKey={asking.key} onClose={() => setAsking(undefined)} onDone={done} />
      )}
      <RevealOnce
        title={revealed ? `The key “${revealed.name}”` : ""}
        lead="Put it where your program reads its secrets. Never into a browser or a repository."
        secret={revealed?.key}
        onClose={() => setRevealed(undefined)}
      />
    </>
  );
}

type KeyRowProps = { apiKey: ApiKey; isOwner: boolean; onAsk(asking: Asking): void };

function KeyRow({ apiKey, isOwner, onAsk }: KeyRowProps) {
  const { name, masked, environment, status, scopes } = apiKey;
  const isActive = status === "active";
  return (
    <tr>
      <td>
        <div className="row">
          <strong>{name}</strong>
          {environment === "test" && <span className="badge plain test">Test</span>}
        </div>
        <Limits apiKey={apiKey} />
      </td>
      <td>
        <code>{masked}</code>
        <div className="faint">{scopes.length === 6 ? "all scopes" : scopes.join(", ")}</div>
      </td>
      <td>
        <StatusBadge status={status} />
        {apiKey.revoked_reason && <div className="faint">{apiKey.revoked_reason}</div>}
      </td>
      <td>
        <Time at={apiKey.last_used_at} />
      </td>
      <td>
        <Time at={apiKey.created_at} />
      </td>
      <td>
        {isOwner && isActive && (
          <div className="row end">
            {apiKey.replaced_by === null && (
              <button type="button" className="button" onClick={() => onAsk({ about: "rotate", key: apiKey })}>
                Rotate
              </button>
            )}
            <button type="button" className="button danger" onClick={() => onAsk({ about: "revoke", key: apiKey })}>
              Revoke
            </button>
          </div>
        )}
      </td>
    </tr>
  );
}

/** What an older key may have that new ones do not: an end, and networks. A revoked one has ended already. */
function Limits({
  apiKey: { status, expires_at: expiresAt, allowed_networks: networks, replaced_by: replacedBy },
}: {
  apiKey: ApiKey;
}) {
  const end = status === "revoked" ? null : expiresAt;
  return (
    <div className="faint">
      {replacedBy && (end ? "Replaced; " : "Replaced")}
      {end && (
        <>
          {status === "expired" ? "ended" : "ends"} <Time at={end} />
        </>
      )}
      {networks.length > 0 && ` from ${networks.join(", ")}`}
    </div>
  );
}

type CreateDialogProps = { isOpen: boolean; onClose(): void; onDone(key: RevealedKey): void };

function CreateDialog({ isOpen, onClose, onDone }: CreateDialogProps) {
  const create = useMutation({ mutationFn: createKey, onSuccess: onDone });
  function close() {
    create.reset();
    onClose();
  }
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    create.mutate(text(new FormData(event.currentTarget), "name"));
  }
  return (
    <Dialog isOpen={isOpen} onClose={close} title="Create an API key" lead="Name it after the program that uses it.">
      <form className="stack" onSubmit={submit}>
        {create.isError && <Failure error={create.error} />}
        <Field label="Name" name="name" required maxLength={100} autoFocus placeholder="billing service" />
        <div className="row end">
          <ActionButton className="button primary" isBusy={create.isPending}>
            Create key
          </ActionButton>
        </div>
      </form>
    </Dialog>
  );
}

type KeyDialogProps<Result> = { apiKey: ApiKey; onClose(): void; onDone(result: Result): void };

function RotateDialog({ apiKey, onClose, onDone }: KeyDialogProps<RevealedKey>) {
  const [hours, setHours] = useState(24);
  const rotate = useMutation({ mutationFn: () => rotateKey(apiKey.id, hours), onSuccess: onDone });
  const problem = rotate.error instanceof Problem ? rotate.error.about("/overlap_hours") : undefined;
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={`Rotate “${apiKey.name}”`}
      lead="Makes a replacement with the same rights. The old key keeps working for the overlap, so that you can change your programs one by one."
    >
      {rotate.isError && !problem && <Failure error={rotate.error} />}
      <Field
        label="Overlap in hours"
        type="number"
        min={0}
        max={24}
        value={Number.isNaN(hours) ? "" : hours}
        onChange={(event) => setHours(event.target.valueAsNumber)}
        hint="0 to 24. With 0 the old key stops at once."
        problem={problem}
      />
      <div className="row end">
        <ActionButton
          type="button"
          className="button primary"
          isBusy={rotate.isPending}
          onClick={() => rotate.mutate()}
        >
          Rotate
        </ActionButton>
      </div>
    </Dialog>
  );
}

function RevokeDialog({ apiKey, onClose, onDone }: KeyDialogProps<ApiKey>) {
  const [reason, setReason] = useState("");
  const length = reason.trim().match(/./gsu)?.length ?? 0; // characters, as the service counts them
  const revoke = useMutation({ mutationFn: () => revokeKey(apiKey.id, reason), onSuccess: onDone });
  const isBlank = reason !== "" && length === 0;
  const problem = revoke.error instanceof Problem ? revoke.error.about("/reason") : undefined;
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={`Revoke “${apiKey.name}”`}
      lead="It stops working at once, everywhere, for good."
    >
      {revoke.isError && !problem && <Failure error={revoke.error} />}
      <Field
        label="Reason"
        value={reason}
        onChange={(event) => setReason(event.target.value)}
        hint={`10 to 500 characters; ${length} so far. It is kept with the key.`}
        problem={isBlank ? "Blanks alone are no reason. Write why the key is revoked." : problem}
        autoFocus
      />
      <div className="row end">
        <ActionButton
          type="button"
          className="button danger"
          disabled={length < 10 || length > 500}
          isBusy={revoke.isPending}
          onClick={() => revoke.mutate()}
        >
          Revoke for good
        </ActionButton>
      </div>
    </Dialog>
  );
}
