import { queryOptions } from "@tanstack/react-query";
import { read } from "./client.ts";
import type { Role } from "./session.ts";

export type Member = {
  id: string;
  email: string;
  name: string;
  role: Role;
  is_you: boolean;
  /** Whether the account belongs to a person at the identity provider. */
  is_linked: boolean;
  joined_at: string;
};
export type Invitation = { id: string; email: string | null; role: Role; expires_at: string };
export type OneTimeLink = { token: string; email: string | null; role: Role | null; expires_at: string };
export type OpenSession = {
  id: string;
  is_current: boolean;
  user_agent: string;
  address: string;
  created_at: string;
  last_seen_at: string;
};

export const membersQuery = queryOptions({
  queryKey: ["members"],
  queryFn: ({ signal }) => read<Member[]>("/members", { signal }),
});

export const invitationsQuery = queryOptions({
  queryKey: ["invitations"],
  queryFn: ({ signal }) => read<Invitation[]>("/invitations", { signal }),
});

export const sessionsQuery = queryOptions({
  queryKey: ["sessions"],
  queryFn: ({ signal }) => read<OpenSession[]>("/sessions", { signal }),
});

export const invite = (body: { email: string; role: string }) => read<OneTimeLink>("/invitations", { body });
export const withdrawInvitation = (id: string) => read(`/invitations/${id}`, { method: "DELETE" });
export const setRole = (id: string, role: string) => read(`/members/${id}`, { method: "PATCH", body: { role } });
export const removeMember = (id: string) => read(`/members/${id}`, { method: "DELETE" });
export const resetMember = (id: string) => read<OneTimeLink>(`/members/${id}/reset`, { method: "POST" });
export const releaseMember = (id: string) => read(`/members/${id}/release`, { method: "POST" });
export const revokeSession = (id: string) => read(`/sessions/${id}`, { method: "DELETE" });
export const revokeOtherSessions = () => read("/sessions", { method: "DELETE" });
export const renameOrganization = (name: string) => read("/organization", { method: "PATCH", body: { name } });
export const changePassword = (body: { current: string; next: string }) => read("/password", { body });

/** The address that a person follows. The token stands behind the #, which no server sees. */
export const linkAddress = ({ token }: OneTimeLink) => `${location.origin}/console/join#${token}`;
