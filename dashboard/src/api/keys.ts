import { queryOptions } from "@tanstack/react-query";
import { create, read } from "./client.ts";

export type ApiKey = {
  id: string;
  name: string;
  masked: string;
  environment: "live" | "test";
  status: "active" | "expired" | "revoked";
  scopes: string[];
  allowed_networks: string[];
  expires_at: string | null;
  last_used_at: string | null;
  created_at: string;
  replaced_by: string | null;
  revoked_at: string | null;
  revoked_reason: string | null;
};

/** A key with its text, which the service shows once. */
export type RevealedKey = ApiKey & { key: string };

export const keysQuery = queryOptions({
  queryKey: ["keys"],
  queryFn: ({ signal }) => read<ApiKey[]>("/keys", { signal }),
});

export const createKey = async (name: string) => (await create<RevealedKey>("/keys", { name })).data;

export const rotateKey = async (keyId: string, overlapHours: number) =>
  (await create<RevealedKey>(`/keys/${keyId}/rotate`, { overlap_hours: overlapHours })).data;

export const revokeKey = (keyId: string, reason: string) => read<ApiKey>(`/keys/${keyId}/revoke`, { body: { reason } });
