import type { Members, RevealedLink } from "../domains/members/index.ts";
import type { Organizations } from "../domains/organizations/index.ts";

/** A member as an operator sees one. */
export type UserView = { id: string; email: string; name: string; role: string; joined_at: string };

/** A one-time link, shown once. The token goes behind the # of the address, which no server logs. */
export type LinkView = {
  /** Null when WAYPOST_PUBLIC_URL is unset. */
  url: string | null;
  path: string;
  email: string | null;
  role: string | null;
  expires_at: string;
};

type UserCommandsDeps = { members: Members; organizations: Organizations; publicUrl: string | undefined };

export function createUserCommands({ members, organizations, publicUrl }: UserCommandsDeps) {
  async function list(organization: string | undefined): Promise<UserView[]> {
    const { id: organizationId } = await organizations.choose(organization);
    const all = await members.list(organizationId);
    return all.map(({ personId, email, name, role, joinedAt }) => ({
      id: personId,
      email,
      name,
      role,
      joined_at: joinedAt.toISOString(),
    }));
  }

  async function invite(organization: string | undefined, request: { email: string; role: string }): Promise<LinkView> {
    const { id } = await organizations.choose(organization);
    return view(await members.invite(id, request));
  }

  async function reset(organization: string | undefined, named: string): Promise<LinkView> {
    const { id } = await organizations.choose(organization);
    return view(await members.reset(id, named, { byOperator: true }));
  }

  async function release(organization: string | undefined, named: string): Promise<{ released: string }> {
    const { id } = await organizations.choose(organization);
    await members.releaseIdentity(id, named, { byOperator: true });
    return { released: named };
  }

  async function remove(organization: string | undefined, named: string): Promise<{ removed: string }> {
    const { id } = await organizations.choose(organization);
    await members.remove(id, named);
    return { removed: named };
  }

  function view({ token, email, role, expiresAt }: RevealedLink): LinkView {
    const path = `/console/join#${token}`;
    const url = publicUrl === undefined ? null : `${publicUrl}${path}`;
    return { url, path, email, role, expires_at: expiresAt.toISOString() };
  }

  return { list, invite, reset, release, remove };
}
