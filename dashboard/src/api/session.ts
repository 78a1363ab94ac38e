import { queryOptions } from "@tanstack/react-query";
import { read } from "./client.ts";

export type Role = "owner" | "member" | "viewer";

export type Session = {
  person: { id: string; email: string; name: string };
  organization: { id: string; name: string; entitled: boolean };
  role: Role;
  organizations: { id: string; name: string; role: Role }[];
};

export const sessionQuery = queryOptions({
  queryKey: ["session"],
  queryFn: ({ signal }) => read<Session>("/session", { signal }),
  staleTime: 60_000,
});

export function mayChange(role: Role): boolean {
  return role !== "viewer";
}
