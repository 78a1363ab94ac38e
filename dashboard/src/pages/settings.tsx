import { useMutation, useQueryClient, useSuspenseQuery } from "@tanstack/react-query";
import type { FormEvent } from "react";
import { renameOrganization } from "../api/members.ts";
import { sessionQuery } from "../api/session.ts";
import { ActionButton } from "../parts/action-button.tsx";
import { Failure } from "../parts/failure.tsx";
import { Field } from "../parts/field.tsx";
import { text } from "../parts/forms.ts";
import { MembersCard } from "../parts/members-card.tsx";
import { PageHead } from "../parts/page-head.tsx";
import { PasswordCard } from "../parts/password-card.tsx";
import { SessionsCard } from "../parts/sessions-card.tsx";

export function SettingsPage() {
  const { data: session } = useSuspenseQuery(sessionQuery);
  const isOwner = session.role === "owner";
  return (
    <>
      <PageHead title="Settings" />
      {isOwner && <OrganizationCard name={session.organization.name} />}
      <MembersCard isOwner={isOwner} />
      <PasswordCard />
      <SessionsCard />
    </>
  );
}

function OrganizationCard({ name }: { name: string }) {
  const queryClient = useQueryClient();
  const rename = useMutation({ mutationFn: renameOrganization, onSuccess: () => queryClient.invalidateQueries() });
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    rename.mutate(text(new FormData(event.currentTarget), "name"));
  }
  return (
    <form className="card" onSubmit={submit}>
      <h2>Organization</h2>
      {rename.isError && <Failure error={rename.error} />}
      <Field label="Name" name="name" defaultValue={name} required maxLength={100} />
      <div className="row">
        <ActionButton className="button" isBusy={rename.isPending}>
          Save
        </ActionButton>
        {rename.isSuccess && <span role="status">Saved.</span>}
      </div>
    </form>
  );
}
