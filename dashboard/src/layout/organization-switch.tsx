import { useMutation, useQueryClient, useSuspenseQuery } from "@tanstack/react-query";
import { useState } from "react";
import { read } from "../api/client.ts";
import { sessionQuery, startOver } from "../api/session.ts";
import { ActionButton } from "../parts/action-button.tsx";
import { Failure } from "../parts/failure.tsx";

/**
 * The organization that the pages show; a choice for people who belong to several. A button switches, since keys alone
 * walk through a choice.
 */
export function OrganizationSwitch() {
  const { data: session } = useSuspenseQuery(sessionQuery);
  const queryClient = useQueryClient();
  const [chosen, setChosen] = useState(session.organization.id);
  const change = useMutation({
    mutationFn: () => read("/session/organization", { body: { organization_id: chosen } }),
    onSuccess: () => startOver(queryClient),
  });
  if (session.organizations.length < 2) return <strong>{session.organization.name}</strong>;
  return (
    <>
      <select
        className="input"
        aria-label="Organization"
        value={chosen}
        disabled={change.isPending}
        onChange={({ currentTarget }) => setChosen(currentTarget.value)}
      >
        {session.organizations.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
      {chosen !== session.organization.id && (
        <ActionButton
          type="button"
          className="button primary"
          isBusy={change.isPending}
          onClick={() => change.mutate()}
        >
          Switch
        </ActionButton>
      )}
      {change.isError && <Failure error={change.error} />}
    </>
  );
}
