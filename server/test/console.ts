import { newUuid } from "../src/platform/ids.ts";
import type { Call, startApi } from "./harness.ts";

type Api = Awaited<ReturnType<typeof startApi>>;

export const testPassword = "correct horse battery";

/** A person with a session in the dashboard of an organization. */
export async function givenPerson(api: Api, role: string, organizationId: string) {
  const email = `${newUuid()}@example.org`;
  const { token } = await api.members.invite(organizationId, { email, role });
  const session = await api.members.accept(
    token,
    { name: `A ${role}`, password: testPassword },
    { userAgent: "a test", address: "192.0.2.7" },
  );
  const cookie = `waypost_session=${session.token}`;
  const call = (path: string, options: Call = {}) =>
    api.call(`/console/api${path}`, { ...options, headers: { cookie, ...options.headers } });
  return { email, cookie, call };
}
