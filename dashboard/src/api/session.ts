import { type QueryClient, queryOptions } from "@tanstack/react-query";
import { forgetShown, read, setShown } from "./client.ts";

export type Role = "owner" | "member" | "viewer";

export type Session = {
  person: { id: string; email: string; name: string };
  organization: { id: string; name: string; entitled: boolean };
  role: Role;
  organizations: { id: string; name: string; role: Role }[];
};

export const sessionQuery = queryOptions({
  queryKey: ["session"],
  async queryFn({ signal }) {
    const session = await read<Session>("/session", { signal });
    setShown(session.person, session.organization);
    return session;
  },
  staleTime: 60_000,
});

/** Reads everything anew, for whomever the session acts for now. */
export function startOver(queryClient: QueryClient): Promise<void> {
  forgetShown();
  return queryClient.resetQueries();
}

export function mayChange(role: Role): boolean {
  return role !== "viewer";
}

let holders = 0;
let isSwitched = false;

/** Keeps the page as it is until the function that it returns is called, because it shows what nothing shows again. */
export function holdPage(queryClient: QueryClient): () => void {
  holders += 1;
  return () => {
    holders -= 1;
    if (isSwitched) followSwitch(queryClient);
  };
}

/** Whether the page must stay as it is. */
export function isHeld(): boolean {
  return holders > 0;
}

/** Another tab has switched the session: shows whom it acts for now, as soon as the page may change. */
export function followSwitch(queryClient: QueryClient): void {
  isSwitched = holders > 0;
  if (!isSwitched) void startOver(queryClient);
}
