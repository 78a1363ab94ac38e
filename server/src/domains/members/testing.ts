import type { TestContext } from "node:test";
import { fileDatabase, manualClock } from "../../../test/harness.ts";
import { newUuid } from "../../platform/ids.ts";
import { silentLog } from "../../platform/log.ts";
import { createDatabase } from "../../platform/postgres/database.ts";
import { createOrganizations } from "../organizations/index.ts";
import { createMembers } from "./index.ts";

export const address = "192.0.2.1";
export const origin = { userAgent: "a browser", address };
export const password = "correct horse battery";

export async function givenMembers(t: TestContext) {
  const db = createDatabase({ connection: await fileDatabase(), connectionsMax: 5, log: silentLog });
  t.after(() => db.end());
  const clock = manualClock();
  const members = createMembers({ db, clock });
  const organizations = createOrganizations({ db });
  const newOrganization = async () => (await organizations.create(`org ${newUuid()}`)).id;
  const organizationId = await newOrganization();

  async function givenMember(role = "owner", email = `${newUuid()}@example.org`, organization = organizationId) {
    const { token } = await members.invite(organization, { email, role });
    const session = await members.accept(token, { name: "Ada", password }, origin);
    return { email, session, signedIn: await members.sessions.require(session.token) };
  }

  return { db, clock, members, organizationId, newOrganization, givenMember };
}
