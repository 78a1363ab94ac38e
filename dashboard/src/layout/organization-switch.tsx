import { useMutation, useQueryClient, useSuspenseQuery } from "@tanstack/react-query";
import { read } from "../api/client.ts";
import { sessionQuery } from "../api/session.ts";
import { Failure } from "../parts/failure.tsx";

/** The organization that the pages show; a choice for people who belong to several. */
export function OrganizationSwitch() {
  const { data: session } = useSuspenseQuery(sessionQuery);
  const queryClient = useQueryClient();
  const change = useMutation({
    mutationFn: (organizationId: string) =>
      read("/session/organization", { body: { organization_id: organizationId } }),
    onSuccess: () => queryClient.resetQueries(),
  });
  if (session.organizations.length < 2) return <strong>{session.organization.name}</strong>;
  return (
    <>
      <select
        className="input"
        aria-label="Organization"
        value={session.organization.id}
        disabled={change.isPending}
        onChange={({ currentTarget }) => change.mutate(currentTarget.value)}
      >
        {session.organizations.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
      {change.isError && <Failure error={change.error} />}
    </>
  );
}
