import { useState } from "react";
import { type Member, setRole } from "../api/members.ts";
import type { Role } from "../api/session.ts";
import { ActionButton } from "./action-button.tsx";
import { Time } from "./time.tsx";

const roleNames: Record<Role, string> = { owner: "Owner", member: "Member", viewer: "Viewer" };

/** The roles to choose from. */
export function RoleOptions() {
  return Object.entries(roleNames).map(([role, name]) => (
    <option key={role} value={role}>
      {name}
    </option>
  ));
}

type MemberRowProps = {
  member: Member;
  isOwner: boolean;
  isBusy: boolean;
  onChange(work: () => Promise<unknown>): void;
  onReset(): void;
  onRelease(): void;
  onRemove(): void;
};

export function MemberRow({ member, isOwner, isBusy, onChange, onReset, onRelease, onRemove }: MemberRowProps) {
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
              <RoleOptions />
            </select>
            {role !== member.role && (
              <ActionButton
                type="button"
                className="button primary"
                isBusy={isBusy}
                onClick={() => onChange(() => setRole(member.id, role).catch(restore))}
              >
                Set role
              </ActionButton>
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
            <ActionButton type="button" className="button" isBusy={isBusy} onClick={onReset}>
              New password link
            </ActionButton>
            {member.is_linked && (
              <button type="button" className="button" onClick={onRelease}>
                Release sign-in
              </button>
            )}
            <button type="button" className="button danger" onClick={onRemove}>
              Remove
            </button>
          </div>
        )}
      </td>
    </tr>
  );
}
