import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import {
  invitationsQuery,
  invite,
  linkAddress,
  type Member,
  membersQuery,
  type OneTimeLink,
  releaseMember,
  removeMember,
  resetMember,
  withdrawInvitation,
} from "../api/members.ts";
import { sessionQuery } from "../api/session.ts";
import { ActionButton } from "./action-button.tsx";
import { Confirm, type Question } from "./confirm.tsx";
import { Failure } from "./failure.tsx";
import { Field } from "./field.tsx";
import { text } from "./forms.ts";
import { Loading } from "./loading.tsx";
import { MemberRow, RoleOptions } from "./member-row.tsx";
import { RevealOnce } from "./reveal-once.tsx";
import { Table } from "./table.tsx";
import { Time } from "./time.tsx";

/** Who belongs to the organization, who is invited, and what owners do about it. */
export function MembersCard({ isOwner }: { isOwner: boolean }) {
  const queryClient = useQueryClient();
  const members = useQuery(membersQuery);
  const invitations = useQuery({ ...invitationsQuery, enabled: isOwner });
  const [link, setLink] = useState<OneTimeLink>();
  const [question, setQuestion] = useState<Question>();
  // The session too: an owner may have taken their own role away.
  const refresh = () =>
    Promise.all(
      [membersQuery, invitationsQuery, sessionQuery].map((each) =>
        queryClient.invalidateQueries({ queryKey: each.queryKey }),
      ),
    );
  const change = useMutation({ mutationFn: (work: () => Promise<unknown>) => work(), onSettled: refresh });
  const makeLink = useMutation({
    mutationFn: (work: () => Promise<OneTimeLink>) => work(),
    onSuccess(made) {
      setLink(made);
      void queryClient.invalidateQueries({ queryKey: ["invitations"] });
    },
  });
  const isBusy = change.isPending || makeLink.isPending;
  const failed = [change, makeLink, members].find(({ isError }) => isError);

  function askToRemove({ id, name }: Member) {
    setQuestion({
      title: `Remove ${name}?`,
      lead: "They are signed out at once, and come back only by a new invitation. What they made stays.",
      verb: "Remove member",
      work: () => removeMember(id),
      afterwards: refresh,
    });
  }

  function askToRelease({ id, name, email }: Member) {
    setQuestion({
      title: `Release the sign-in of ${name}?`,
      lead: `They are signed out at once. The next person whom the identity provider knows as ${email} has the account.`,
      verb: "Release sign-in",
      work: () => releaseMember(id),
      afterwards: refresh,
    });
  }

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    makeLink.mutate(() => invite({ email: text(form, "email"), role: text(form, "role") }));
  }

  return (
    <section className="card">
      <h2>Members</h2>
      {failed && <Failure error={failed.error} />}
      {members.isPending && <Loading rows={3} />}
      <div className="table-scroll" hidden={members.isPending}>
        <Table columns={["Person", "Role", "Since", { name: "Actions", isUnnamed: true }]}>
          {members.data?.map((member) => (
            <MemberRow
              key={member.id}
              member={member}
              isOwner={isOwner}
              isBusy={isBusy}
              onChange={(work) => change.mutate(work)}
              onReset={() => makeLink.mutate(() => resetMember(member.id))}
              onRelease={() => askToRelease(member)}
              onRemove={() => askToRemove(member)}
            />
          ))}
          {invitations.data?.map((invitation) => (
            <tr key={invitation.id}>
              <td>{invitation.email ?? "the first owner"}</td>
              <td>{invitation.role}</td>
              <td className="faint">
                invited, until <Time at={invitation.expires_at} />
              </td>
              <td className="row end">
                <ActionButton
                  type="button"
                  className="button"
                  isBusy={isBusy}
                  onClick={() => change.mutate(() => withdrawInvitation(invitation.id))}
                >
                  Withdraw
                </ActionButton>
              </td>
            </tr>
          ))}
        </Table>
      </div>
      {isOwner && (
        <form className="invite-line" onSubmit={submit}>
          <Field label="Invite by e-mail" name="email" type="email" required placeholder="ada@example.org" />
          <div className="field">
            <label htmlFor="invite-role">Role</label>
            <select id="invite-role" name="role" className="input" defaultValue="member">
              <RoleOptions />
            </select>
          </div>
          <ActionButton className="button primary" isBusy={isBusy}>
            Make a link
          </ActionButton>
          <p className="faint">
            Viewers read. Members also search, collect, export and manage webhooks. Owners also manage keys and members.
          </p>
        </form>
      )}
      <Confirm question={question} onClose={() => setQuestion(undefined)} />
      <RevealOnce
        title={link?.role ? "The invitation" : "The link for a new password"}
        lead={`Send it to ${link?.email ?? "them"}. It works once.`}
        secret={link && linkAddress(link)}
        onClose={() => setLink(undefined)}
      />
    </section>
  );
}
