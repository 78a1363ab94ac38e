import { queryOptions } from "@tanstack/react-query";
import { read } from "./client.ts";

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

export const createKey = (name: string) => read<RevealedKey>("/keys", { body: { name } });

export const rotateKey = (keyId: string, overlapHours: number) =>
  read<RevealedKey>(`/keys/${keyId}/rotate`, { body: { overlap_hours: overlapHours } });

export const revokeKey = (keyId: string, reason: string) => read<ApiKey>(`/keys/${keyId}/revoke`, { body: { reason } });
