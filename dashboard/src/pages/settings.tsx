import { useMutation, useQuery, useQueryClient, useSuspenseQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import {
  changePassword,
  invitationsQuery,
  invite,
  linkAddress,
  type Member,
  membersQuery,
  type OneTimeLink,
  removeMember,
  renameOrganization,
  resetMember,
  setRole,
  withdrawInvitation,
} from "../api/members.ts";
import { Problem } from "../api/problem.ts";
import { type Role, sessionQuery } from "../api/session.ts";
import { Failure } from "../parts/failure.tsx";
import { Field } from "../parts/field.tsx";
import { text } from "../parts/forms.ts";
import { Loading } from "../parts/loading.tsx";
import { PageHead } from "../parts/page-head.tsx";
import { RevealOnce } from "../parts/reveal-once.tsx";
import { SessionsCard } from "../parts/sessions-card.tsx";
import { Time } from "../parts/time.tsx";
import { Table } from "../parts/table.tsx";

const roleNames: Record<Role, string> = { owner: "Owner", member: "Member", viewer: "Viewer" };

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
        <button className="button" disabled={rename.isPending}>
          Save
        </button>
        {rename.isSuccess && <span role="status">Saved.</span>}
      </div>
    </form>
  );
}

function MembersCard({ isOwner }: { isOwner: boolean }) {
  const queryClient = useQueryClient();
  const members = useQuery(membersQuery);
  const invitations = useQuery({ ...invitationsQuery, enabled: isOwner });
  const [link, setLink] = useState<OneTimeLink>();
  const refresh = () => queryClient.invalidateQueries({ queryKey: ["members"] });
  const change = useMutation({
    mutationFn: (work: () => Promise<unknown>) => work(),
    onSettled: () => Promise.all([refresh(), queryClient.invalidateQueries({ queryKey: ["invitations"] })]),
  });
  const makeLink = useMutation({
    mutationFn: (work: () => Promise<OneTimeLink>) => work(),
    onSuccess(made) {
      setLink(made);
      void queryClient.invalidateQueries({ queryKey: ["invitations"] });
    },
  });
  const failed = [change, makeLink, members].find(({ isError }) => isError);

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
              onChange={(work) => change.mutate(work)}
              onReset={() => makeLink.mutate(() => resetMember(member.id))}
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
                <button
                  type="button"
                  className="button"
                  onClick={() => change.mutate(() => withdrawInvitation(invitation.id))}
                >
                  Withdraw
                </button>
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
              {Object.entries(roleNames).map(([role, name]) => (
                <option key={role} value={role}>
                  {name}
                </option>
              ))}
            </select>
          </div>
          <button className="button primary" disabled={makeLink.isPending}>
            Make a link
          </button>
          <p className="faint">
            Viewers read. Members also search, collect, export and manage webhooks. Owners also manage keys and members.
          </p>
        </form>
      )}
      <RevealOnce
        title={link?.role ? "The invitation" : "The link for a new password"}
        lead={`Send it to ${link?.email ?? "them"}. It works once.`}
        secret={link && linkAddress(link)}
        onClose={() => setLink(undefined)}
      />
    </section>
  );
}

type MemberRowProps = {
  member: Member;
  isOwner: boolean;
  onChange(work: () => Promise<unknown>): void;
  onReset(): void;
};

function MemberRow({ member, isOwner, onChange, onReset }: MemberRowProps) {
  const [role, setChosen] = useState(member.role);
  function restore(problem: unknown): never {
    setChosen(member.role);
    throw problem;
  }
  return (
    <tr>
      <td>
        <strong>{member.name}</strong> {member.is_you && <span className="badge plain">you</span>}
        <div className="faint">{member.email}</div>
      </td>
      <td>
        {isOwner ? (
          <div className="row">
            <select
              className="input fit"
              aria-label={`Role of ${member.name}`}
              value={role}
              onChange={(event) => setChosen(event.target.value as Role)}
            >
              {Object.entries(roleNames).map(([each, name]) => (
                <option key={each} value={each}>
                  {name}
                </option>
              ))}
            </select>
            {role !== member.role && (
              <button
                type="button"
                className="button primary"
                onClick={() => onChange(() => setRole(member.id, role).catch(restore))}
              >
                Set role
              </button>
            )}
          </div>
        ) : (
          roleNames[member.role]
        )}
      </td>
      <td>
        <Time at={member.joined_at} />
      </td>
      <td>
        {isOwner && (
          <div className="row end">
            <button type="button" className="button" onClick={onReset}>
              New password link
            </button>
            <button type="button" className="button danger" onClick={() => onChange(() => removeMember(member.id))}>
              Remove
            </button>
          </div>
        )}
      </td>
    </tr>
  );
}

function PasswordCard() {
  const change = useMutation({ mutationFn: changePassword });
  const problem = change.error instanceof Problem ? change.error : undefined;
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    change.mutate({ current: text(form, "current"), next: text(form, "next") });
  }
  return (
    <form className="card" onSubmit={submit}>
      <h2>Your password</h2>
      {change.isError && !problem?.details.length && <Failure error={change.error} />}
      <Field
        label="Current password"
        name="current"
        type="password"
        autoComplete="current-password"
        required
        problem={problem?.about("/current")}
      />
      <Field
        label="New password"
        name="next"
        type="password"
        autoComplete="new-password"
        required
        hint="At least 10 characters. Your other sessions end."
        problem={problem?.about("/next")}
      />
      <div className="row">
        <button className="button" disabled={change.isPending}>
          Change password
        </button>
        {change.isSuccess && <span role="status">Changed.</span>}
      </div>
    </form>
  );
}
